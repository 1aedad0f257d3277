/** Time in the model: no moment has a date, it is so many ticks ago; so situations that differ by date only are equal. */
import type { Moment } from '../../../src/claim/steps.js';

export interface Age {
  readonly age: number;
}

/** A moment that has been judged: it stays where it is, as nobody looks at it again. */
export interface Judged {
  readonly judged: number;
}

/** More than the least margin of a lease: it is lost between two ticks, so the model has none to hide a fault in. */
export const TICK_MS = 1500;

export const NOW: Age = { age: 0 };

/** A moment of which only the Unix time is used, which is for people. */
export const FOR_PEOPLE = { unix: 0 } as const;

const NOW_MS = 1e9;

export function momentOf(when: Age | Judged): Moment {
  const then = NOW_MS - (isAge(when) ? when.age : when.judged) * TICK_MS;
  return { steady: then, awake: then, unix: 0 };
}

export function ageOf(steady: number): Age {
  return { age: (NOW_MS - steady) / TICK_MS };
}

/** An answer as the protocol gets it. */
export function revived(answer: unknown): unknown {
  if (isForPeople(answer)) return onlyUnix();
  return isAge(answer) || isJudged(answer) ? momentOf(answer) : answer;
}

function onlyUnix(): Moment {
  const refuse = (): never => {
    throw new Error('impossible: this moment is for people');
  };
  return Object.defineProperties({} as Moment, {
    unix: { value: 0 },
    steady: { get: refuse },
    awake: { get: refuse },
  });
}

export function isAge(value: unknown): value is Age {
  return typeof value === 'object' && value !== null && 'age' in value;
}

function isForPeople(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'unix' in value;
}

export function isJudged(value: unknown): value is Judged {
  return typeof value === 'object' && value !== null && 'judged' in value;
}

/** Infinity where there is no moment. */
export function youngestIn(value: unknown): number {
  if (isAge(value)) return value.age;
  if (typeof value !== 'object' || value === null) return Number.POSITIVE_INFINITY;
  return Math.min(...Object.values(value).map(youngestIn));
}

/** All moments one tick ago more. */
export function older(value: unknown): unknown {
  if (isAge(value)) return { age: value.age + 1 };
  if (typeof value !== 'object' || value === null || isForPeople(value)) return value;
  if (Array.isArray(value)) return value.map(older);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, older(one)]));
}
