/**
 * What a process of the model needs to remember of a lease and what it may forget, and what nobody else can notice: so
 * there are fewer situations, and none is left out that matters.
 */
import path from 'node:path';
import type { Bidder } from '../../../src/claim/bid.js';
import type { Watch } from '../../../src/claim/lease-steps.js';
import { NUMBER } from '../../../src/claim/record.js';
import { type Age, isAge, isJudged, type Judged } from './ages.js';
import type { LeasesSetting } from './leases-setting.js';
import type { Local, Situation } from './locals.js';
import type { Asked } from './memory-files.js';
import { isId } from './symmetry.js';
import { highestIn } from './world.js';

/** What it carries from phase to phase. */
export interface Carry {
  readonly me?: Bidder;
  readonly watch?: Omit<Watch, 'since'> & { readonly since: Age | Judged };
  readonly number?: number;
  /** Since when a bid waits, and for how many ticks. */
  readonly since?: Age;
  readonly ticks?: number;
  /** The last moment from which trust counts; absent when it has run out. */
  readonly trust?: Age | undefined;
}

export const FOLDER = '/d';

/** Prepared files are seen by nobody else, a beat is written by nobody else, and claims stay if nobody tidies. */
export function isUnseen({ asked, phase }: Local, { kind, kept }: LeasesSetting): boolean {
  const [name, file] = asked!;
  const isPrepared = String(file).includes('/tmp.');
  if (name === 'life') return kind === 'time';
  if (name === 'write' || (name === 'remove' && phase !== 'tidying')) return isPrepared;
  if (name !== 'read') return false;
  if (isPrepared) return true;
  const isOwnBeat = phase === 'beating' || phase === 'confirming';
  return isOwnBeat || (kept === undefined && NUMBER.test(path.basename(String(file))));
}

/** Its id alone makes a beat new: without its counter there are no more beats than somebody remembers. */
export function withoutCounter(asked: Asked): Asked {
  if (asked[0] !== 'write') return asked;
  return ['write', asked[1], String(asked[2]).replace(/"counter":\d+/, '"counter":0')];
}

/** Numbers only rise: what is below all that count is looked at by those only who have seen it before. */
export function knownBy(file: string, names: readonly string[]): readonly string[] | null {
  const name = path.basename(file);
  if (name.startsWith('tmp.')) return [name.slice(4)];
  const number = name.slice(0, 8);
  if (countingIn(names).includes(number)) return null;
  return name === number || name.endsWith('.beat') ? [number, `"number":${Number(number)}`] : [];
}

/** The highest number with its companions, and below it those that count, as far as the last that has held. */
export function lookedAtIn(names: readonly string[]): string[] {
  const counting = countingIn(names);
  const lower = counting.slice(1).flatMap((number) => [number, `${number}.held`]);
  return [...names.filter((name) => lower.includes(name)), ...highestIn(names)];
}

/** From the highest number down to the last that has held. */
function countingIn(names: readonly string[]): string[] {
  const numbers = names.filter((name) => NUMBER.test(name)).reverse();
  const held = numbers.findIndex((number) => names.includes(`${number}.held`));
  return held < 0 ? numbers : numbers.slice(0, held + 1);
}

/** Keeps no more than the rest of the protocol looks at. */
export function digest(local: Local, ticksMax: number): Situation | null {
  switch (local.phase) {
    case 'trying':
      return digestTry(local, ticksMax);
    case 'beating':
    case 'confirming':
      return digestBeat(local);
    default:
      return null;
  }
}

/** A watch of something else is none. Once it bids the watch is over, and only the moment before the bid counts. */
function digestTry({ actor, phase, carry, answers, asked }: Local, ticksMax: number): Situation | null {
  const { me, watch } = carry as Carry;
  if (asked?.[0] !== 'now' && asked?.[0] !== 'link') return null;
  const first = answers.findIndex(isAge);
  if (first < 0) {
    const isSame = watch && watch.beat === answers.at(-1);
    return watch && !isSame ? { actor, phase, carry: { me }, answers } : null;
  }
  const isFree = asked[0] === 'link' && first === answers.findLastIndex(isAge);
  // It was free twice; what it was the first time is forgotten.
  if (isFree && first < answers.length - 1) {
    const second = answers.slice(first + 1);
    return { actor, phase, carry: { me }, answers: [...second, answers[first], ...second] };
  }
  if (asked[0] === 'link') return null;
  // It has bidden, and will wait: from when it could have been trusted is forgotten.
  if (answers.some(isJudged)) {
    const forgotten = answers.map((answer) => (isAge(answer) ? { judged: ticksMax } : answer));
    return { actor, phase, carry, answers: forgotten };
  }
  // All that counts has been longer ago than any time to live.
  const looked = [highestIn(answers[0] as string[]), ...answers.slice(1, first), { judged: ticksMax }];
  return {
    actor,
    phase,
    carry: { me, watch: { ...watch, since: { judged: 2 * ticksMax } } },
    answers: looked,
  };
}

/** What was read and written is in the file; only the moment before it counts. */
function digestBeat({ actor, phase, carry, answers, asked }: Local): Situation | null {
  if (asked?.[0] !== 'list') return null;
  const forgotten = (answer: unknown) => (typeof answer === 'object' ? answer : isId(answer) ? '<Z1>' : null);
  return { actor, phase, carry, answers: answers.map(forgotten) };
}
