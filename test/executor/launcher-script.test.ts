import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAUNCHER_SCRIPT, LINE_HEAD } from '../../src/executor/launcher-script.js';
import { RECORDS_BYTES } from '../../src/executor/records.js';
import { readStat } from '../../src/host/identity.js';
import { readyByHand, SHARD, SHELLS, startByHand } from './shells.js';
import { exists, isLinux, kill, killAtEnd, until } from './support.js';

test.runIf(process.env['CI']).each(SHELLS)('$name is installed', ({ program }) => {
  expect(program).not.toBeNull();
});

/** What every child of this process has, whoever starts it: 0, 1, 2, and what leaks into the tests from outside. */
function inheritedDescriptors(): string[] {
  return execFileSync('/bin/sh', ['-c', 'ls /proc/$$/fd'], { encoding: 'utf8' }).trim().split('\n');
}

/** A job that prints its arguments, each with a NUL behind it. */
const PRINT = ['/bin/sh', '-c', 'printf "%s\\0" "$@"', 'x'] as const;
const printed = (fields: readonly string[]) => fields.map((field) => `${field}\0`).join('');

for (const shell of SHELLS)
  describe.skipIf(!shell.program)(`a launcher in ${shell.name}`, () => {
    test('says R with its pid before anything else', async () => {
      const launcher = startByHand(shell);
      expect(await launcher.answer()).toBe(`R ${launcher.pid} `);
    });

    test.each([
      { what: 'blanks', fields: [' a', 'b  c', 'd\t\te', ' '] },
      { what: 'quotes', fields: [`it's`, '"x"', '`id`', "''"] },
      {
        what: 'what a shell would expand',
        fields: ['$(touch PWNED)', '$HOME', '*', '?', '~', '{a,b}', '[a-z]'],
      },
      { what: 'what a shell would obey', fields: [';', '|', '&', '>x', '#', '!', 'a;touch PWNED'] },
      { what: 'backslashes', fields: ['\\', '\\n', 'a\\', '\\\\x', '\\0'] },
      { what: 'what looks like an option', fields: ['-n', '-e', '--', '-', '-c'] },
      { what: 'empty fields in the middle', fields: ['', 'a', '', '', 'b'] },
      { what: 'carriage returns', fields: ['a\r', '\r', 'b\rc'] },
      { what: 'Japanese', fields: ['日次 集計', '売上（月末）', '表'] },
    ])('hands over unchanged: $what', async ({ fields }) => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', ...PRINT, ...fields);
      expect(launcher.log('J')).toBe(printed(fields));
    });

    test('hands over every byte from 0x80 to 0xff unchanged', async () => {
      const launcher = await readyByHand(shell);
      const bytes = Buffer.from(Array.from({ length: 128 }, (_, index) => 0x80 + index));
      await launcher.run('J', ...PRINT, bytes);
      expect(readFileSync(launcher.logPath('J'))).toEqual(Buffer.concat([bytes, Buffer.from([0])]));
    });

    test('uses the name of a job as it is', async () => {
      const launcher = await readyByHand(shell);
      const name = `it's "x" $(id) * -n 日次 集計`;
      expect(await launcher.run(name, '/bin/sh', '-c', 'exit 4')).toBe(`E 4 ${name}.1`);
    });

    test('names job and attempt in the environment of the job', async () => {
      const launcher = await readyByHand(shell);
      launcher.feed('日次 J', 12, '/bin/sh', '-c', 'echo "$JOBNET_JOB/$JOBNET_ATTEMPT"');
      await launcher.answer();
      expect(launcher.log('日次 J', 12)).toBe('日次 J/12\n');
    });

    test('leaves the environment of the job as it was given, also where the names are its own', async () => {
      const names = [...new Set([...LAUNCHER_SCRIPT.matchAll(/\b([a-z]\w*)=/g)].map((match) => match[1]!))];
      const common = ['job', 'attempt', 'id', 'log', 'logs', 'line', 'code', 'part'];
      const launcher = await readyByHand(shell, {
        environment: Object.fromEntries(common.map((name) => [name, `my ${name}`])),
      });
      await launcher.run('J', '/usr/bin/env');
      const seen = launcher.log('J').split('\n');
      expect(common.filter((name) => !seen.includes(`${name}=my ${name}`))).toEqual([]);
      expect(
        names.filter((name) => seen.some((line) => line.startsWith(`${name}=`) && !common.includes(name))),
      ).toEqual([]);
    });

    test('does not start a job whose log exists, and says X', async () => {
      const launcher = await readyByHand(shell);
      writeFileSync(launcher.logPath('J'), 'void 8\n');
      expect(await launcher.run('J', '/bin/sh', '-c', 'echo ran')).toBe('X - J.1');
      expect(launcher.log('J')).toBe('void 8\n');
    });

    test('starts one attempt once, however often it is asked', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'echo ran');
      expect(await launcher.run('J', '/bin/sh', '-c', 'echo ran')).toBe('X - J.1');
      expect(launcher.log('J')).toBe('ran\n');
    });

    test('records S before the job starts', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'cat "$1"', 'x', launcher.recordsFile);
      expect(launcher.log('J').trimEnd()).toBe(`R ${launcher.pid} \nS ${launcher.pid} J.1`);
    });

    test('has recorded E by the time it says so', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'exit 3');
      expect(launcher.records().trimEnd().split('\n').at(-1)).toBe('E 3 J.1');
    });

    test('leaves its records file as long as it was, with spaces behind the last record', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'exit 3');
      const records = `R ${launcher.pid} \nS ${launcher.pid} J.1\nE 3 J.1\n`;
      expect(launcher.records()).toBe(records + ' '.repeat(RECORDS_BYTES - records.length));
    });

    test('records X as it says it', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', ':');
      await launcher.run('J', '/bin/sh', '-c', ':');
      expect(launcher.records().trimEnd().split('\n').at(-1)).toBe('X - J.1');
    });

    test('says N when the folder of the log is missing', async () => {
      const launcher = await readyByHand(shell);
      rmdirSync(path.dirname(launcher.logPath('J')));
      expect(await launcher.run('J', '/bin/sh', '-c', ':')).toBe('N - J.1');
    });

    test('goes on after a log that could not be made', async () => {
      const launcher = await readyByHand(shell);
      rmdirSync(path.dirname(launcher.logPath('J')));
      await launcher.run('J', '/bin/sh', '-c', ':');
      mkdirSync(path.dirname(launcher.logPath('J')));
      expect(await launcher.run('J', '/bin/sh', '-c', 'exit 6')).toBe('E 6 J.1');
    });

    test.skipIf(!exists('/dev/full'))('does not start what it cannot record', async () => {
      const launcher = startByHand(shell, { records: '/dev/full' });
      await launcher.answer();
      expect(await launcher.run('J', '/bin/sh', '-c', 'echo ran')).toBe('N - J.1');
      expect(launcher.log('J')).toBe('');
    });

    test('says N, not a code, when the lifeline cannot be opened', async () => {
      const launcher = await readyByHand(shell);
      rmSync(launcher.lifeline);
      mkdirSync(launcher.lifeline);
      expect(await launcher.run('J', '/bin/sh', '-c', 'echo ran')).toBe('N - J.1');
    });

    test('gives a job a standard input that is at its end', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'read -r answer; echo "got [$answer]"');
      expect(launcher.log('J')).toBe('got []\n');
    });

    test('appends both outputs of a job to its log, wherever others have written meanwhile', async () => {
      const launcher = await readyByHand(shell);
      const text = 'echo one; echo elsewhere >>"$1"; echo two >&2';
      await launcher.run('J', '/bin/sh', '-c', text, 'x', launcher.logPath('J'));
      expect(launcher.log('J')).toBe('one\nelsewhere\ntwo\n');
    });

    test.skipIf(!isLinux)('gives a job the descriptors 0, 1, 2 and 7, and no other', async () => {
      const launcher = await readyByHand(shell);
      launcher.feed('J', 1, '/bin/sh', '-c', 'echo $$; kill -STOP $$');
      const pid = Number(await until(() => exists(launcher.logPath('J')) && launcher.log('J').trim()));
      killAtEnd(() => [pid]);
      await until(() => readStat(pid)?.life === 'frozen');
      expect(readdirSync(`/proc/${pid}/fd`).sort()).toEqual([...inheritedDescriptors(), '7'].sort());
      kill(pid, 'SIGCONT');
      await launcher.answer();
    });

    test.skipIf(!isLinux)('gives a job every signal back with its own effect', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'exec grep SigIgn /proc/self/status');
      expect(launcher.log('J')).toBe('SigIgn:\t0000000000000000\n');
    });

    test('runs a job in the folder it was started in', async () => {
      const launcher = await readyByHand(shell);
      writeFileSync(path.join(launcher.folder, 'here'), 'here\n');
      await launcher.run('J', '/bin/cat', 'here');
      expect(launcher.log('J')).toBe('here\n');
    });

    test('leaves at the end of its input', async () => {
      const launcher = await readyByHand(shell);
      launcher.child.stdin!.end();
      expect(await launcher.left).toEqual([0, null]);
    });

    test('runs nothing of a line that was cut off', async () => {
      const launcher = await readyByHand(shell);
      launcher.child.stdin!.end(`${LINE_HEAD}\x1fJ\x1f1\x1f${SHARD}\x1f/bin/sh\x1f-c\x1fecho ran`);
      await launcher.left;
      expect(exists(launcher.logPath('J'))).toBe(false);
    });
  });
