/** A net's folder that is copied, restored or moved, while jobs of it are in flight. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createBench, csvOf, type NetBench, NOTED, statusesIn } from './workbench.js';

const PAIR = csvOf([['A'], ['B', 'A']]);

/** The command in another folder than that of the net. */
function jobnetIn(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.resolve('dist/cli/main.js'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  );
  return { code: status, out: stdout, err: stderr };
}

function copyOf({ folder }: NetBench): string {
  const copy = path.join(folder, '../copy');
  // What waits at a FIFO cannot be copied.
  cpSync(folder, copy, { recursive: true, filter: (source) => !/\.(up|down|life)$/.test(source) });
  return copy;
}

test('a copy made while a job runs knows nothing of its end, and leaves the original alone', async () => {
  const net = createBench(PAIR, { jobs: ['B'] });
  const a = net.steered('A');
  const running = net.start('start');
  await a.started();
  const copy = copyOf(net);

  const { jobs, controller } = JSON.parse(jobnetIn(copy, 'status', '--json').out);
  expect([jobs[0].status, controller]).toEqual(['lost', null]);
  const resumed = jobnetIn(copy, 'resume');
  expect([resumed.code, resumed.err]).toEqual([
    1,
    expect.stringContaining('is a copy of another state folder'),
  ]);
  expect(statusesIn(readFileSync(path.join(copy, 'jobnet.csv'), 'utf8'))).toEqual({ A: '1', B: '9' });
  expect(jobnetIn(copy, 'start', '--dry-run').code).toBe(0);

  await a.exit(0);
  expect((await running.finished).code).toBe(0);
  expect(net.effects()).toEqual(['A', 'B']);
  expect(net.statuses()).toEqual({ A: '0', B: '0' });
});

test('a copy is a net of its own: start is not held up, and later commands say nothing of it', async () => {
  const net = createBench(PAIR, { jobs: ['B'] });
  const a = net.steered('A');
  const running = net.start('start');
  await a.started();
  const copy = copyOf(net);
  net.script('A', NOTED);
  cpSync(path.join(net.folder, 'jobs/A'), path.join(copy, 'jobs/A'));
  const started = jobnetIn(copy, 'start');
  expect([started.code, started.err]).toEqual([
    0,
    expect.stringContaining('is a copy of another state folder'),
  ]);
  expect(jobnetIn(copy, 'start')).toMatchObject({ code: 0, err: '' });
  await a.exit(0);
  await running.finished;
});

test('a folder that is moved is no copy: its living job is taken over', async () => {
  const net = createBench(csvOf([['A'], ['B', 'A']]));
  net.script('B', '#!/bin/sh\necho "$JOBNET_FILE" >file.txt\n');
  const a = net.steered('A');
  const running = net.start('start');
  await a.started();
  running.child.kill('SIGKILL');
  await running.finished;
  const moved = path.join(net.folder, '../moved');
  renameSync(net.folder, moved);
  const preview = jobnetIn(moved, 'resume', '--dry-run');
  expect(preview.out).toContain('A #1  still runs');
  renameSync(moved, net.folder);
  await a.exit(0);
  renameSync(net.folder, moved);
  expect(jobnetIn(moved, 'resume')).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(path.join(moved, 'file.txt'), 'utf8')).toBe(`${moved}/jobnet.csv\n`);
  renameSync(moved, net.folder);
});
