import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENDED, RUNNING } from '../contract/net-file.js';
import { createRig, type Rig, until } from './rig.js';

const TEXT = 'job,status\na,9\nb,9\n';
const BROKEN = 'job,status\n"a,9\nb,9\n';

/** Shows a job, lets its write take place, and waits until it is over and its next try is set. */
async function tryToWrite(rig: Rig): Promise<void> {
  rig.netFile.show('a', ENDED);
  rig.clock.advance(60_000);
  await until(() => rig.clock.dueTimes().length > 0);
}

/** The next try is due; waits until it has succeeded. */
async function tryAgain(rig: Rig): Promise<void> {
  rig.clock.advance(60_000);
  await until(() => rig.troubles.includes(null));
}

describe('a version that is broken', () => {
  test.each([
    ['it does not parse', BROKEN],
    ['it has no column of statuses', 'job,state\na,9\n'],
    ['it is empty', ''],
    ['it is not UTF-8', Buffer.from('job,status\n\x93\xfa\x8e\x9f,9\n', 'latin1')],
  ])('is not written over: %s', async (_, version) => {
    const rig = createRig(TEXT);
    writeFileSync(rig.file, version);
    const before = rig.text();
    await tryToWrite(rig);
    expect([rig.text(), rig.troubles]).toEqual([before, [{ kind: 'broken' }]]);
  });

  test('is reported once, however often it is met', async () => {
    const rig = createRig(BROKEN);
    await tryToWrite(rig);
    await tryToWrite(rig);
    await tryToWrite(rig);
    expect(rig.troubles).toEqual([{ kind: 'broken' }]);
  });

  test('is reported to be over when it is mended, and what is missing is written then', async () => {
    const rig = createRig(BROKEN);
    await tryToWrite(rig);
    rig.save(TEXT);
    await tryAgain(rig);
    expect([rig.text(), rig.troubles]).toEqual(['job,status\na,0\nb,9\n', [{ kind: 'broken' }, null]]);
  });

  test('is reported again when it comes again', async () => {
    const rig = createRig(BROKEN);
    await tryToWrite(rig);
    rig.save(TEXT);
    await tryAgain(rig);
    rig.save(BROKEN);
    await tryToWrite(rig);
    expect(rig.troubles).toEqual([{ kind: 'broken' }, null, { kind: 'broken' }]);
  });
});

describe('a file that is gone', () => {
  test('is not made anew', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.file);
    await tryToWrite(rig);
    expect([readdirSync(rig.folder), rig.troubles]).toEqual([
      ['out'],
      [{ kind: 'unreadable', code: 'ENOENT' }],
    ]);
  });

  test('is written when it is back', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.file);
    await tryToWrite(rig);
    rig.save(TEXT);
    await tryAgain(rig);
    expect(rig.text()).toBe('job,status\na,0\nb,9\n');
  });
});

describe('a folder that cannot be written to', () => {
  test('is reported once and tried again', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.outFolder, { recursive: true });
    await tryToWrite(rig);
    await tryToWrite(rig);
    expect(rig.troubles).toEqual([{ kind: 'unwritable', code: 'ENOENT' }]);
  });

  test('gets what is missing when it can be written to again', async () => {
    const rig = createRig(TEXT);
    rmSync(rig.outFolder, { recursive: true });
    await tryToWrite(rig);
    mkdirSync(rig.outFolder);
    await tryAgain(rig);
    expect([rig.text(), rig.leftOver()]).toEqual(['job,status\na,0\nb,9\n', []]);
  });
});

describe('a flush in trouble', () => {
  /** Lets a flush make its tries, a gap apart. */
  async function flushTrying(rig: Rig): Promise<void> {
    let isOver = false;
    const flushed = rig.netFile.flush().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      rig.clock.advance(1000);
      await new Promise(setImmediate);
    }
    await flushed;
  }

  test('ends after some tries, with the trouble reported', async () => {
    const rig = createRig(BROKEN);
    rig.netFile.show('a', ENDED);
    await flushTrying(rig);
    expect(rig.troubles).toEqual([{ kind: 'broken' }]);
  });

  test('leaves no try behind that nobody waits for', async () => {
    const rig = createRig(BROKEN);
    rig.netFile.show('a', ENDED);
    await flushTrying(rig);
    expect(rig.clock.dueTimes()).toEqual([]);
  });

  test('waits for a version that somebody is just saving', async () => {
    const rig = createRig(BROKEN);
    rig.netFile.show('a', ENDED);
    const flushed = rig.netFile.flush();
    await until(() => rig.troubles.length > 0);
    rig.save(TEXT);
    await until(() => rig.clock.dueTimes().length > 0);
    rig.clock.advance(1000);
    await flushed;
    expect(rig.text()).toBe('job,status\na,0\nb,9\n');
  });

  test('is followed by the next write as ever', async () => {
    const rig = createRig(BROKEN);
    rig.netFile.show('a', ENDED);
    await flushTrying(rig);
    rig.save(TEXT);
    rig.netFile.show('b', RUNNING);
    await rig.netFile.flush();
    expect(rig.text()).toBe('job,status\na,0\nb,2\n');
  });
});
