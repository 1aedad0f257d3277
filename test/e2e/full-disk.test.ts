/** A real small disk that is filled up, or turns read-only, while a net runs on it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../executor/support.js';
import { WITHOUT_PRIVILEGES } from './claims-bench.js';
import { recordsOf } from './journal.js';
import { canMount, createSmallDisk } from './small-disk.js';
import { createBench, csvOf, type NetBench, NOTED, until } from './workbench.js';

const IS_PERMITTED = canMount();
const isOrdinary = process.getuid?.() !== 0;

test.runIf(process.env['CI'])('a tmpfs can be mounted where every test has to run', () => {
  expect(IS_PERMITTED).toBe(true);
});

/** Times that a text was said. */
const timesIn = (text: string, part: string) => text.split(part).length - 1;

function checkEnd(net: NetBench, jobs: readonly string[]): void {
  const ended = recordsOf(net).flatMap(({ event }) => (event.type === 'ended' ? [event.job] : []));
  expect(ended.sort()).toEqual([...jobs].sort());
  expect(new Set(Object.values(net.statuses()))).toEqual(new Set(['0']));
  const { jobs: shown, run } = net.statusJson();
  expect([run?.state, new Set(shown.map(({ csv }) => csv))]).toEqual(['ended', new Set(['0'])]);
}

function hasRecorded(net: NetBench, record: string): boolean {
  const state = path.join(net.folder, '.jobnet/jobnet.csv/runs');
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' });
  const records = files.filter((file) => /\/exits\/\d+-\d+$/.test(file));
  return records.some((file) => readFileSync(path.join(state, file), 'utf8').includes(record));
}

/** More of them than the space has lines for that the journal has taken in advance. */
const MANY = Array.from({ length: 900 }, (_, index) => `M${index}`);
const ROWS = [['X'], ['W1'], ['W2'], ['W3'], ['FILL', 'W1', 'W2', 'W3'], ...MANY.map((job) => [job, 'FILL'])];

/** A run that has filled its disk up and says so, while the job X runs. */
async function fullRun() {
  const disk = createSmallDisk(8);
  // Three launchers besides that of X, before the disk is full.
  const net = createBench(csvOf(ROWS), { within: disk.folder, jobs: ['W1', 'W2', 'W3'] });
  const long = net.steered('X');
  net.script('FILL', `#!/bin/sh\ncat /dev/zero >'${disk.filler}' 2>/dev/null\nexit 0\n`);
  net.script('M', '#!/bin/sh\n');
  for (const job of MANY) linkSync(path.join(net.folder, 'jobs/M'), path.join(net.folder, 'jobs', job));
  const run = net.start('start', '-j', '4');
  await long.started();
  await run.said('the disk is full (ENOSPC): the journal cannot be written');
  const endLong = async () => {
    await long.exit(0);
    await until(() => hasRecorded(net, 'E 0 X.1'));
  };
  return { disk, net, run, endLong };
}

const launchesOf = (net: NetBench) =>
  recordsOf(net).flatMap(({ event }) =>
    event.type === 'launching' ? [`${event.job}.${event.attempt}`] : [],
  );

const needsMount = describe.skipIf(!IS_PERMITTED && !process.env['CI']);

needsMount('STA-05 a disk that a job fills up (skipped where mount is not permitted)', () => {
  test('keeps new jobs from starting; all is recorded when there is room, without a restart', async () => {
    const { disk, net, run, endLong } = await fullRun();
    await endLong();
    expect(recordsOf(net).some(({ event }) => event.type === 'ended' && event.job === 'X')).toBe(false);
    disk.free();
    const { code, out, err } = await run.finished;
    expect([code, err]).toEqual([0, '']);
    expect(timesIn(out, 'the journal cannot be written')).toBe(1);
    expect(timesIn(out, 'the journal can be written again')).toBe(1);
    checkEnd(
      net,
      ROWS.map(([job]) => job!),
    );
  });

  test('is survived by a killed controller: resume finds the end that was not recorded', async () => {
    const { disk, net, run, endLong } = await fullRun();
    await endLong();
    run.child.kill('SIGKILL');
    await run.finished;
    disk.free();
    const { code, out } = await net.start('resume', '-j', '4').finished;
    expect(`${code}\n${out}`).toMatch(/^0\n/);
    expect(launchesOf(net).filter((launch) => launch.startsWith('X.'))).toEqual(['X.1']);
    checkEnd(
      net,
      ROWS.map(([job]) => job!),
    );
  });

  test('lets a stop wait: nothing starts any more, and the controller ends when there is room', async () => {
    const { disk, net, run, endLong } = await fullRun();
    run.child.kill('SIGTERM');
    await endLong();
    disk.free();
    const { code } = await run.finished;
    expect(code).toBe(143);
    const { X, M899 } = net.statuses();
    expect([X, M899]).toEqual(['0', '9']);
  });
});

needsMount('a disk that is read-only or full (skipped where mount is not permitted)', () => {
  test('STA-10 read-only for a while: nothing starts twice, and the run ends by itself', async () => {
    const disk = createSmallDisk(8);
    const net = createBench(csvOf([['A'], ['B', 'A'], ['C', 'B']]), {
      within: disk.folder,
      jobs: ['B', 'C'],
    });
    const first = net.steered('A');
    const run = net.start('start');
    await first.started();
    disk.makeReadOnly();
    await first.exit(0);
    await run.said('EROFS');
    expect(net.effects()).toEqual(['A']);
    disk.makeWritable();
    const { code, out } = await run.finished;
    expect(`${code}\n${out}`).toMatch(/^0\n/);
    expect(net.effects()).toEqual(['A', 'B', 'C']);
    checkEnd(net, ['A', 'B', 'C']);
  });

  test('full before the start: exit code 4 and why; the file is untouched', () => {
    const disk = createSmallDisk(1);
    const net = createBench(csvOf([['A']]), { within: disk.folder });
    net.script('A', NOTED);
    const before = net.read();
    disk.fill();
    const { code, err } = net.run('start');
    expect([code, net.effects(), net.read()]).toEqual([4, [], before]);
    expect(err).toContain('ENOSPC');
    disk.free();
    expect(net.run('start').code).toBe(0);
  });

  test('read-only before the start: exit code 4 and why', () => {
    const disk = createSmallDisk(1);
    const net = createBench(csvOf([['A']]), { within: disk.folder, jobs: ['A'] });
    disk.makeReadOnly();
    const { code, err } = net.run('start');
    disk.makeWritable();
    expect([code, net.effects()]).toEqual([4, []]);
    expect(err).toContain('EROFS');
    expect(net.run('start').code).toBe(0);
  });
});

test.skipIf(!isOrdinary && !findProgram('setpriv'))(
  "another user's folder: exit code 4 before anything starts, and the state folder is named",
  () => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    const before = net.read();
    chmodSync(net.folder, 0o555);
    onTestFinished(() => chmodSync(net.folder, 0o755));
    const own = [process.execPath, path.resolve('dist/cli/main.js'), 'start', '--lang', 'en'];
    const argv = isOrdinary ? own : [...WITHOUT_PRIVILEGES, ...own];
    const { status, stderr } = spawnSync(argv[0]!, argv.slice(1), { cwd: net.folder, encoding: 'utf8' });
    expect([status, net.effects(), net.read()]).toEqual([4, [], before]);
    expect(stderr).toMatch(/the state folder .* cannot be written \(EACCES\)/);
  },
);
