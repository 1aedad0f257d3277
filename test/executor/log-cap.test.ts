import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import type { Launch } from '../../src/engine/ports.js';
import { logPath } from '../../src/executor/attempts.js';
import { createLogCap, cutLog } from '../../src/executor/log-cap.js';
import { createLocalRig } from './local-rig.js';
import { tempFolder, until, withoutPrivileges } from './support.js';

const MB = 1024 * 1024;
const NOTE = /\[jobnet\] (\d+) bytes dropped here: the log went over its cap of (\d+) bytes \(--log-max\)\n/;

function givenLog(text: string | Buffer = ''): string {
  const file = path.join(tempFolder(), 'J.1.log');
  writeFileSync(file, text);
  return file;
}

/** Lines of 16 bytes, numbered. */
function numbered(bytes: number): string {
  return Array.from({ length: bytes / 16 }, (_, index) => `line ${String(index).padStart(10)}\n`).join('');
}

describe('a log that is cut', () => {
  test('keeps its first MB up to a line end, and says how many bytes were dropped', () => {
    const text = `odd\n${numbered(4 * MB)}`;
    const file = givenLog(text);
    const droppedBytes = cutLog(file, 3 * MB);
    const kept = text.slice(0, text.lastIndexOf('\n', MB - 1) + 1);
    expect(droppedBytes).toBe(text.length - kept.length);
    expect(readFileSync(file, 'utf8')).toBe(
      `${kept}[jobnet] ${droppedBytes} bytes dropped here: the log went over its cap of ${3 * MB} bytes (--log-max)\n`,
    );
  });

  test('keeps half of a cap below 2 MB', () => {
    const file = givenLog(numbered(4096));
    cutLog(file, 2000);
    expect(readFileSync(file, 'utf8').search(NOTE)).toBe(992);
  });

  test('is the same file: it is the claim of the attempt', () => {
    const file = givenLog(numbered(4 * MB));
    const before = statSync(file).ino;
    cutLog(file, 3 * MB);
    expect(statSync(file).ino).toBe(before);
  });

  test('is written on behind the note by a job that appends', () => {
    const file = givenLog(numbered(4 * MB));
    const fd = openSync(file, 'a');
    onTestFinished(() => closeSync(fd));
    cutLog(file, 3 * MB);
    writeSync(fd, 'behind\n');
    expect(readFileSync(file, 'utf8').endsWith('(--log-max)\nbehind\n')).toBe(true);
  });

  test('again keeps the same beginning and one note with the sum', () => {
    const file = givenLog(numbered(4 * MB));
    const first = cutLog(file, 3 * MB)!;
    const beginning = readFileSync(file, 'latin1').split('[jobnet]')[0];
    appendFileSync(file, numbered(3 * MB));
    const sum = cutLog(file, 3 * MB);
    expect(sum).toBe(first + 3 * MB);
    const parts = readFileSync(file, 'latin1').split('[jobnet]');
    expect(parts).toHaveLength(2);
    expect(parts[0]).toBe(beginning);
    expect(parts[1]).toContain(` ${sum} bytes dropped here`);
  });

  test('in the middle of one endless line has the note on a line of its own, and no half character', () => {
    const file = givenLog(`xx${'締'.repeat(MB)}`);
    const droppedBytes = cutLog(file, 2 * MB)!;
    const [line, note] = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).split('\n');
    expect(line).toMatch(/^xx締+$/);
    expect(note).toContain(`${droppedBytes} bytes dropped`);
    expect(Buffer.byteLength(line!) + droppedBytes).toBe(2 + 3 * MB);
    appendFileSync(file, 'y'.repeat(3 * MB));
    expect(cutLog(file, 2 * MB)).toBe(droppedBytes + 3 * MB);
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(line);
  });

  test('with nothing behind the note stays as it is', () => {
    const file = givenLog(numbered(4096));
    cutLog(file, 2000);
    const before = readFileSync(file, 'utf8');
    expect(cutLog(file, 2000)).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('the look at the logs of live attempts', () => {
  function given(...jobs: string[]) {
    const runFolder = tempFolder();
    const clock = createFakeClock();
    const live = new Set(jobs.map((job): Launch => ({ job, attempt: 1 })));
    const cuts: string[] = [];
    const refused: string[] = [];
    const cap = createLogCap({
      runFolder,
      clock,
      live: () => live,
      bytesMax: 2000,
      onCut: ({ job }, bytes) => cuts.push(`${job} ${bytes}`),
      onRefused: ({ job }, error) => refused.push(`${job} ${'code' in error ? error.code : ''}`),
    });
    const log = (job: string) => logPath(runFolder, job, 1);
    const write = (job: string, text: string) => {
      mkdirSync(path.dirname(log(job)), { recursive: true });
      appendFileSync(log(job), text);
    };
    return { runFolder, clock, live, cuts, refused, cap, log, write };
  }

  test('comes every 5 s, by one timer for all of them, while one lives', () => {
    const { cap, clock, live } = given('A', 'B');
    cap.watch();
    cap.watch();
    expect(clock.dueTimes()).toEqual([5000]);
    clock.advance(5000);
    expect(clock.dueTimes()).toEqual([10_000]);
    live.clear();
    clock.advance(5000);
    expect(clock.dueTimes()).toEqual([]);
  });

  test('cuts what is beyond the cap and nothing else', () => {
    const { cap, clock, cuts, log, write } = given('A', 'B', 'NOT-STARTED');
    write('A', numbered(4096));
    write('B', numbered(1600));
    cap.watch();
    clock.advance(5000);
    expect(cuts).toEqual(['A 3104']);
    expect(readFileSync(log('B'), 'utf8')).toBe(numbered(1600));
  });

  test('ends with the executor', () => {
    const { cap, clock } = given('A');
    cap.watch();
    cap.close();
    expect(clock.dueTimes()).toEqual([]);
  });

  test('says once what the system refuses, looks at the others, and cuts when it may', () => {
    const { cap, clock, cuts, refused, write, log, runFolder } = given('A', 'B');
    for (const job of ['A', 'B']) write(job, numbered(4096));
    // Whatever the mask of the system is.
    const shards = ['A', 'B'].map((job) => path.dirname(log(job)));
    const folders = [
      path.dirname(runFolder),
      runFolder,
      ...shards,
      ...shards.map((shard) => path.dirname(shard)),
    ];
    for (const folder of folders) chmodSync(folder, 0o755);
    chmodSync(log('A'), 0o444);
    chmodSync(log('B'), 0o666);
    cap.watch();
    withoutPrivileges(() => clock.advance(10_000));
    expect({ cuts, refused }).toEqual({ cuts: ['B 3104'], refused: ['A EACCES'] });
    chmodSync(log('A'), 0o644);
    clock.advance(5000);
    expect(cuts).toEqual(['B 3104', 'A 3104']);
  });

  test('follows no link out of the folder of the run', () => {
    const { cap, clock, cuts, refused, log } = given('A');
    const outside = givenLog(numbered(4096));
    mkdirSync(path.dirname(log('A')), { recursive: true });
    symlinkSync(outside, log('A'));
    cap.watch();
    clock.advance(5000);
    expect({ cuts, refused }).toEqual({ cuts: [], refused: [] });
    expect(statSync(outside).size).toBe(4096);
  });
});

describe('LOG-01 the executor', () => {
  test('cuts the log of an attempt that runs, which then writes on and ends as always', async () => {
    const clock = createFakeClock();
    const cuts: number[] = [];
    const rig = createLocalRig({
      clock,
      logCap: { bytesMax: 2000, onCut: (_, bytes) => cuts.push(bytes), onRefused: () => {} },
    });
    rig.steered('J');
    const gate = path.join(rig.folder, 'J.gate');
    rig.script('J', `#!/bin/sh\nseq 1 2000\nread -r code <'J.gate'\necho behind\nexit "$code"\n`);
    expect(statSync(gate).isFIFO()).toBe(true);
    rig.launch('J');
    await until(() => statSync(logPath(rig.runFolder, 'J', 1), { throwIfNoEntry: false })?.size === 8893);
    clock.advance(5000);
    expect(cuts).toHaveLength(1);
    rig.end('J', 1, 0);
    expect(await until(() => rig.endOf('J'))).toMatchObject({ kind: 'exited', code: 0 });
    expect(rig.log('J')).toMatch(/^1\n2\n[\d\n]+\[jobnet\] \d+ bytes dropped here.*\nbehind\n$/);
    expect(clock.dueTimes()).not.toContain(15_000);
  });
});
