import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LINE_HEAD } from '../../src/executor/launcher-script.js';
import { parseRecords } from '../../src/executor/records.js';
import { type HandLauncher, readyByHand, SHARD, SHELLS } from './shells.js';
import { createGate, isLinux, until } from './support.js';

const STORM: readonly NodeJS.Signals[] = ['TERM', 'INT', 'HUP', 'QUIT'].map(
  (name) => `SIG${name}` as NodeJS.Signals,
);

/** Sends signals one after the other, each when the one before has been taken. */
async function storm({ pid }: HandLauncher, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const signal of STORM) {
      process.kill(pid, signal);
      if (isLinux) await until(() => !hasPending(pid));
    }
  }
}

function hasPending(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*(\w+)$/gm)].some(
    (match) => BigInt(`0x${match[1]}`) !== 0n,
  );
}

/** A job that ends with the code that is written to the FIFO `go` in its folder. */
const STEERED = ['/bin/sh', '-c', 'read -r code <go; exit "$code"'] as const;

function steer({ folder }: HandLauncher): (code: number) => void {
  const gate = createGate(path.join(folder, 'go'));
  return (code) => gate.open(String(code));
}

for (const shell of SHELLS)
  describe.skipIf(!shell.program)(`a launcher in ${shell.name}`, () => {
    test('outlives its reader: it finishes its job, records the code and leaves', async () => {
      const launcher = await readyByHand(shell);
      const go = steer(launcher);
      launcher.feed('J', 1, ...STEERED);
      launcher.child.stdout!.destroy();
      launcher.child.stdin!.destroy();
      go(9);
      expect([await launcher.left, launcher.records().trimEnd().split('\n').at(-1)]).toEqual([
        [0, null],
        'E 9 J.1',
      ]);
    });

    test('lets a job that writes to a closed pipe die, and lives', async () => {
      const launcher = await readyByHand(shell);
      expect(await launcher.run('J', '/bin/sh', '-c', 'kill -PIPE $$')).toBe('E 141 J.1');
      expect(await launcher.run('K', '/bin/sh', '-c', 'exit 5')).toBe('E 5 K.1');
    });

    test('stays through a storm of signals while it is idle, and runs the next job once', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'exit 2');
      await storm(launcher, 10);
      expect(await launcher.run('K', '/bin/sh', '-c', 'exit 3')).toBe('E 3 K.1');
    });

    test('runs no job again that was fed before a storm', async () => {
      const launcher = await readyByHand(shell);
      await launcher.run('J', '/bin/sh', '-c', 'exit 2');
      await storm(launcher, 10);
      launcher.child.stdin!.end();
      await launcher.left;
      expect(launcher.records().trimEnd().split('\n').slice(1)).toEqual([`S ${launcher.pid} J.1`, 'E 2 J.1']);
    });

    test('stays through a storm while its job runs, and sees how the job ends', async () => {
      const launcher = await readyByHand(shell);
      const go = steer(launcher);
      launcher.feed('J', 1, ...STEERED);
      await until(() => launcher.records().includes('\nS '));
      for (const signal of STORM) process.kill(launcher.pid, signal);
      go(4);
      expect(await launcher.answer()).toBe('E 4 J.1');
    });

    test('leaves at the end of its input also after a storm', async () => {
      const launcher = await readyByHand(shell);
      await storm(launcher, 3);
      launcher.child.stdin!.end();
      expect(await launcher.left).toEqual([0, null]);
    });

    /** Feeds a line in two pieces, with a storm between them. */
    async function cutInTwo(): Promise<HandLauncher> {
      const launcher = await readyByHand(shell);
      launcher.child.stdin!.write(`${LINE_HEAD}\x1fJ`);
      await storm(launcher, 3);
      launcher.child.stdin!.end(`\x1f1\x1f${SHARD}\x1f/bin/sh\x1f-c\x1fecho ran\n`);
      await launcher.left;
      return launcher;
    }

    // bash as sh and busybox forget the first piece: of them only the next statement holds.
    if (!/ sh$/.test(shell.name)) {
      test('puts a line together that signals cut in two', async () => {
        const launcher = await cutInTwo();
        expect(launcher.log('J')).toBe('ran\n');
      });
    }

    test('never takes a piece of a line for a line: what it records is of that job or of none', async () => {
      const launcher = await cutInTwo();
      const ids = parseRecords(launcher.records()).map(({ id }) => id);
      expect(ids.filter((id) => id !== '' && id !== 'J.1')).toEqual([]);
    });
  });
