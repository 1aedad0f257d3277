/** Whoever had opened the file before we replaced it writes into the old one: the edit takes effect, exactly once. */
import { closeSync, ftruncateSync, openSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cells } from '../../src/core/project.js';
import { createStrays } from '../../src/netfile/strays.js';
import { ENDED, LATER, LATER_TEXT, NOON, NOON_TEXT, RUNNING } from '../contract/net-file.js';
import { createRig, type Rig, sheetIn } from './rig.js';

const TEXT = 'job,status,stime,etime,memo\na,9,,,\nb,9,,,\nc,9,,,\n';
const NOT_RUN: Cells = { status: '9', startedAt: null, endedAt: null };
const ABENDED: Cells = { status: '1', startedAt: NOON, endedAt: LATER };
const TIMES = `${NOON_TEXT},${LATER_TEXT}`;
const KEPT_MS = 5000;

function show(rig: Rig, job: string, cells: Cells): void {
  rig.now.set(job, cells);
  rig.netFile.show(job, cells);
}

/** A file in which `a` has abended, opened by somebody, and then replaced as `b` has started. */
async function opened(): Promise<{ rig: Rig; old: string; write: (text: string) => void }> {
  const rig = createRig(TEXT);
  for (const job of ['b', 'c']) show(rig, job, NOT_RUN);
  show(rig, 'a', ABENDED);
  await rig.pass(10_000);
  const old = rig.text();
  const fd = openSync(rig.file, 'r+');
  onTestFinished(() => closeSync(fd));
  show(rig, 'b', RUNNING);
  await rig.pass(100);
  return {
    rig,
    old,
    write: (text) => {
      writeSync(fd, text, 0);
      ftruncateSync(fd, Buffer.byteLength(text));
    },
  };
}

const rowsOf = (rig: Rig) => rig.versions.map(({ edits }) => edits.rows);

describe('an edit of a status that went astray', () => {
  test('is offered, against what its writer had seen', async () => {
    const { rig, old, write } = await opened();
    write(old.replace('a,1', 'a,0'));
    await rig.pass(5000);
    expect(rowsOf(rig)).toEqual([[{ job: 'a', from: '1', to: '0', times: 'kept' }]]);
  });

  test('is in the file afterwards, and what we had written as well', async () => {
    const { rig, old, write } = await opened();
    rig.obey('a', ENDED);
    write(old.replace('a,1', 'a,0'));
    await rig.pass(5000);
    expect(rig.text()).toBe(`job,status,stime,etime,memo\na,0,${TIMES},\nb,2,${NOON_TEXT},,\nc,9,,,\n`);
  });

  test('has its effect once, however long nothing else happens', async () => {
    const { rig, old, write } = await opened();
    rig.obey('a', ENDED);
    write(old.replace('a,1', 'a,0'));
    await rig.pass(600_000);
    expect(rig.versions).toHaveLength(1);
  });

  test('has its effect once when its writer saves the same again by name', async () => {
    const { rig, old, write } = await opened();
    rig.obey('a', ENDED);
    const edited = old.replace('a,1', 'a,0');
    write(edited);
    await rig.pass(5000);
    rig.save(edited);
    await rig.pass(5000);
    expect(
      rowsOf(rig)
        .flat()
        .filter(({ job }) => job === 'a'),
    ).toHaveLength(1);
  });

  test('is stale where we had changed the very row: what its writer saw is not the state any more', async () => {
    const { rig, old, write } = await opened();
    write(old.replace('b,9', 'b,0'));
    await rig.pass(5000);
    expect(rowsOf(rig)).toEqual([[{ job: 'b', from: '9', to: '0', times: 'kept' }]]);
    expect(rig.text()).toContain(`b,2,${NOON_TEXT},,`);
  });

  test('is not in the last good version before it is in the file', async () => {
    const { rig, old, write } = await opened();
    rig.hangDisk();
    write(old.replace('a,1', 'a,0'));
    await rig.pass(5000);
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(rig.lastGood, 'utf8')).toContain('a,1');
  });
});

describe('another edit that went astray', () => {
  test('of a memo gets into the file', async () => {
    const { rig, old, write } = await opened();
    write(old.replace('c,9,,,', 'c,9,,,mine'));
    await rig.pass(5000);
    expect(rig.text()).toBe(`job,status,stime,etime,memo\na,1,${TIMES},\nb,2,${NOON_TEXT},,\nc,9,,,mine\n`);
  });

  test('takes away nothing that somebody else has saved meanwhile', async () => {
    const { rig, old, write } = await opened();
    rig.saveByRename(rig.text().replace('c,9,,,', 'c,9,,,theirs'));
    await rig.pass(1000);
    write(old.replace(`a,1,${TIMES},`, `a,1,${TIMES},mine`));
    await rig.pass(5000);
    expect(rig.text()).toBe(
      `job,status,stime,etime,memo\na,1,${TIMES},mine\nb,2,${NOON_TEXT},,\nc,9,,,theirs\n`,
    );
  });

  test('of rows gets into the file as a whole', async () => {
    const { rig, old, write } = await opened();
    write(`${old}d,9,,,new\n`);
    await rig.pass(5000);
    expect([rig.versions[0]?.edits.added, rig.text()]).toEqual([
      ['d'],
      `job,status,stime,etime,memo\na,1,${TIMES},\nb,2,${NOON_TEXT},,\nc,9,,,\nd,9,,,new\n`,
    ]);
  });

  test('is not lost when somebody saves the file before it is written', async () => {
    const { rig, old, write } = await opened();
    write(old.replace('c,9,,,', 'c,9,,,mine'));
    await rig.pass(1800);
    rig.saveByRename(rig.text().replace(`b,2,${NOON_TEXT},,`, `b,2,${NOON_TEXT},,theirs`));
    await rig.pass(5000);
    expect(rig.text()).toBe(
      `job,status,stime,etime,memo\na,1,${TIMES},\nb,2,${NOON_TEXT},,theirs\nc,9,,,mine\n`,
    );
  });
});

describe('a writer into the old file', () => {
  test('may take its time: cut off and whole again', async () => {
    const { rig, old, write } = await opened();
    write('');
    await rig.pass(1000);
    write(old.slice(0, 50));
    await rig.pass(1500);
    write(old.replace('a,1', 'a,0'));
    await rig.pass(5000);
    expect([rowsOf(rig).flat().length, rig.events]).toEqual([1, []]);
  });

  test('may write several times', async () => {
    const { rig, old, write } = await opened();
    rig.obey('a', ENDED);
    write(old.replace('a,1', 'a,0'));
    await rig.pass(4000);
    write(old.replace('a,1', 'a,0').replace('c,9', 'c,0'));
    await rig.pass(4000);
    expect(rowsOf(rig).map((rows) => rows.map(({ job }) => job))).toEqual([['a'], ['c']]);
  });

  test('of one of the last files is seen, although we have written since', async () => {
    const { rig, old, write } = await opened();
    for (const cells of [RUNNING, ENDED, NOT_RUN]) {
      show(rig, 'c', cells);
      await rig.pass(1000);
    }
    write(old.replace('a,1', 'a,0'));
    await rig.pass(5000);
    expect(rowsOf(rig)).toEqual([[{ job: 'a', from: '1', to: '0', times: 'kept' }]]);
  });

  test('that leaves no net behind is said nothing of', async () => {
    const { rig, write } = await opened();
    write('"');
    await rig.pass(20_000);
    expect([rig.versions, rig.events]).toEqual([[], []]);
  });

  test('that never ends is given up', async () => {
    const { rig, old, write } = await opened();
    for (let second = 0; second < 120; second++) {
      write(old.replace('c,9,,,', `c,9,,,${second}`));
      await rig.pass(1000);
    }
    expect(openFilesIn(rig)).toEqual([]);
  });

  test('that comes too late is not waited for', async () => {
    const { rig, old, write } = await opened();
    await rig.pass(KEPT_MS * 3);
    write(old.replace('a,1', 'a,0'));
    await rig.pass(KEPT_MS);
    expect(rig.versions).toEqual([]);
  });
});

describe('files that were replaced', () => {
  test('are let go of when nobody writes into them', async () => {
    const { rig } = await opened();
    await rig.pass(KEPT_MS * 3);
    expect(openFilesIn(rig)).toEqual([]);
  });

  test('are let go of although the clock is set back', async () => {
    const rig = createRig(TEXT, { listens: false });
    const strays = createStrays({ now: () => null, began: '' });
    const opened = await strays.open(rig.file, sheetIn(TEXT));
    await opened.keep(10_000_000);
    await strays.look(1_000_000);
    await strays.look(1_000_000 + KEPT_MS + 1);
    expect(openFilesIn(rig, 0)).toEqual([]);
  });

  test('are eight at most, however often we write', async () => {
    const { rig } = await opened();
    for (let time = 0; time < 20; time++) {
      show(rig, 'c', time % 2 ? RUNNING : ENDED);
      await rig.flush();
    }
    expect(openFilesIn(rig).length).toBeLessThanOrEqual(8);
  });

  test('are let go of at the end', async () => {
    const { rig } = await opened();
    await rig.netFile.close();
    expect(openFilesIn(rig)).toEqual([]);
  });

  test('cost nothing where a write needs no replacement', async () => {
    const rig = createRig(TEXT, { hasOutFolder: false });
    show(rig, 'a', ABENDED);
    await rig.pass(100);
    expect(openFilesIn(rig, 0)).toEqual([]);
  });
});

/** Linux: what this process has open of a test's folder, but for the test's own; elsewhere nothing can be told. */
function openFilesIn(rig: Rig, own = 1): string[] {
  if (process.platform !== 'linux') return [];
  const names = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return names.filter((name) => name.startsWith(rig.folder)).slice(own);
}
