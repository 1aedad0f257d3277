import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import {
  bootId,
  lifeOfProcess,
  ownIdentity,
  parseProcStat,
  parsePsLine,
  readStat,
} from '../../src/host/identity.js';
import { isLinux, startChild, startZombie, until } from '../executor/support.js';

/** A line as proc(5) describes it: pid, (name), state, ppid, pgrp, …, the start time as the 22nd field. */
const statLine = (name: string, state = 'S') =>
  `4711 (${name}) ${state} 1 4700 4699 0 -1 4194560 101 0 0 0 1 2 0 0 20 0 1 0 987654 2703360 236 18446744073709551615`;

describe('a line of /proc/PID/stat', () => {
  test.each(['sh', 'my job', 'a) S 1 (b', '((', '))', 'Z) Z 9 9 9 (', '日次'])(
    'is read whatever the name: "%s"',
    (name) => {
      expect(parseProcStat(statLine(name))).toEqual({ life: 'alive', group: 4700, startTime: '987654' });
    },
  );

  test.each([
    { state: 'R', life: 'alive' },
    { state: 'S', life: 'alive' },
    { state: 'D', life: 'alive' },
    { state: 'I', life: 'alive' },
    { state: 'T', life: 'frozen' },
    { state: 't', life: 'frozen' },
    { state: 'Z', life: 'dead' },
    { state: 'X', life: 'dead' },
  ])('with state $state says $life', ({ state, life }) => {
    expect(parseProcStat(statLine('sh', state)).life).toBe(life);
  });
});

describe('a line of ps on macOS', () => {
  test.each([
    { line: 'Ss    4700 Thu Nov 27 09:05:01 2025\n', life: 'alive' },
    { line: 'S+    4700 Thu Nov 27 09:05:01 2025    \n', life: 'alive' },
    { line: '  R   4700 Thu Nov 27 09:05:01 2025\n', life: 'alive' },
    { line: 'T     4700 Thu Nov 27 09:05:01 2025\n', life: 'frozen' },
    { line: 'Z     4700 Thu Nov 27 09:05:01 2025\n', life: 'dead' },
  ])('"$line" says $life', ({ line, life }) => {
    expect(parsePsLine(line)).toEqual({ life, group: 4700, startTime: 'Thu Nov 27 09:05:01 2025' });
  });

  test.each(['', '\n', 'no such process'])('is none in "%s"', (line) => {
    expect(parsePsLine(line)).toBeNull();
  });
});

describe('a process', () => {
  test('that lives is alive', () => {
    expect(readStat(process.pid)?.life).toBe('alive');
  });

  test.each([0, -1, 1.5, Number.NaN])('has no pid %d', (pid) => {
    expect(readStat(pid)).toBeNull();
  });

  test('that is gone is not seen', () => {
    expect(readStat(spawnSync('/bin/sh', ['-c', ':']).pid)).toBeNull();
  });

  test('that is stopped is frozen', async () => {
    const child = startChild('/bin/sh', ['-c', 'kill -STOP $$']);
    expect(await until(() => readStat(child.pid!)?.life === 'frozen')).toBe(true);
  });

  test('that nobody waited for is dead', async () => {
    const pid = await startZombie();
    expect(await until(() => readStat(pid)?.life === 'dead')).toBe(true);
  });

  test.skipIf(!isLinux)('has the group that the system says', () => {
    const group = Number(readFileSync('/proc/self/stat', 'latin1').split(') ')[1]!.split(' ')[2]);
    expect(readStat(process.pid)?.group).toBe(group);
  });
});

describe('the life of a process that left its identity', () => {
  test('is alive while it is the same process', () => {
    expect(lifeOfProcess(ownIdentity())).toBe('alive');
  });

  test('is over when its pid belongs to another process', () => {
    expect(lifeOfProcess({ ...ownIdentity(), startTime: '1' })).toBe('dead');
  });

  test('is over after another boot', () => {
    expect(lifeOfProcess({ ...ownIdentity(), bootId: 'another' })).toBe('dead');
  });

  test('is over when its pid is nobody', () => {
    const { pid } = spawnSync('/bin/sh', ['-c', ':']);
    expect(lifeOfProcess({ ...ownIdentity(), pid })).toBe('dead');
  });

  test('is unknown on another host', () => {
    expect(lifeOfProcess({ ...ownIdentity(), host: `not-${hostname()}` })).toBe('unknown');
  });

  test('is unknown in another pid namespace', () => {
    expect(lifeOfProcess({ ...ownIdentity(), pidNamespace: 'pid:[1]' })).toBe('unknown');
  });
});

test('a boot has one identifier', () => {
  expect(bootId()).toMatch(/^\S+$/);
});
