/** LOC-07: a thousand fenced writes from twenty processes, some of which are killed in the middle of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DISK } from '../../src/claim/disk.js';
import { tempFolder } from '../contract/temp-folder.js';
import { seeded } from './chance.mjs';

const PROCESSES = 20;
const EACH = 50;
/** After so many writes one process is killed. */
const KILL_EVERY = 60;

const seed = Math.floor(Math.random() * 1e6);
const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url));

interface Line {
  readonly sign: string;
  readonly token: number;
  readonly rest: string;
}

describe(`${PROCESSES * EACH} writes, seed ${seed}`, () => {
  let lines: Line[] = [];
  let seen: string[] = [];
  let kills = 0;
  const tokens = (sign: string) => lines.filter((line) => line.sign === sign).map(({ token }) => token);

  test('are all tried, though writers are killed', async () => {
    const folder = tempFolder();
    const target = path.join(folder, 'today.json');
    const log = path.join(folder, 'log');
    writeFileSync(log, '');
    const writing = writeAll(target, log);
    const reading = readWhile(target, writing);
    kills = await writing;
    seen = await reading;
    lines = readFileSync(log, 'latin1')
      .trimEnd()
      .split('\n')
      .map((text) => {
        const [sign = '', token, ...rest] = text.split(' ');
        return { sign, token: Number(token), rest: rest.join(' ') };
      });
    expect(kills).toBeGreaterThan(10);
    expect(tokens('w').length + tokens('r').length).toBeGreaterThanOrEqual(PROCESSES * EACH - kills);
  });

  test('are read as a whole, whenever one looks', () => {
    const torn = seen.filter((content) => !/^(\d+) x{20000} \1$/.test(content));
    expect(torn.map((content) => content.slice(0, 30))).toEqual([]);
  });

  test('never bring the file back to a lower number, not for a moment', () => {
    const read = seen.map((content) => Number.parseInt(content, 10));
    expect(read.length).toBeGreaterThan(10);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
  });

  test('leave the content of the highest that was accepted', () => {
    const last = Number.parseInt(seen.at(-1)!, 10);
    expect(last).toBeGreaterThanOrEqual(Math.max(...tokens('w')));
    expect(tokens('t')).toContain(last);
  });

  test('are refused only to those who are not the highest, in words of their own', () => {
    const refused = lines.filter(({ sign }) => sign === 'r');
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.filter(({ token, rest }) => Number(rest) < token)).toEqual([]);
    expect(lines.filter(({ sign }) => sign === 'e')).toEqual([]);
  });
});

/** How many were killed. */
async function writeAll(target: string, log: string): Promise<number> {
  const random = seeded(seed);
  const running = new Set<ChildProcess>();
  onTestFinished(() => running.forEach((child) => void child.kill('SIGKILL')));
  let written = 0;
  let kills = 0;

  function killOne(): void {
    if (++written % KILL_EVERY !== 0) return;
    const unlucky = [...running][Math.floor(random() * running.size)];
    if (unlucky?.kill('SIGKILL')) kills++;
  }

  /** One after the other goes on where the one before was killed. */
  async function keepWriting(writer: number): Promise<void> {
    for (let from = 0, life = 0; from < EACH; life++) {
      const child = fork(WRITER, { execArgv: [] });
      running.add(child);
      child.on('message', ({ next }: { next: number }) => {
        from = next;
        killOne();
      });
      // It may be killed before it has heard of its task.
      child.on('error', () => undefined);
      child.send({ target, log, from, count: EACH, seed: seed + writer * 100 + life });
      const [code] = await once(child, 'close');
      running.delete(child);
      // What was under way when it died is not tried again.
      if (code !== 0) from++;
    }
  }

  await Promise.all(Array.from({ length: PROCESSES }, (_, writer) => keepWriting(writer)));
  return kills;
}

/** Every content that can be seen, one after the other. */
async function readWhile(target: string, writing: Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  writing.then(over, over);
  for (let last = false; !last; ) {
    last = isOver;
    const content = DISK.read(target);
    if (content !== null && content !== seen.at(-1)) seen.push(content);
    await turn();
  }
  return seen;
}
