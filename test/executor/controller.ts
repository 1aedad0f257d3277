/** A controller of its own process, for tests that kill or starve it: it starts jobs and prints what it hears. */
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src/engine/system-clock.js';
import { createLocalExecutor } from '../../src/executor/local.js';

const [folder, ...jobs] = process.argv.slice(2) as [string, ...string[]];
const say = (...words: (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`);
let onRunning = () => {};
let onEnd = () => {};

const executor = createLocalExecutor({
  folder,
  file: path.join(folder, 'jobnet.csv'),
  run: 'run',
  runFolder: path.join(folder, 'run'),
  epoch: 7,
  slots: jobs.length,
  commands: new Map(),
  environment: { PATH: process.env['PATH']! },
  shell: '/bin/sh',
  clock: systemClock,
});
executor.listen({
  report: (job, attempt, report) => {
    say(`${job}.${attempt}`, report.kind);
    if (report.kind === 'running') onRunning();
    else onEnd();
  },
  launcher: ({ launcher, pid }) => {
    say('launcher', pid);
    executor.admit(launcher);
  },
});

if (process.env['LETS_GO']) onRunning = () => void executor.close();
if (process.env['STARVE']) await starve(Number(process.env['STARVE']));
else for (const job of jobs) launch(job, 1);

function launch(job: string, attempt: number): void {
  executor.inspect(job);
  executor.ensure({ job, attempt });
}

/** The first job once for each number of descriptors that are left, from none on; then once with all of them. */
async function starve(most: number): Promise<void> {
  for (let left = 0; left <= most; left++) {
    executor.inspect(jobs[0]!);
    const hoard = takeAll();
    for (let index = 0; index < left; index++) closeSync(hoard.pop()!);
    if (left === 0) say('look', executor.inspect(jobs[1]!).kind);
    await over(left + 1);
    for (const fd of hoard) closeSync(fd);
  }
  executor.inspect(jobs[0]!);
  await over(most + 2);
  await executor.close();
  say('closed');
}

function over(attempt: number): Promise<void> {
  return new Promise((resolve) => {
    onEnd = resolve;
    executor.ensure({ job: jobs[0]!, attempt });
  });
}

function takeAll(): number[] {
  const fds: number[] = [];
  try {
    for (;;) fds.push(openSync('/dev/null', 'r'));
  } catch {
    return fds;
  }
}
