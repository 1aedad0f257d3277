import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLifelineStock, openLifeline } from '../../src/executor/lifelines.js';
import { killAtEnd, startChild, tempFolder } from './support.js';

function lifeline() {
  const fifo = path.join(tempFolder(), 'x.life');
  execFileSync('mkfifo', [fifo]);
  return { fifo, opened: openLifeline(fifo) };
}

/** As a job has it: for reading and writing, so that opening waits for nobody. */
const hold = (fifo: string) => openSync(fifo, constants.O_RDWR);

describe('a lifeline', () => {
  test('is not held when nobody ever had it', () => {
    expect(lifeline().opened.isHeld()).toBe(false);
  });

  test('is held by whoever has it open', () => {
    const { fifo, opened } = lifeline();
    hold(fifo);
    expect(opened.isHeld()).toBe(true);
  });

  test('is not held when all have closed it', () => {
    const { fifo, opened } = lifeline();
    const fds = [hold(fifo), hold(fifo)];
    for (const fd of fds) closeSync(fd);
    expect(opened.isHeld()).toBe(false);
  });

  test('is held by what a dead process left behind', async () => {
    const { fifo, opened } = lifeline();
    const fd = hold(fifo);
    const leaving = startChild('/bin/sh', ['-c', 'sleep 600 >&- 2>&- & echo $!'], {
      stdio: ['ignore', 'pipe', 'ignore', fd],
    });
    closeSync(fd);
    const left = once(leaving, 'exit');
    const [pid] = await once(leaving.stdout!, 'data');
    killAtEnd(() => [Number(pid)]);
    await left;
    expect(opened.isHeld()).toBe(true);
  });

  test('is free once a process that had it is dead', async () => {
    const { fifo, opened } = lifeline();
    const fd = hold(fifo);
    const child = spawn('/bin/sh', ['-c', ':'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
    closeSync(fd);
    await once(child, 'exit');
    expect(opened.isHeld()).toBe(false);
  });

  test('is not held by what a dead process wrote into it', () => {
    const { fifo, opened } = lifeline();
    const fd = hold(fifo);
    writeSync(fd, 'x'.repeat(1000));
    closeSync(fd);
    expect(opened.isHeld()).toBe(false);
  });

  test('is held by a process that writes into it and lives', () => {
    const { fifo, opened } = lifeline();
    writeSync(hold(fifo), 'x'.repeat(1000));
    expect(opened.isHeld()).toBe(true);
  });
});

const descriptors = () => readdirSync('/proc/self/fd').length;

describe('a stock of lifelines', () => {
  test('makes FIFOs', async () => {
    const stock = createLifelineStock(tempFolder(), '3', 2);
    expect(statSync((await stock.take()).path).isFIFO()).toBe(true);
  });

  test('gives none to two', async () => {
    const stock = createLifelineStock(tempFolder(), '3', 2);
    const taken = await Promise.all(Array.from({ length: 40 }, stock.take));
    expect(new Set(taken.map((one) => one.path)).size).toBe(40);
  });

  test('gives again what came back', async () => {
    const stock = createLifelineStock(tempFolder(), '3', 1);
    const first = await stock.take();
    stock.giveBack(first);
    expect(await stock.take()).toBe(first);
  });

  test('does not give again what is held when it comes back', async () => {
    const stock = createLifelineStock(tempFolder(), '3', 1);
    const first = await stock.take();
    hold(first.path);
    stock.giveBack(first);
    expect((await stock.take()).path).not.toBe(first.path);
  });

  test('does not give again what was dropped', async () => {
    const stock = createLifelineStock(tempFolder(), '3', 1);
    const first = await stock.take();
    stock.drop(first);
    expect((await stock.take()).path).not.toBe(first.path);
  });

  test('says in one line what the system says when it can make none', async () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, '3-1.life'));
    await expect(createLifelineStock(folder, '3', 1).take()).rejects.toThrow(/^mkfifo: .*3-1\.life.*$/);
  });

  test('makes the next ones after it could make none', async () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, '3-1.life'));
    const stock = createLifelineStock(folder, '3', 1);
    await stock.take().catch(() => {});
    expect(path.basename((await stock.take()).path)).toBe('3-2.life');
  });

  test.skipIf(process.platform !== 'linux')('leaves no descriptor open when it closes', async () => {
    const before = descriptors();
    const stock = createLifelineStock(tempFolder(), '3', 4);
    const [one, two] = [await stock.take(), await stock.take()];
    stock.giveBack(one);
    stock.drop(two);
    stock.close();
    expect(descriptors()).toBe(before);
  });
});
