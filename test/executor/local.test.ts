import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandPath, logPath } from '../../src/executor/attempts.js';
import { findMarked } from '../../src/host/marked.js';
import { createLocalRig, run } from './local-rig.js';
import { findProgram, isLinux, until } from './support.js';

describe('a job', () => {
  test('knows its run, file, name and attempt', async () => {
    const rig = createLocalRig();
    rig.script('日次 J', '#!/bin/sh\necho "$JOBNET_RUN|$JOBNET_FILE|$JOBNET_JOB|$JOBNET_ATTEMPT"\n');
    await run(rig, '日次 J', 3);
    expect(rig.log('日次 J', 3)).toBe(`${rig.marker.run}|${rig.marker.file}|日次 J|3\n`);
  });

  test('has the environment that it was given, and no other', async () => {
    const rig = createLocalRig({ environment: { PATH: process.env['PATH']!, log: 'my log' } });
    rig.script('J', '#!/bin/sh\nenv\n');
    await run(rig, 'J');
    const others = rig
      .log('J')
      .trimEnd()
      .split('\n')
      .filter((line) => !/^(PATH|PWD|OLDPWD|SHLVL|_|JOBNET_\w+)=/.test(line));
    expect(others).toEqual(['log=my log']);
  });

  test('runs in the folder of the net', async () => {
    const rig = createLocalRig();
    rig.script('J', '#!/bin/sh\npwd -P\n');
    await run(rig, 'J');
    expect(rig.log('J')).toBe(`${rig.folder}\n`);
  });

  test('reads an end of file at once', async () => {
    const rig = createLocalRig();
    rig.script('J', '#!/bin/sh\nread -r answer; echo "got [$answer]"\n');
    await run(rig, 'J');
    expect(rig.log('J')).toBe('got []\n');
  });

  test.each(['month end', "it's", '$(touch PWNED)', '`id`', '*', '日次 集計', 'a;touch PWNED', '-n'])(
    'has any name: %s',
    async (name) => {
      const rig = createLocalRig();
      rig.script(name, '#!/bin/sh\nprintf "%s\\n" "$JOBNET_JOB"\nexit 4\n');
      expect([await run(rig, name), rig.log(name)]).toEqual([{ kind: 'exited', code: 4 }, `${name}\n`]);
    },
  );

  test('that has a child which goes on is over when it is over itself', async () => {
    const rig = createLocalRig();
    rig.script('J', '#!/bin/sh\nsleep 600 &\necho done\n');
    const left = [{ pid: expect.any(Number), name: 'sleep' }];
    expect([await run(rig, 'J'), rig.log('J')]).toEqual([{ kind: 'exited', code: 0, left }, 'done\n']);
  });

  test('without #! is run by /bin/sh', async () => {
    const rig = createLocalRig();
    rig.script('J', 'echo "$0"; ps -o comm= -p $$ | sed s:.*/::\nexit 7\n');
    expect([await run(rig, 'J'), rig.log('J')]).toEqual([{ kind: 'exited', code: 7 }, './jobs/J\nsh\n']);
  });

  test.skipIf(!isLinux || !findProgram('bash'))(
    'without #! has its marker also where launchers are bash',
    async () => {
      const rig = createLocalRig({ shell: findProgram('bash')! });
      rig.script('J', 'echo started >>history; kill -STOP $$\n');
      rig.launch('J');
      await until(() => rig.history().length > 0);
      expect(findMarked(rig.marker).map(({ job }) => job)).toEqual(['J']);
    },
  );

  test('is told the version of its script at its end, also when that is not the one that was launched', async () => {
    const rig = createLocalRig();
    rig.script('J', '#!/bin/sh\ncp jobs/K jobs/J\n');
    rig.script('K', '#!/bin/sh\nexit 0\n');
    const versions = ['J', 'K'].map((job) => (rig.executor.inspect(job) as { script: string }).script);
    await run(rig, 'J');
    await run(rig, 'K');
    expect(rig.reports.map(({ report }) => report)).toMatchObject([
      { kind: 'exited', script: versions[1] },
      { kind: 'exited', script: versions[1] },
    ]);
    expect(versions[0]).not.toBe(versions[1]);
  });

  test('that ran before is never run again: its recorded end is told', async () => {
    const rig = createLocalRig();
    rig.script('J', '#!/bin/sh\necho ran >>history\nexit 5\n');
    await run(rig, 'J');
    rig.reports.length = 0;
    expect([await run(rig, 'J'), rig.history()]).toMatchObject([{ kind: 'exited', code: 5 }, ['ran']]);
  });
});

describe('a command', () => {
  const long = `: ${'x'.repeat(5000)}`;

  test.each([
    { what: 'short', command: 'echo hi | tr h H; exit 3' },
    { what: 'over 1 KB', command: `${long}; echo Hi; exit 3` },
    { what: 'with a line break', command: 'echo Hi\nexit 3' },
    { what: 'with the byte that parts the fields of a line', command: "printf 'Hi\\n' '\x1f'; exit 3" },
    { what: 'in Japanese', command: 'x=日本; echo Hi; exit 3' },
  ])('runs: $what', async ({ command }) => {
    const rig = createLocalRig({ commands: new Map([['J', command]]) });
    expect([await run(rig, 'J'), rig.log('J')]).toEqual([{ kind: 'exited', code: 3 }, 'Hi\n']);
  });

  test('reads an end of file at once, also when it is long', async () => {
    const rig = createLocalRig({ commands: new Map([['J', `${long}; read -r x; echo "[$x]"`]]) });
    await run(rig, 'J');
    expect(rig.log('J')).toBe('[]\n');
  });

  test('that cannot be written down has that as its own result', async () => {
    const rig = createLocalRig({ commands: new Map([['J', long]]) });
    mkdirSync(commandPath(rig.runFolder, 'J', 1), { recursive: true });
    expect(await run(rig, 'J')).toMatchObject({ kind: 'refused', problem: { kind: 'start-failed' } });
  });

  test('that cannot be written down is not reported from within the call', () => {
    const rig = createLocalRig({ commands: new Map([['J', long]]) });
    mkdirSync(commandPath(rig.runFolder, 'J', 1), { recursive: true });
    rig.launch('J');
    expect(rig.reports).toEqual([]);
  });

  test('that cannot be written down keeps no other job from running', async () => {
    const rig = createLocalRig({ commands: new Map([['J', long]]) });
    mkdirSync(commandPath(rig.runFolder, 'J', 1), { recursive: true });
    rig.script('K', '#!/bin/sh\nexit 6\n');
    rig.launch('J');
    expect(await run(rig, 'K')).toEqual({ kind: 'exited', code: 6 });
  });

  test('is told from a script of the same name', async () => {
    const rig = createLocalRig({ commands: new Map([['J', 'exit 1']]) });
    rig.script('J', '#!/bin/sh\nexit 2\n');
    expect(await run(rig, 'J')).toEqual({ kind: 'exited', code: 1 });
  });
});

test('the log of an attempt lies where every controller looks for it', async () => {
  const rig = createLocalRig();
  rig.script('J', '#!/bin/sh\necho hi\n');
  await run(rig, 'J');
  expect(readFileSync(logPath(rig.runFolder, 'J', 1), 'utf8')).toBe('hi\n');
});
