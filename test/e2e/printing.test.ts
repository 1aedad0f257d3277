/** A job that prints while its controller is killed: what it prints goes to a file, not through the controller. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBench, csvOf, type NetBench, NOTED, until } from './workbench.js';

describe('LAU-10 a job that prints while its controller is killed', () => {
  /** Six lines, by turns to both outputs; after each it waits for the test, which gives it its exit code. */
  const PRINTING = `${NOTED}for line in 1 2 3 4 5 6; do
  if [ $((line % 2)) = 0 ]; then echo "$line" >&2; else echo "$line"; fi
  echo up >A.up
  read code <A.down
done
echo finished >A.done
exit $code
`;

  /** Killed after the second line; the job has printed the fourth. */
  async function printing(...args: string[]) {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
    const a = net.steered('A');
    net.script('A', PRINTING);
    const running = net.start('start', ...args);
    await a.started();
    const print = async (lines: number) => {
      for (let line = 0; line < lines; line++) {
        await a.exit(0);
        await a.started();
      }
    };
    await print(1);
    // In the background it is not our child.
    process.kill(net.statusJson().controller!.pid, 'SIGKILL');
    await running.finished;
    await until(() => net.statusJson().controller?.state === 'dead');
    await print(2);
    expect(net.statusJson().jobs[0]).toMatchObject({ csv: '2', status: 'running' });
    expect(net.run('logs', 'A', '--no-head').out).toBe('1\n2\n3\n4\n');
    return { net, a, print };
  }

  function isWhole(net: NetBench): void {
    expect(existsSync(path.join(net.folder, 'A.done'))).toBe(true);
    expect(net.run('logs', 'A', '--no-head').out).toBe('1\n2\n3\n4\n5\n6\n');
  }

  test.each([
    ['in the foreground', []],
    ['in the background', ['--background']],
  ])('LAU-10: prints on to its end under the controller that follows (%s)', async (_, args) => {
    const { net, a, print } = await printing(...args);
    const resumed = net.start('resume');
    await resumed.said('A #1  still runs');
    await print(2);
    await a.exit(0);
    expect((await resumed.finished).code).toBe(0);
    isWhole(net);
    expect(net.effects()).toEqual(['A', 'B']);
  });

  test.each([
    [0, 'ended'],
    [3, 'abended'],
  ])('LAU-10: prints on to its end without any; code %i is found', async (code, status) => {
    const { net, a, print } = await printing();
    await print(2);
    await a.exit(code);
    await until(() => net.statusJson().jobs[0]?.status === status);
    isWhole(net);
    expect(net.statusJson().jobs[0]).toMatchObject({ attempt: 1, exit: { code } });
    expect(net.run('resume', '--dry-run').out).toContain(`A #1  ended meanwhile: exit code ${code}`);
  });
});
