/** Real processes that all want one claim at the same time; they run the compiled code. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempFolder } from '../contract/temp-folder.js';

const CONTENDERS = 20;
const ROUNDS = 10;

const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface Round {
  /** Lines that the holders wrote, in the order of writing. */
  readonly log: readonly string[];
  /** The numbers that were given out. */
  readonly numbers: readonly number[];
}

let contenders: ChildProcess[] = [];

beforeAll(() => {
  contenders = Array.from({ length: CONTENDERS }, () => fork(scriptOf('contender.mjs'), { execArgv: [] }));
});

afterAll(() => {
  for (const contender of contenders) contender.kill('SIGKILL');
});

async function contend(folder: string, log: string): Promise<Round> {
  const answers = contenders.map((contender) => once(contender, 'message') as Promise<[{ number: number }]>);
  for (const contender of contenders) contender.send({ folder, log });
  const numbers = (await Promise.all(answers)).map(([{ number }]) => number);
  return { log: readFileSync(log, 'utf8').trimEnd().split('\n'), numbers };
}

/** A claim whose owner was killed while it held. */
async function killOwner(folder: string): Promise<void> {
  const victim = fork(scriptOf('victim.mjs'), { execArgv: [] });
  const answer = once(victim, 'message');
  victim.send(folder);
  await answer;
  victim.kill('SIGKILL');
  await once(victim, 'exit');
}

describe.each([
  ['fresh', (parent: string, round: number) => path.join(parent, `claim${round}.d`), async () => {}, 0],
  ['stale', (parent: string, round: number) => path.join(parent, `claim${round}.d`), killOwner, 1],
  // Enough numbers come together here that old ones are tidied away in the middle of it.
  ['long used', (parent: string) => path.join(parent, 'claim.d'), async () => {}, 0],
])(`${CONTENDERS} processes that contend for a %s claim`, (_, folderOf, prepare, before) => {
  const rounds: Round[] = [];

  test(`each hold it once in ${ROUNDS} rounds`, async () => {
    const parent = tempFolder();
    for (let round = 0; round < ROUNDS; round++) {
      const folder = folderOf(parent, round);
      await prepare(folder);
      rounds.push(await contend(folder, path.join(parent, `log${round}`)));
    }
    expect(rounds.map(({ log }) => log.length)).toEqual(Array(ROUNDS).fill(2 * CONTENDERS));
  });

  test('hold it one at a time', () => {
    const overlaps = rounds.flatMap(({ log }) =>
      log.filter((line, at) => at % 2 === 1 && line !== log[at - 1]!.replace('begin', 'end')),
    );
    expect(overlaps).toEqual([]);
  });

  test('are given numbers that rise in the order of holding', () => {
    for (const { log } of rounds) {
      const numbers = log.filter((line) => line.startsWith('begin')).map((line) => Number(line.slice(6)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });

  test('are never given a number twice, nor one from before', () => {
    for (const { numbers } of rounds) {
      expect([new Set(numbers).size, Math.min(...numbers) > before]).toEqual([CONTENDERS, true]);
    }
  });
});
