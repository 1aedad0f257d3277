/** Versions of others, from the file to the run and back: offered once, never lost, repaired where they are stale. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Cells } from '../../src/core/project.js';
import type { RowEdit } from '../../src/core/words.js';
import { ENDED, LATER, LATER_TEXT, NOON, NOON_TEXT, RUNNING } from '../contract/net-file.js';
import { createRig, type Rig } from './rig.js';

const TEXT = 'job,status,stime,etime,memo\na,9,,,\nb,9,,,\nc,9,,,\n';
const NOT_RUN: Cells = { status: '9', startedAt: null, endedAt: null };
const ABENDED: Cells = { status: '1', startedAt: NOON, endedAt: LATER };
const TIMES = `${NOON_TEXT},${LATER_TEXT}`;

/** Longer than anything that is waited for. */
const LONG_MS = 10_000;

function show(rig: Rig, job: string, cells: Cells): void {
  rig.now.set(job, cells);
  rig.netFile.show(job, cells);
}

/** All jobs were shown as not run, and then one more. */
async function withJob(job: string, cells: Cells): Promise<Rig> {
  const rig = createRig(TEXT);
  for (const one of ['a', 'b', 'c']) show(rig, one, NOT_RUN);
  show(rig, job, cells);
  await rig.pass(LONG_MS);
  return rig;
}

const rowsOf = (rig: Rig): RowEdit[][] => rig.versions.map(({ edits }) => [...edits.rows]);

describe('an edit', () => {
  test.each(['save', 'saveByRename'] as const)('is offered once: %s', async (way) => {
    const rig = await withJob('a', ABENDED);
    rig[way](rig.text().replace('a,1', 'a,0'));
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)).toEqual([[{ job: 'a', from: '1', to: '0', times: 'kept' }]]);
  });

  test('WAT-07 is seen although size and time of the file are as before', async () => {
    const rig = await withJob('a', ABENDED);
    const { utimesSync, statSync } = await import('node:fs');
    const { atime, mtime } = statSync(rig.file);
    rig.save(rig.text().replace('a,1', 'a,0'));
    utimesSync(rig.file, atime, mtime);
    await rig.pass(LONG_MS);
    expect(rig.versions).toHaveLength(1);
  });

  test('that is taken is not written over by what was shown before', async () => {
    const rig = await withJob('a', ABENDED);
    rig.hangDisk();
    rig.save(rig.text().replace('a,1', 'a,0'));
    rig.netFile.show('a', ABENDED);
    await rig.pass(LONG_MS);
    expect(rig.text()).toContain(`a,0,${TIMES}`);
  });

  test('is followed by what it comes to, when that is on record', async () => {
    const rig = await withJob('a', ABENDED);
    rig.obey('a', NOT_RUN);
    rig.save(rig.text().replace('a,1', 'a,9'));
    await rig.pass(LONG_MS);
    expect(rig.text()).toContain('a,9,,,');
  });

  test('that is not obeyed is put back', async () => {
    const rig = await withJob('a', RUNNING);
    rig.save(rig.text().replace('a,2', 'a,0'));
    await rig.pass(LONG_MS);
    expect(rig.text()).toContain(`a,2,${NOON_TEXT},,`);
  });

  test('of a memo survives the next write', async () => {
    const rig = await withJob('a', RUNNING);
    rig.save(rig.text().replace('b,9,,,', 'b,9,,,mine'));
    show(rig, 'a', ENDED);
    await rig.pass(LONG_MS);
    expect(rig.text()).toBe(`job,status,stime,etime,memo\na,0,${TIMES},\nb,9,,,mine\nc,9,,,\n`);
  });
});

describe('WAT-06 nothing is offered', () => {
  test('of what we have written ourselves', async () => {
    const rig = await withJob('a', ABENDED);
    show(rig, 'b', ENDED);
    await rig.pass(LONG_MS);
    expect(rig.versions).toEqual([]);
  });

  test('of an identical rewrite', async () => {
    const rig = await withJob('a', ABENDED);
    rig.saveByRename(rig.text());
    await rig.pass(LONG_MS);
    expect(rig.versions).toEqual([]);
  });

  test('of a version that was gone before it had stayed', async () => {
    const rig = await withJob('a', ABENDED);
    const before = rig.text();
    rig.save('');
    await rig.pass(50);
    rig.save(before);
    await rig.pass(LONG_MS);
    expect([rig.versions, rig.events]).toEqual([[], []]);
  });
});

describe('a row that says what it has said before in this run', () => {
  test('is stale although its times are kept: settled by hand, and back from an older copy', async () => {
    const rig = await withJob('a', ABENDED);
    const old = rig.text();
    rig.obey('a', ENDED);
    rig.save(old.replace('a,1', 'a,0'));
    await rig.pass(LONG_MS);
    rig.save(old);
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)[1]).toEqual([{ job: 'a', from: '0', to: '1', times: 'other' }]);
    expect(rig.text()).toContain(`a,0,${TIMES}`);
  });

  test('is stale although it looks like a start by hand: rerun, and back from an older copy', async () => {
    const rig = await withJob('a', ABENDED);
    const old = rig.text();
    rig.obey('a', NOT_RUN);
    rig.save(old.replace('a,1', 'a,9'));
    await rig.pass(LONG_MS);
    rig.save(old);
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)[1]).toEqual([{ job: 'a', from: '9', to: '1', times: 'other' }]);
  });

  test('is stale when an attempt within the same minute followed it', async () => {
    const rig = await withJob('a', ABENDED);
    const edited = rig.text().replace('a,1', 'a,9');
    rig.obey('a', { status: '0', startedAt: NOON + 2000, endedAt: LATER + 2000 });
    rig.save(edited);
    await rig.pass(LONG_MS);
    rig.save(edited);
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)[1]).toEqual([{ job: 'a', from: '0', to: '9', times: 'other' }]);
    expect(rig.text()).toContain('a,0,2026/11/30 12:00:02,2026/11/30 12:01:02,');
  });

  test('is stale when an attempt that ended within the same second followed it', async () => {
    const rig = await withJob('a', ENDED);
    const edited = rig.text().replace('a,0', 'a,9');
    rig.obey('a', ENDED);
    rig.save(edited);
    await rig.pass(LONG_MS);
    rig.save(edited);
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)[1]).toEqual([{ job: 'a', from: '0', to: '9', times: 'other' }]);
    expect(rig.text()).toContain(`a,0,${TIMES}`);
  });

  test('is no proof either when it has no times', async () => {
    const rig = await withJob('a', NOT_RUN);
    const old = rig.text();
    rig.obey('a', { status: '0', startedAt: null, endedAt: null });
    rig.save(old.replace('a,9', 'a,0'));
    await rig.pass(LONG_MS);
    rig.save(old);
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)[1]).toEqual([{ job: 'a', from: '0', to: '9', times: 'cleared' }]);
  });
});

describe('times', () => {
  test('CSV-09 that a spreadsheet has written its own way are left alone', async () => {
    const rig = await withJob('a', ENDED);
    const reformatted = rig.text().replace(TIMES, '2026/11/30 12:00,2026/11/30 12:01');
    rig.save(reformatted);
    await rig.pass(LONG_MS);
    expect([rig.text(), rowsOf(rig)]).toEqual([reformatted, [[]]]);
  });

  test('CSV-09 are exact again when their row is written next', async () => {
    const rig = await withJob('a', ENDED);
    rig.save(rig.text().replace(TIMES, '2026/11/30 12:00,2026/11/30 12:01'));
    await rig.pass(LONG_MS);
    show(rig, 'a', { ...ENDED, status: '1' });
    await rig.pass(LONG_MS);
    expect(rig.text()).toContain(`a,1,${TIMES}`);
  });

  test.each(['1月2日', '46024.13', 'hello', '2026/02/30 25:61'])(
    'CSV-09 that say nothing are put back: %s',
    async (cell) => {
      const rig = await withJob('a', ENDED);
      rig.save(rig.text().replace(LATER_TEXT, cell));
      await rig.pass(LONG_MS);
      expect(rig.text()).toContain(TIMES);
    },
  );

  test('of another attempt are put back, although the status is the same', async () => {
    const rig = await withJob('a', ENDED);
    rig.save(rig.text().replace(LATER_TEXT, '2026/11/30 12:01:30'));
    await rig.pass(LONG_MS);
    expect(rig.text()).toContain(TIMES);
  });

  test('of an earlier attempt are put back, although they look like ours without their seconds', async () => {
    const rig = await withJob('a', ENDED);
    const copy = rig.text();
    show(rig, 'a', { ...ENDED, startedAt: NOON + 20_000, endedAt: LATER + 20_000 });
    await rig.pass(LONG_MS);
    const known = rig.text();
    rig.save(copy);
    await rig.pass(LONG_MS);
    expect([rig.text(), rowsOf(rig)]).toEqual([known, [[]]]);
  });

  test('of a job that runs are put back, and offered as an edit', async () => {
    const rig = await withJob('a', RUNNING);
    rig.save(rig.text().replace(NOON_TEXT, '2026/11/30 11:00:00'));
    await rig.pass(LONG_MS);
    expect([rowsOf(rig), rig.text().includes(`a,2,${NOON_TEXT},,`)]).toEqual([
      [[{ job: 'a', from: '2', to: '2', times: 'other' }]],
      true,
    ]);
  });

  test('of what was started outside are its own', async () => {
    const rig = await withJob('a', { status: '2', startedAt: undefined, endedAt: undefined });
    rig.save(rig.text().replace('a,2,,', 'a,2,2026/11/30 13:00:00,'));
    await rig.pass(LONG_MS);
    expect([rowsOf(rig), rig.text().includes('a,2,2026/11/30 13:00:00,')]).toEqual([[[]], true]);
  });
});

describe('rows', () => {
  test('that are new are offered, and say 9 whatever they said', async () => {
    const rig = await withJob('a', ENDED);
    rig.save(`${rig.text()}d,0,x,y,new\n`);
    await rig.pass(LONG_MS);
    expect([rig.versions[0]?.edits.added, rig.text().includes('d,9,,,new')]).toEqual([['d'], true]);
  });

  test('that are back get what was shown meanwhile, without a further event', async () => {
    const rig = await withJob('a', RUNNING);
    const whole = rig.text();
    rig.save(whole.replace(/^a,.*\n/m, ''));
    await rig.pass(LONG_MS);
    show(rig, 'a', ENDED);
    await rig.pass(LONG_MS);
    rig.save(whole);
    await rig.pass(LONG_MS);
    expect(rig.text()).toContain(`a,0,${TIMES}`);
  });

  test('that are back with another status are an edit of what the run knows', async () => {
    const rig = await withJob('a', ABENDED);
    const whole = rig.text();
    rig.save(whole.replace(/^a,.*\n/m, ''));
    await rig.pass(LONG_MS);
    rig.save(whole.replace('a,1', 'a,0'));
    await rig.pass(LONG_MS);
    expect(rowsOf(rig)[1]).toEqual([{ job: 'a', from: '1', to: '0', times: 'kept' }]);
  });
});

describe('a version that is held', () => {
  async function withHeld(): Promise<{ rig: Rig; version: string }> {
    const rig = await withJob('a', ABENDED);
    rig.answer('held');
    const version = rig
      .text()
      .replace('a,1', 'a,0')
      .replace(/^c.*\n/m, '');
    rig.save(version);
    await rig.pass(LONG_MS);
    return { rig, version };
  }

  test('is offered once and not again by itself', async () => {
    const { rig } = await withHeld();
    await rig.pass(LONG_MS);
    expect(rig.versions).toHaveLength(1);
  });

  test('is not written over', async () => {
    const { rig, version } = await withHeld();
    show(rig, 'b', ENDED);
    await rig.pass(LONG_MS);
    expect(rig.text()).toBe(version);
  });

  test('keeps a flush from ending well', async () => {
    const { rig } = await withHeld();
    show(rig, 'b', ENDED);
    expect(await rig.flush()).toBe(false);
  });

  test('is offered as accepted when a person accepts it, and written then', async () => {
    const { rig, version } = await withHeld();
    show(rig, 'b', ENDED);
    rig.obey('a', ENDED);
    await rig.accept();
    await rig.pass(LONG_MS);
    expect([rig.versions[1]?.isAccepted, rig.text()]).toEqual([
      true,
      version.replace('b,9,,', `b,0,${TIMES}`),
    ]);
  });

  test('is offered with what it changes by then, not by the time it was held', async () => {
    const { rig } = await withHeld();
    rig.now.set('a', ENDED);
    await rig.accept();
    expect(rowsOf(rig)[1]).toEqual([]);
  });

  test('is not offered when it is gone from the file by then', async () => {
    const { rig } = await withHeld();
    rig.save(TEXT);
    await rig.accept();
    expect(rig.versions.filter(({ isAccepted }) => isAccepted)).toEqual([]);
  });

  test('is forgotten when the known one is put back, and what was shown meanwhile is written', async () => {
    const { rig, version } = await withHeld();
    const before = version.replace('a,0', 'a,1').concat('c,9,,,\n');
    show(rig, 'b', ENDED);
    rig.save(before);
    await rig.pass(LONG_MS);
    await rig.accept();
    expect([rig.versions.length, rig.events.at(-1), rig.text()]).toEqual([
      1,
      { type: 'version', outcome: 'restored' },
      before.replace('b,9,,', `b,0,${TIMES}`),
    ]);
  });

  test('gives way to another version', async () => {
    const { rig, version } = await withHeld();
    rig.answer('taken');
    rig.save(`${version}c,9,,,\n`);
    await rig.pass(LONG_MS);
    expect([rig.versions.length, rig.versions[1]?.edits.removed]).toEqual([2, []]);
  });
});

describe('a version that comes when the run is over', () => {
  test('keeps its edits in the file for the next one, beside our last cells', async () => {
    const rig = await withJob('a', ABENDED);
    rig.answer('late');
    rig.netFile.show('b', ENDED);
    rig.save(rig.text().replace('a,1', 'a,0'));
    await rig.flush();
    expect(rig.text()).toBe(`job,status,stime,etime,memo\na,0,${TIMES},\nb,0,${TIMES},\nc,9,,,\n`);
  });

  test('is not what differs are measured against', async () => {
    const rig = await withJob('a', ABENDED);
    rig.answer('late');
    rig.netFile.show('b', ENDED);
    rig.save(rig.text().replace('a,1', 'a,0'));
    await rig.flush();
    expect(readFileSync(rig.lastGood, 'utf8')).toBe(
      `job,status,stime,etime,memo\na,1,${TIMES},\nb,0,${TIMES},\nc,9,,,\n`,
    );
  });
});

describe('the last good version', () => {
  const lastGood = (rig: Rig) => readFileSync(rig.lastGood, 'utf8');

  test('is what was written last', async () => {
    const rig = await withJob('a', ABENDED);
    expect(lastGood(rig)).toBe(rig.text());
  });

  test('is what was taken last', async () => {
    const rig = await withJob('a', ABENDED);
    rig.save(rig.text().replace('b,9,,,', 'b,9,,,mine'));
    await rig.pass(LONG_MS);
    expect(lastGood(rig)).toContain('mine');
  });

  test('does not have an edit before it is on record: after a crash it is an edit still', async () => {
    const rig = await withJob('a', ABENDED);
    rig.hangDisk();
    rig.save(rig.text().replace('a,1', 'a,0'));
    await rig.pass(LONG_MS);
    expect(lastGood(rig)).toContain('a,1');
  });

  test('has it as soon as it is', async () => {
    const rig = await withJob('a', ABENDED);
    rig.hangDisk();
    rig.save(rig.text().replace('a,1', 'a,0'));
    await rig.pass(LONG_MS);
    rig.now.set('a', ENDED);
    rig.record();
    expect(lastGood(rig)).toContain('a,0');
  });

  test('does not have it by a write of other rows either', async () => {
    const rig = await withJob('a', ABENDED);
    rig.hangDisk();
    rig.save(rig.text().replace('a,1', 'a,0'));
    await rig.pass(LONG_MS);
    show(rig, 'b', ENDED);
    await rig.pass(LONG_MS);
    expect([lastGood(rig).includes('a,1'), rig.text().includes('a,0')]).toEqual([true, true]);
  });

  test('that cannot be kept troubles nobody', async () => {
    const rig = await withJob('a', ABENDED);
    const { mkdirSync, rmSync } = await import('node:fs');
    rmSync(rig.lastGood);
    mkdirSync(rig.lastGood);
    show(rig, 'b', ENDED);
    await rig.pass(LONG_MS);
    expect([rig.text().includes('b,0'), rig.events]).toEqual([true, []]);
  });
});

describe('a refused version', () => {
  test('costs no work but a look now and then', async () => {
    const rig = await withJob('a', RUNNING);
    rig.save('"');
    show(rig, 'a', ENDED);
    await rig.pass(LONG_MS);
    const due = rig.clock.dueTimes().map((at) => at - rig.clock.now());
    expect([due.length, due[0]! > 100]).toEqual([1, true]);
  });
});
