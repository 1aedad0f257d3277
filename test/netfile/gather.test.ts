import { describe, expect, test } from 'vitest';
import { ENDED, NOON_TEXT, RUNNING } from '../contract/net-file.js';
import { BEGAN, type Rig, createRig as rigThatListens, until } from './rig.js';

const TEXT = 'job,status,stime,etime\na,9,,\nb,9,,\nc,9,,\n';
const AFTER_A = `job,status,stime,etime\na,2,${NOON_TEXT},\nb,9,,\nc,9,,\n`;

/** Without looks at the file, which have times of their own. */
const createRig = (text: string) => rigThatListens(text, { listens: false });

/** A first write is over, and took no time. */
async function afterFirstWrite(): Promise<Rig> {
  const rig = createRig(TEXT);
  rig.netFile.show('a', RUNNING);
  rig.clock.advance(0);
  await until(() => rig.text() === AFTER_A && rig.leftOver().length === 0);
  await rig.flush();
  return rig;
}

/** A write that is due has asked the disk for something, and no answer can have come. */
async function begun(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await null;
}

describe('the first write', () => {
  test('is due at once', () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    expect(rig.clock.dueTimes()).toEqual([BEGAN]);
  });

  test('takes place without a flush', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    rig.clock.advance(0);
    await until(() => rig.text() !== TEXT);
    expect(rig.text()).toBe(AFTER_A);
  });

  test('takes everything along that is shown before it begins', async () => {
    const rig = createRig(TEXT);
    for (const job of ['a', 'b', 'c']) rig.netFile.show(job, RUNNING);
    rig.clock.advance(0);
    await until(() => rig.text() !== TEXT);
    expect(rig.text().match(/,2,/g)).toHaveLength(3);
  });
});

describe('the next write', () => {
  test('is due a second after the last one', async () => {
    const rig = await afterFirstWrite();
    rig.netFile.show('b', RUNNING);
    expect(rig.clock.dueTimes()).toEqual([BEGAN + 1000]);
  });

  test('is due at once when nothing was written for a second', async () => {
    const rig = await afterFirstWrite();
    rig.clock.advance(1000);
    rig.netFile.show('b', RUNNING);
    expect(rig.clock.dueTimes()).toEqual([BEGAN + 1000]);
  });

  test('WAT-06 is one for 500 that were shown meanwhile', async () => {
    const rig = await afterFirstWrite();
    for (let time = 0; time < 500; time++) rig.netFile.show('b', time < 499 ? RUNNING : ENDED);
    expect(rig.clock.dueTimes()).toHaveLength(1);
  });

  test('has the last of 500 cells', async () => {
    const rig = await afterFirstWrite();
    for (let time = 0; time < 500; time++) rig.netFile.show('b', time < 499 ? RUNNING : ENDED);
    rig.clock.advance(1000);
    await until(() => rig.text() !== AFTER_A);
    expect(rig.text()).toContain('b,0,');
  });

  test('is due ten times as long after a slow one as that took', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    rig.clock.advance(0);
    await begun();
    rig.clock.advance(300);
    await rig.flush();
    rig.netFile.show('b', RUNNING);
    expect(rig.clock.dueTimes()).toEqual([BEGAN + 300 + 3000]);
  });

  test('is due a minute later at most', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    rig.clock.advance(0);
    await begun();
    rig.clock.advance(3_600_000);
    await rig.flush();
    rig.netFile.show('b', RUNNING);
    expect(rig.clock.dueTimes()).toEqual([BEGAN + 3_600_000 + 60_000]);
  });

  test('is due a second later at most when the clock is set back', async () => {
    const rig = await afterFirstWrite();
    rig.clock.advance(-3_600_000);
    rig.netFile.show('b', RUNNING);
    expect(rig.clock.dueTimes()).toEqual([BEGAN - 3_600_000 + 1000]);
  });

  test('has what was shown while the last one was going', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    rig.clock.advance(0);
    rig.netFile.show('b', RUNNING);
    await until(() => rig.clock.dueTimes().length > 0);
    rig.clock.advance(1000);
    await until(() => rig.text().includes('b,2,'));
    expect(rig.text()).toContain('a,2,');
  });
});

describe('a flush', () => {
  test('does not wait for the clock', async () => {
    const rig = await afterFirstWrite();
    rig.netFile.show('b', RUNNING);
    await rig.flush();
    expect(rig.text()).toContain('b,2,');
  });

  test('leaves nothing to be done later', async () => {
    const rig = await afterFirstWrite();
    rig.netFile.show('b', RUNNING);
    await rig.flush();
    expect(rig.clock.dueTimes()).toEqual([]);
  });

  test('has in the file what was shown while a write was going', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    rig.clock.advance(0);
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toContain('a,0,');
  });

  test('can be asked for twice at the same time', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    await Promise.all([rig.netFile.flush(), rig.netFile.flush()]);
    expect(rig.text()).toBe(AFTER_A);
  });
});
