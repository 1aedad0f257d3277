/** Where no events come: the timer alone is enough, and it is said why. */
import { EventEmitter } from 'node:events';
import type fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WatchReason } from '../../src/core/words.js';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { POLL_MS, startWatch, type WatchMode } from '../../src/netfile/watch.js';
import { tempFolder } from '../contract/temp-folder.js';
import { until } from './rig.js';

/** What is watched, and what the system says of the folder. */
const system = vi.hoisted(() => ({
  type: 0xef53,
  watched: [] as { args: unknown[]; emitter: EventEmitter; isClosed: boolean }[],
  refusal: null as Error | null,
}));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const watch = (...args: unknown[]) => {
    if (system.refusal) throw system.refusal;
    const one = { args, emitter: new EventEmitter(), isClosed: false };
    system.watched.push(one);
    const close = () => {
      one.isClosed = true;
    };
    return Object.assign(one.emitter, { close });
  };
  return { ...real, watch, statfsSync: () => ({ type: system.type }) };
});

beforeEach(() => {
  system.type = 0xef53;
  system.watched.length = 0;
  system.refusal = null;
});

function watching(mode: WatchMode = 'auto') {
  const folder = tempFolder();
  const clock = createFakeClock();
  const modes: ['events' | 'polling', WatchReason][] = [];
  let hints = 0;
  const watch = startWatch({
    file: path.join(folder, 'jobnet.csv'),
    mode,
    clock,
    onHint: () => hints++,
    onMode: (now, why) => modes.push([now, why]),
  });
  onTestFinished(() => watch.close());
  /** Looks in so many turns of the timer. */
  const looks = (turns: number) => {
    const before = hints;
    clock.advance(turns * POLL_MS);
    return hints - before;
  };
  return { folder, modes, looks };
}

describe('WAT-04 a folder without events', () => {
  test.each([
    ['NFS', 0x6969],
    ['SMB2', 0xfe534d42],
    ['FUSE', 0x65735546],
    ['9P', 0x01021997],
  ])('is looked at every 2 s, without being asked to, and that is said: %s', (fileSystem, type) => {
    system.type = type;
    const { modes, looks } = watching();
    expect(modes).toEqual([['polling', { kind: 'network', fileSystem }]]);
    expect([POLL_MS, looks(5), system.watched]).toEqual([2000, 5, []]);
  });

  test('is looked at every 2 s when that is asked for', () => {
    const { modes, looks } = watching('poll');
    expect([modes, looks(5), system.watched]).toEqual([[['polling', { kind: 'asked' }]], 5, []]);
  });

  test('that does not say so is looked at as often, beside its events', async () => {
    const { looks } = watching();
    await until(() => system.watched.length === 1);
    expect(looks(5)).toBe(5);
  });
});

describe('WAT-05 the limit of watches', () => {
  const NO_SPACE = new Error('ENOSPC: System limit for number of file watchers reached');
  const POLLING = ['polling', { kind: 'failed', message: NO_SPACE.message }];

  test('is reported at once: the timer is all, and that is said', async () => {
    system.refusal = NO_SPACE;
    const { modes, looks } = watching();
    await until(() => modes.length > 0);
    expect([modes, looks(5)]).toEqual([[POLLING], 5]);
  });

  test('is reported as an event a while later: from then on the timer is all, and that is said', async () => {
    const { modes, looks } = watching();
    await until(() => system.watched.length === 1);
    const [watched] = system.watched;
    looks(1);
    watched!.emitter.emit('error', NO_SPACE);
    expect(modes).toEqual([['events', { kind: 'local' }], POLLING]);
    expect([watched!.isClosed, looks(5)]).toEqual([true, 5]);
  });

  test('may be reported again and again', async () => {
    const { looks } = watching();
    await until(() => system.watched.length === 1);
    for (let error = 0; error < 3; error++) system.watched[0]!.emitter.emit('error', NO_SPACE);
    expect(looks(5)).toBe(5);
  });

  test('is spared: one folder is watched, never a tree', async () => {
    const { folder } = watching();
    await until(() => system.watched.length === 1);
    expect(system.watched.map(({ args }) => args)).toEqual([[folder, expect.any(Function)]]);
  });
});
