/** LAU-06: a script that is another one when its job ends: said on the result, whoever learns of the end. */
import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalOf } from './journal.js';
import { createBench, csvOf, type NetBench, until } from './workbench.js';

const SAID = 'its script was changed while it ran';
const flags = (net: NetBench) => net.statusJson().jobs.map(({ job, scriptChanged }) => [job, scriptChanged]);
const scriptOf = (net: NetBench, job: string) => path.join(net.folder, 'jobs', job);
const longer = '#!/bin/sh\nexit 5\n'.padEnd(4000, '#');

const CHANGES: [string, (net: NetBench) => void][] = [
  ['overwritten', (net) => writeFileSync(scriptOf(net, 'A'), longer)],
  [
    'replaced',
    (net) => {
      net.script('new', longer);
      renameSync(scriptOf(net, 'new'), scriptOf(net, 'A'));
    },
  ],
  ['removed', (net) => rmSync(scriptOf(net, 'A'))],
];

describe('a script that is changed while its job runs', () => {
  test.each(CHANGES)(
    'is named at the end of the job and of the run, and by status: %s',
    async (_, change) => {
      const net = createBench(csvOf([['A'], ['B']]), { jobs: ['B'] });
      const a = net.steered('A');
      const running = net.start('start');
      await a.started();
      change(net);
      await a.exit(0);
      const { code, out } = await running.finished;
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`A {2}ended \\(.*\\); ${SAID}`));
      expect(out).toContain('the scripts of A\n');
      expect(net.run('status').out).toMatch(new RegExp(`A .*${SAID}`));
      expect(flags(net)).toEqual([
        ['A', true],
        ['B', false],
      ]);
    },
  );

  test('is named beside the reason of an abend', async () => {
    const net = createBench(csvOf([['A']]));
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    writeFileSync(scriptOf(net, 'A'), longer);
    await a.exit(3);
    const { code, out } = await running.finished;
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`A {2}abended: exit code 3; ${SAID}`));
    expect(net.run('status').out).toMatch(new RegExp(`A .*exit code 3; ${SAID}`));
  });

  test('is no longer named when the job has run again', async () => {
    const net = createBench(csvOf([['A']]));
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    writeFileSync(scriptOf(net, 'A'), longer);
    await a.exit(3);
    await running.finished;
    net.script('A', '#!/bin/sh\nexit 0\n');
    net.run('resume');
    expect(flags(net)).toEqual([['A', false]]);
  });
});

describe('when the controller is killed first', () => {
  async function killed() {
    const net = createBench(csvOf([['A']]));
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    await until(() => journalOf(net).some((line) => line.type === 'running'));
    running.child.kill('SIGKILL');
    await running.finished;
    return { net, a };
  }

  /** Its end is on record. */
  const ended = (net: NetBench) => until(() => net.statusJson().counts['ended'] === 1);

  test('the next one, which takes the job over, names it', async () => {
    const { net, a } = await killed();
    writeFileSync(scriptOf(net, 'A'), longer);
    const running = net.start('resume');
    await running.said('still runs');
    await a.exit(0);
    await running.finished;
    expect(flags(net)).toEqual([['A', true]]);
  });

  test('status names it when the job has ended, and so does the next one', async () => {
    const { net, a } = await killed();
    writeFileSync(scriptOf(net, 'A'), longer);
    await a.exit(0);
    await ended(net);
    expect(flags(net)).toEqual([['A', true]]);
    net.run('resume');
    expect(flags(net)).toEqual([['A', true]]);
  });

  test('what was changed after the end of the job is not named', async () => {
    const { net, a } = await killed();
    await a.exit(0);
    await ended(net);
    writeFileSync(scriptOf(net, 'A'), longer);
    net.run('resume');
    expect(flags(net)).toEqual([['A', false]]);
  });
});

describe('not named is', () => {
  test('a script that was only touched, or written again as it was', async () => {
    const net = createBench(csvOf([['A']]));
    const a = net.steered('A');
    const running = net.start('start');
    await a.started();
    utimesSync(scriptOf(net, 'A'), 1, 1);
    await a.exit(0);
    await running.finished;
    expect(flags(net)).toEqual([['A', false]]);
  });

  test('another command in the row of a job that runs', async () => {
    const net = createBench('job,status,stime,etime,command\nA,9,,,"read x <a.fifo"\n');
    execFileSync('mkfifo', [path.join(net.folder, 'a.fifo')]);
    const running = net.start('start');
    await running.said('A  started');
    net.csv(net.read().replace('read x <a.fifo', 'exit 5'));
    await until(() => journalOf(net).some((line) => line.type === 'version'));
    writeFileSync(path.join(net.folder, 'a.fifo'), 'go\n');
    const { code } = await running.finished;
    expect([code, flags(net)]).toEqual([0, [['A', false]]]);
  });
});
