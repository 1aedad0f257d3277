/**
 * What one process of the model knows: the phase of its life, what it carries from phase to phase, and the answers
 * that the protocol under way has got so far. A generator cannot be copied; it is begun anew and told the same.
 */
import type { Steps } from '../../../src/claim/steps.js';
import { older, revived, youngestIn } from './ages.js';
import type { Asked } from './memory-files.js';

export interface Situation {
  readonly actor: number;
  readonly phase: string;
  /** JSON. What is `{ age }` in it, or among the answers, is a moment: so many ticks ago. */
  readonly carry: unknown;
  readonly answers: readonly unknown[];
}

export interface Local extends Situation {
  readonly text: string;
  /** Texts that were looked for in `text`, and whether they are there. */
  readonly mentions: Map<string, boolean>;
  /** What it asks for now; null when it rests or the phase is over. */
  readonly asked: Asked | null;
  readonly key: string;
  readonly result: { readonly value: unknown } | null;
}

/** The protocol of a phase; null: the process rests until it decides to go on. */
export type Begin = (situation: Situation) => Steps<unknown> | null;

/** What a process makes of an answer: the same answer without what its protocol does not look at. */
export type Hear = (local: Local, answer: unknown) => unknown;

/** An equal situation in which what does not matter any more is the same for all; null: it is that already. */
export type Digest = (local: Local) => Situation | null;

export interface Clock {
  /** Moments that are all older than this need not get older: nothing that waits for them waits any more. */
  readonly ticksMax: number;
  /** Forgets what has passed for good. */
  forget(carry: unknown, actor: number): unknown;
}

export class Locals {
  private readonly numbers = new Map<string, number>();
  private readonly all: Local[] = [];
  private readonly nexts: Map<unknown, number>[] = [];
  private readonly olders: number[] = [];

  constructor(
    private readonly begin: Begin,
    private readonly hear: Hear,
    private readonly digest: Digest,
    private readonly clock: Clock,
  ) {}

  get(number: number): Local {
    return this.all[number]!;
  }

  numberOf(situation: Situation): number {
    const { actor, phase, carry, answers } = situation;
    const text = JSON.stringify([actor, phase, carry, answers]);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.all.length;
    this.numbers.set(text, number);
    this.all.push({ actor, phase, carry, answers, text, mentions: new Map(), ...this.replay(situation) });
    this.nexts.push(new Map());
    return number;
  }

  answered(number: number, answer: unknown): number {
    const known = this.nexts[number]!.get(answer);
    if (known !== undefined) return known;
    const local = this.get(number);
    const heard = this.hear(local, answer);
    const next = this.digested({ ...local, answers: [...local.answers, heard] });
    if (heard !== answer) this.check({ ...local, answers: [...local.answers, answer] }, next);
    this.nexts[number]!.set(answer, next);
    return next;
  }

  private digested(situation: Situation): number {
    const number = this.numberOf(situation);
    const digest = this.digest(this.get(number));
    if (!digest) return number;
    const next = this.numberOf(digest);
    this.check(situation, next);
    return next;
  }

  /** The same after one tick. */
  older(number: number): number {
    this.olders[number] ??= this.oneOlder(this.get(number));
    return this.olders[number];
  }

  private oneOlder({ actor, phase, carry, answers }: Local): number {
    if (youngestIn([carry, answers]) >= this.clock.ticksMax)
      return this.numberOf({ actor, phase, carry, answers });
    const later = { actor, phase, carry: older(carry), answers: older(answers) as unknown[] };
    return this.numberOf({ ...later, carry: this.clock.forget(later.carry, actor) });
  }

  /** A process that has not been told everything goes on as if it had. */
  private check(situation: Situation, next: number): void {
    const { key, result } = this.replay(situation);
    const reduced = this.get(next);
    const isSame = key === reduced.key && JSON.stringify(result) === JSON.stringify(reduced.result);
    if (!isSame)
      throw new Error(`impossible: ${situation.phase} looked at what it is not told: ${reduced.text}`);
  }

  private replay(situation: Situation): Pick<Local, 'asked' | 'key' | 'result'> {
    const steps = this.begin(situation);
    if (!steps) return { asked: null, key: '', result: null };
    let next = steps.next();
    for (const answer of situation.answers) next = steps.next(revived(answer));
    if (next.done) return { asked: null, key: '', result: { value: next.value } };
    const asked = next.value as Asked;
    return { asked, key: JSON.stringify(asked), result: null };
  }
}

export function isMentioned(local: Local, text: string): boolean {
  const known = local.mentions.get(text);
  if (known !== undefined) return known;
  const isThere = local.text.includes(text);
  local.mentions.set(text, isThere);
  return isThere;
}
