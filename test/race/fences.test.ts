/** Fenced writes that overtake each other: the usual recipe beside ours, halted at the same place. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DISK } from '../../src/claim/disk.js';
import { fencedWrite } from '../../src/claim/fence.js';
import { runSteps } from '../../src/claim/steps.js';
import { makeFolder } from '../../src/host/durable.js';
import { tempFolder } from '../contract/temp-folder.js';
import { everyCrash, everyHalt, type Program, program, walk } from './halting.js';
import { writeFenced } from './ours.js';
import { writeScriptFenced } from './recipes/fenced-write.js';

const createTarget = () => path.join(tempFolder(), 'today.json');
const contentOf = (target: string) => readFileSync(target, 'utf8');
const write = (target: string, token: number) => runSteps(writeFenced(target, token, `token ${token}`), DISK);
const ours = (target: string, token: number) => program(writeFenced(target, token, `token ${token}`), DISK);

describe('LOC-07: a fence is checked, and the content renamed afterwards', () => {
  test('the recipe: the late writer is believed, and its old content stays', () => {
    const target = createTarget();
    const late = walk(writeScriptFenced(target, 1, 'token 1'));
    late.before('rename content');
    const next = walk(writeScriptFenced(target, 2, 'token 2')).end();
    expect([next, late.end(), contentOf(target)]).toEqual(['written', 'written', 'token 1']);
  });

  test('the recipe: a lower token is accepted while the number is being written', () => {
    const target = createTarget();
    walk(writeScriptFenced(target, 2, 'token 2')).end();
    walk(writeScriptFenced(target, 2, 'token 2')).before('write fence');
    const lower = walk(writeScriptFenced(target, 1, 'token 1')).end();
    expect([lower, contentOf(target)]).toEqual(['written', 'token 1']);
  });

  test('ours: the late writer is refused and the new content stays', () => {
    const target = createTarget();
    const late = walk(ours(target, 1));
    late.before('rename c.');
    const next = write(target, 2);
    expect([next.kind, late.end(), contentOf(target)]).toEqual([
      'written',
      { kind: 'refused', token: 2 },
      'token 2',
    ]);
  });

  test('ours: at whatever action the late writer is halted, the higher token stays', () => {
    const outcomes = everyHalt(() => {
      const target = createTarget();
      return { first: writtenInto(target, 1), other: () => write(target, 2).kind };
    });
    const contents = outcomes.map(([{ content }, next]) => `${next}: ${content}`);
    expect([contents.length > 12, new Set(contents)]).toEqual([true, new Set(['written: token 2'])]);
  });

  test('ours: a late writer is never told that it has written before it has', () => {
    const outcomes = everyHalt(() => {
      const target = createTarget();
      const other = () => {
        const seen = textOf(target);
        write(target, 2);
        return seen;
      };
      return { first: writtenInto(target, 1), other };
    });
    const liars = outcomes.filter(([{ made }, seen]) => made === 'written' && seen !== 'token 1');
    expect(liars).toEqual([]);
  });

  test('ours: at whatever action the higher one is halted, a lower one cannot bring the file back', () => {
    const outcomes = everyHalt(() => {
      const target = createTarget();
      write(target, 1);
      return { first: writtenInto(target, 3), other: () => write(target, 2) };
    });
    expect(new Set(outcomes.map(([{ content }]) => content))).toEqual(new Set(['token 3']));
  });

  test("ours: a writer that crashed at whatever action is in nobody's way", () => {
    const next = everyCrash(() => {
      const target = createTarget();
      return {
        first: ours(target, 1),
        look: () => [write(target, 2).kind, contentOf(target), write(target, 1).kind],
      };
    });
    expect(new Set(next.map(String))).toEqual(new Set(['written,token 2,refused']));
  });
});

describe('a damaged fence', () => {
  test.each(['abc', '-1', '1 2'])('with %j in it refuses everybody, naming the file', async (text) => {
    const target = createTarget();
    DISK.write(`${target}.fence`, text);
    await expect(fencedWrite(target, 9, 'new')).rejects.toThrow(`${target}.fence`);
  });

  test.each(['', 'abc', '{}', '{"token":"3"}'])(
    'whose newest entry is %j refuses everybody',
    async (text) => {
      const target = createTarget();
      makeFolder(`${target}.fence.d`);
      DISK.write(path.join(`${target}.fence.d`, '00000001'), text);
      await expect(fencedWrite(target, 9, 'new')).rejects.toThrow('00000001');
    },
  );

  test('that is empty counts as 0', async () => {
    const target = createTarget();
    DISK.write(`${target}.fence`, '');
    await fencedWrite(target, 1, 'new');
    expect(contentOf(target)).toBe('new');
  });
});

/** Our write under a token, and what the target holds when it has ended. */
function* writtenInto(target: string, token: number): Program<{ made: string; content: string }> {
  const { kind: made } = yield* ours(target, token);
  return { made, content: contentOf(target) };
}

function textOf(target: string): string {
  return DISK.read(target) ?? '';
}
