import { chmodSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createInspector } from '../../src/executor/inspect.js';
import { GOOD, NO_COMMANDS, net, refused } from './inspect-rig.js';
import { script, tempFolder } from './support.js';

describe('a folder that is gone is a shortage, not the fault of the job:', () => {
  test('the folder of the net', () => {
    const { folder, file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    rmSync(folder, { recursive: true });
    expect(inspect()).toEqual({ kind: 'shortage', shortage: { kind: 'folder-gone', path: folder } });
  });

  test('the folder of the net, for a job with a command', () => {
    const folder = tempFolder();
    const inspector = createInspector(folder, new Map([['J', 'exit 0']]));
    rmSync(folder, { recursive: true });
    expect(inspector.inspect('J')).toMatchObject({ kind: 'shortage', shortage: { path: folder } });
  });

  test('jobs/, after it was there', () => {
    const { file, inspect } = net();
    renameSync(file('jobs'), file('jobs.away'));
    expect(inspect()).toEqual({ kind: 'shortage', shortage: { kind: 'folder-gone', path: file('jobs') } });
  });

  test('jobs/, until it is back', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    renameSync(file('jobs'), file('jobs.away'));
    inspect();
    renameSync(file('jobs.away'), file('jobs'));
    expect(inspect().kind).toBe('startable');
  });

  test('but a jobs/ that never was is not missed', () => {
    const inspector = createInspector(tempFolder(), NO_COMMANDS);
    expect(inspector.inspect('J')).toMatchObject(refused({ kind: 'missing', paths: ['./jobs/J', './J'] }));
  });
});

describe('the version of a script that is in place', () => {
  function placed() {
    const { folder, file } = net();
    const own = script(file('jobs', 'J'), GOOD);
    const inspector = createInspector(folder, new Map([['C', 'exit 0']]));
    const look = inspector.inspect('J') as { script: string };
    return { file, own, script: look.script, versionOf: inspector.versionOf };
  }

  test('is that of the look before, as long as nobody changes it', () => {
    const { script, versionOf } = placed();
    expect(versionOf('J')).toBe(script);
  });

  test('is null when it is gone', () => {
    const { own, versionOf } = placed();
    rmSync(own);
    expect(versionOf('J')).toBeNull();
  });

  test('is not known when the whole folder is gone, or it cannot be looked at', () => {
    const { file, versionOf } = placed();
    renameSync(file('jobs'), file('jobs.away'));
    expect(versionOf('J')).toBeUndefined();
  });

  test('is not known of a time before it was changed, or was gone', () => {
    const { own, versionOf } = placed();
    const minuteAgo = Date.now() - 60_000;
    expect(versionOf('J', minuteAgo)).toBeUndefined();
    rmSync(own);
    expect(versionOf('J', minuteAgo)).toBeUndefined();
  });

  test('is that of a later time', () => {
    const { script, versionOf } = placed();
    expect(versionOf('J', Date.now() + 60_000)).toBe(script);
  });

  test('is none where a command runs', () => {
    const { file, versionOf } = placed();
    script(file('jobs', 'C'), GOOD);
    expect(versionOf('C')).toBeUndefined();
  });
});

describe('a script that changes between two looks is noticed', () => {
  const hashOf = (found: object) => ('script' in found ? found.script : found);

  const TIME = 1_764_200_000;

  test('in place, with the same size and its old times', () => {
    const { file, inspect } = net();
    const own = script(file('jobs', 'J'), '#!/bin/sh\nexit 0\n');
    utimesSync(own, TIME, TIME);
    const before = hashOf(inspect());
    writeFileSync(own, '#!/bin/sh\nexit 1\n');
    utimesSync(own, TIME, TIME);
    expect(hashOf(inspect())).not.toEqual(before);
  });

  test('by another file of the same size and times', () => {
    const { file, inspect } = net();
    const own = script(file('jobs', 'J'), '#!/bin/sh\nexit 0\n');
    const other = script(file('other'), '#!/bin/sh\nexit 1\n');
    utimesSync(own, TIME, TIME);
    utimesSync(other, TIME, TIME);
    const before = hashOf(inspect());
    renameSync(other, own);
    expect(hashOf(inspect())).not.toEqual(before);
  });

  test('when it gets a fault', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    inspect();
    script(file('jobs', 'J'), '#!/bin/sh\r\n');
    expect(inspect()).toEqual(refused({ kind: 'carriage-return', path: './jobs/J' }));
  });

  test('when its fault is mended', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), '#!/bin/sh\r\n');
    inspect();
    script(file('jobs', 'J'), GOOD);
    expect(inspect().kind).toBe('startable');
  });

  test('when it loses its mode', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    inspect();
    chmodSync(file('jobs', 'J'), 0o644);
    expect(inspect()).toMatchObject({ problem: { kind: 'not-executable' } });
  });

  test('when it goes away', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    inspect();
    rmSync(file('jobs', 'J'));
    expect(inspect()).toMatchObject({ problem: { kind: 'missing' } });
  });

  test('also behind its first megabyte, by its size', () => {
    const { file, inspect } = net();
    const long = `${GOOD}${'#'.repeat(1024 * 1024)}`;
    script(file('jobs', 'J'), long);
    const before = hashOf(inspect());
    script(file('jobs', 'J'), `${long}#`);
    expect(hashOf(inspect())).not.toEqual(before);
  });
});

test('two jobs of one content have one hash, and it is that of the content alone', () => {
  const { file, inspect } = net();
  script(file('jobs', 'A'), GOOD);
  script(file('jobs', 'B'), GOOD);
  expect(inspect('A')).toMatchObject({ script: (inspect('B') as { script: string }).script });
});
