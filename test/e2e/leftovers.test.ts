/** LAU-09: what a job leaves behind is named on its result, and left alone. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { journalOf } from './journal.js';
import { createBench, csvOf, isAlive, type NetBench, until } from './workbench.js';

const LEAVES =
  "#!/bin/sh\nsh -c 'echo $$ >left; while :; do read -r x <never; done' &\nwhile [ ! -s left ]; do :; done\necho done\n";

function leaving(csv: string, script = LEAVES): NetBench {
  const net = createBench(csv);
  execFileSync('mkfifo', [path.join(net.folder, 'never')]);
  net.script('A', script);
  onTestFinished(() => {
    if (isAlive(leftOf(net))) process.kill(leftOf(net), 'SIGKILL');
  });
  return net;
}

const leftOf = (net: NetBench) => Number(readFileSync(path.join(net.folder, 'left'), 'utf8'));

describe('a job that leaves a process behind', () => {
  test.each([
    [0, 'ended'],
    [3, 'abended'],
  ])('is over when its script ends with %i, and the process is named', (code, word) => {
    const net = leaving(csvOf([['A']]), `${LEAVES}exit ${code}\n`);
    const { out } = net.run('start');
    const pid = leftOf(net);
    expect(out).toMatch(new RegExp(`A {2}${word}.*; left: ${pid} sh\n`));
    expect(net.run('status').out).toContain(`left: ${pid} sh`);
    expect(net.statusJson().jobs[0]).toMatchObject({ status: word, left: [{ pid, name: 'sh' }] });
    expect([isAlive(pid), net.run('logs', 'A', '--no-head').out]).toEqual([true, 'done\n']);
  });

  test('keeps it through the kill of its next attempt', async () => {
    const net = leaving(csvOf([['A']]), `${LEAVES}exit 3\n`);
    net.run('start');
    const pid = leftOf(net);
    const a = net.steered('A');
    const running = net.start('resume');
    await a.started();
    expect(net.run('kill', 'A').code).toBe(0);
    await running.finished;
    expect(isAlive(pid)).toBe(true);
  });

  test('keeps it through the kill of another job that had the same launcher before', async () => {
    const net = leaving(csvOf([['A'], ['B', 'A']]));
    const b = net.steered('B');
    const running = net.start('start', '-j', '1');
    await b.started();
    expect(net.run('kill', 'B').code).toBe(0);
    await running.finished;
    expect(isAlive(leftOf(net))).toBe(true);
  });

  test('has it named also when its controller died in between', async () => {
    const net = leaving(csvOf([['A']]), LEAVES.replace('echo done', 'read -r go <go'));
    execFileSync('mkfifo', [path.join(net.folder, 'go')]);
    const running = net.start('start');
    await running.said('A  started');
    await until(() => journalOf(net).some(({ type }) => type === 'running') && leftOf(net) > 0);
    running.child.kill('SIGKILL');
    await running.finished;
    const resumed = net.start('resume');
    await resumed.said('still runs');
    execFileSync('sh', ['-c', 'echo >go'], { cwd: net.folder });
    await resumed.finished;
    expect(net.statusJson().jobs[0]!.left).toEqual([{ pid: leftOf(net), name: 'sh' }]);
  });

  test('names nothing that ends with it', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\n: | cat &\nwait\n');
    net.run('start');
    expect(net.statusJson().jobs[0]!.left).toEqual([]);
  });
});
