/** What keeps our cells out of the file: it is said once, left alone, and over when it is over. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FileEvent } from '../../src/core/words.js';
import { ENDED, RUNNING } from '../contract/net-file.js';
import { createRig, type Rig } from './rig.js';

const TEXT = 'job,status\na,9\nb,9\n';
const BROKEN = 'job,status\n"a,9\nb,9\n';
const RESTORED: FileEvent = { type: 'version', outcome: 'restored' };

/** Long enough for a version that is no net to be refused, and for a try to write. */
const LONG_MS = 10_000;

async function showAndWait(rig: Rig): Promise<void> {
  rig.netFile.show('a', ENDED);
  await rig.pass(LONG_MS);
}

const outcomes = (rig: Rig) =>
  rig.events.map((event) => (event.type === 'version' ? event.outcome : event.type));

describe('a version that is broken', () => {
  test.each([
    ['it does not parse', BROKEN],
    ['it has no column of statuses', 'job,state\na,9\n'],
    ['it is empty', ''],
    ['it has two rows of one name', 'job,status\na,9\na,9\n'],
    ['CSV-05 it is neither UTF-8 nor CP932', Buffer.from('job,status\n\x81\x20\xfd,9\n', 'latin1')],
    ['it is UTF-16', Buffer.from('\ufeffjob,status\na,9\n', 'utf16le')],
  ])('is not written over: %s', async (_, version) => {
    const rig = createRig(TEXT);
    rig.save(version);
    const before = rig.text();
    await showAndWait(rig);
    expect([rig.text(), outcomes(rig)]).toEqual([before, ['refused']]);
  });

  test('is reported with its first problem and how many there are', async () => {
    const rig = createRig(TEXT);
    rig.save('job,status\na,7\nb,8\n');
    await rig.pass(LONG_MS);
    const first = { code: 'status', row: 2, column: 2, value: '7' };
    expect(rig.events).toEqual([{ type: 'version', outcome: 'refused', problems: 2, first }]);
  });

  test('is reported once, however often it is met', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    await showAndWait(rig);
    await showAndWait(rig);
    await showAndWait(rig);
    expect(outcomes(rig)).toEqual(['refused']);
  });

  test('is reported to be over when it is mended, and what is missing is written then', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    await showAndWait(rig);
    rig.save(TEXT);
    await rig.pass(LONG_MS);
    expect([rig.text(), outcomes(rig)]).toEqual(['job,status\na,0\nb,9\n', ['refused', 'restored']]);
  });

  test('is over as well when another version takes its place', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    await showAndWait(rig);
    rig.save('job,status\na,9\nb,9\nc,9\n');
    await rig.pass(LONG_MS);
    expect([rig.text(), rig.versions.length]).toEqual(['job,status\na,0\nb,9\nc,9\n', 1]);
  });

  test('is reported again when it comes again', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    await showAndWait(rig);
    rig.save(TEXT);
    await rig.pass(LONG_MS);
    rig.save(BROKEN);
    await showAndWait(rig);
    expect(outcomes(rig)).toEqual(['refused', 'restored', 'refused']);
  });
});

describe('a file that is gone', () => {
  test('is not made anew', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.file);
    await showAndWait(rig);
    expect([readdirSync(rig.folder), rig.events]).toEqual([
      ['out', 'state'],
      [{ type: 'version', outcome: 'unreadable', code: 'ENOENT' }],
    ]);
  });

  test('is reported to be back, and written then', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.file);
    await showAndWait(rig);
    rig.save(TEXT);
    await rig.pass(LONG_MS);
    expect([rig.text(), rig.events.at(-1)]).toEqual(['job,status\na,0\nb,9\n', RESTORED]);
  });

  test('is nothing to be said when it is back soon, as after a save that removes it first', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.file);
    await rig.pass(1000);
    rig.save(TEXT);
    await rig.pass(LONG_MS);
    expect(rig.events).toEqual([]);
  });

  test('is offered when it is back with other rows', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.file);
    await rig.pass(LONG_MS);
    rig.save('job,status\na,9\nb,9\nc,9\n');
    await rig.pass(LONG_MS);
    expect(rig.versions.map(({ edits }) => edits.added)).toEqual([['c']]);
  });
});

describe('a file that cannot be read', () => {
  /** For every user, the superuser too. */
  function makeUnreadable(rig: Rig): void {
    rmSync(rig.file);
    mkdirSync(rig.file);
  }

  test('is said, and left alone', async () => {
    const rig = createRig(TEXT);
    makeUnreadable(rig);
    await showAndWait(rig);
    expect(rig.events).toEqual([{ type: 'version', outcome: 'unreadable', code: 'EISDIR' }]);
  });

  test('is written when it can be read again', async () => {
    const rig = createRig(TEXT);
    makeUnreadable(rig);
    await showAndWait(rig);
    rmSync(rig.file, { recursive: true });
    rig.save(TEXT);
    await rig.pass(LONG_MS);
    expect([rig.text(), rig.events.at(-1)]).toEqual(['job,status\na,0\nb,9\n', RESTORED]);
  });

  test('is reported to be refused when it is back as it was refused', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    await rig.pass(LONG_MS);
    makeUnreadable(rig);
    await rig.pass(LONG_MS);
    rmSync(rig.file, { recursive: true });
    rig.save(BROKEN);
    await rig.pass(LONG_MS);
    expect(outcomes(rig)).toEqual(['refused', 'unreadable', 'refused']);
  });
});

describe('a folder that cannot be written to', () => {
  test('is reported once and tried again', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.outFolder, { recursive: true });
    await showAndWait(rig);
    await showAndWait(rig);
    expect(rig.events).toEqual([{ type: 'unwritten', code: 'ENOENT' }]);
  });

  test('gets what is missing when it can be written to again', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.outFolder, { recursive: true });
    await showAndWait(rig);
    mkdirSync(rig.outFolder);
    await rig.pass(LONG_MS);
    expect([rig.text(), rig.leftOver(), rig.events.at(-1)]).toEqual([
      'job,status\na,0\nb,9\n',
      [],
      { type: 'written', inPlace: null },
    ]);
  });
});

describe('a flush in trouble', () => {
  test('ends after some tries, with the trouble reported', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    rig.netFile.show('a', ENDED);
    expect([await rig.flush(), outcomes(rig)]).toEqual([false, ['refused']]);
  });

  test('takes one try when it is asked for again without anything new', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    rig.netFile.show('a', ENDED);
    await rig.flush();
    const before = rig.clock.now();
    expect([await rig.flush(), rig.clock.now()]).toEqual([false, before]);
  });

  test('ends although the file is saved all the time', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', ENDED);
    let version = 0;
    const saveAgain = () => {
      rig.save(`job,status,memo\na,9,${++version}\nb,9,\n`);
      rig.clock.after(50, saveAgain);
    };
    saveAgain();
    const before = rig.clock.now();
    expect(await rig.flush()).toBe(false);
    expect(rig.clock.now() - before).toBeLessThan(20_000);
  });

  test('waits for a version that somebody is just saving', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    rig.netFile.show('a', ENDED);
    rig.clock.after(1000, () => rig.save(TEXT));
    expect([await rig.flush(), rig.text()]).toEqual([true, 'job,status\na,0\nb,9\n']);
  });

  test('is followed by the next write as ever', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    rig.netFile.show('a', ENDED);
    await rig.flush();
    rig.save(TEXT);
    rig.netFile.show('b', RUNNING);
    expect([await rig.flush(), rig.text()]).toEqual([true, 'job,status\na,0\nb,2\n']);
  });

  test('is over when the file is closed', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    rig.netFile.show('a', ENDED);
    const flushed = rig.netFile.flush();
    await rig.pass(1000);
    await rig.netFile.close();
    expect(await flushed).toBe(false);
  });
});

describe('what was closed', () => {
  test('has no timer left', async () => {
    const rig = createRig(TEXT);
    rig.save(BROKEN);
    rig.netFile.show('a', ENDED);
    await rig.pass(1000);
    await rig.netFile.close();
    expect(rig.clock.dueTimes()).toEqual([]);
  });

  test('writes nothing that is shown afterwards', async () => {
    const rig = createRig(TEXT);
    await rig.netFile.close();
    rig.netFile.show('a', ENDED);
    await rig.pass(LONG_MS);
    expect([await rig.netFile.flush(), rig.text()]).toEqual([false, TEXT]);
  });
});
