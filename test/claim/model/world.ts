/**
 * Processes on one file system. One operation of one process is one step, whatever the others are about; what nobody
 * else can notice happens together with the step before it.
 */

import type { Life, Steps } from '../../../src/claim/steps.js';
import type { ProcessIdentity } from '../../../src/host/identity.js';
import { FOR_PEOPLE, NOW } from './ages.js';
import type { Model, Move, State } from './checker.js';
import { type Clock, type Local, Locals, type Situation } from './locals.js';
import { type Asked, FileSystems } from './memory-files.js';
import { Sweeper } from './sweeper.js';
import { exchanges, idName, isId, processName, Symmetry } from './symmetry.js';

/** The part of a model that belongs to one protocol. `Ghost`: what only the model knows, for its rules; JSON. */
export interface Script<Ghost> {
  readonly ghost: Ghost;
  readonly clock?: Clock;
  /** For every process what makes it different; those of one kind may change places. */
  readonly kinds: readonly unknown[];
  /** Ids are in files as soon as they are made, and only files are compared with what is remembered. */
  readonly forgetsIds?: boolean;
  begin(situation: Situation): Steps<unknown> | null;
  /** The first phase of every process. */
  start(turn: Turn<Ghost>, actor: number): void;
  /** A protocol is over: enters the phase that follows. */
  ended(turn: Turn<Ghost>, local: Local, value: unknown): void;
  /** What may happen besides the operations. */
  moves(turn: Turn<Ghost>): Choice<Ghost>[];
  /** Nobody else can notice it. */
  isPrivate(local: Local): boolean;
  /** The operation without what only people read. */
  plain?(asked: Asked): Asked;
  hear(local: Local, answer: unknown): unknown;
  digest?(local: Local): Situation | null;
  life(turn: Turn<Ghost>, name: string): Life;
  /** False: the model ends here, the process stands still from now on. */
  isWithin?(asked: Asked): boolean;
  /** A file that only those will look at who remember one of these texts; null: anybody may. */
  knownBy?(file: string, names: readonly string[]): readonly string[] | null;
  /** After an operation, before its process goes on with the answer. */
  observe?(turn: Turn<Ghost>, local: Local, answer: unknown): void;
  /** Throws a `Fault` when a rule is broken now. */
  inspect(turn: Turn<Ghost>): void;
}

export interface Choice<Ghost> {
  readonly name: string;
  take(turn: Turn<Ghost>): void;
}

export function identityOf(startTime: string): ProcessIdentity {
  return { host: 'h', bootId: 'b', pidNamespace: 'n', pid: 1, startTime };
}

const NO_CLOCK: Clock = { ticksMax: 0, forget: (carry) => carry };

export class World<Ghost> implements Model {
  private readonly symmetry: Symmetry;
  readonly fileSystems = new FileSystems();
  readonly locals: Locals;
  /** What happened at least once: a model in which nothing happens breaks no rule. */
  readonly happened = new Set<string>();
  readonly initial: State;
  readonly sweeper: Sweeper | null;
  private readonly ghosts: Ghost[] = [];
  private readonly ghostNumbers = new Map<string, number>();

  constructor(readonly script: Script<Ghost>) {
    this.locals = new Locals(
      (situation) => script.begin(situation),
      (local, answer) => script.hear(local, answer),
      (local) => script.digest?.(local) ?? null,
      script.clock ?? NO_CLOCK,
    );
    const orders = exchanges(script.kinds);
    this.symmetry = new Symmetry(this.fileSystems, this.locals, orders, script.forgetsIds ?? false);
    this.sweeper = script.knownBy ? new Sweeper(this.fileSystems, script.knownBy.bind(script)) : null;
    const resting = (actor: number) => this.locals.numberOf({ actor, phase: '', carry: null, answers: [] });
    const locals = Array.from({ length: script.kinds.length }, (_, actor) => resting(actor));
    const turn = new Turn(this, this.fileSystems.numberOf(new Map()), script.ghost, locals);
    for (const actor of locals.keys()) script.start(turn, actor);
    this.initial = this.stateOf(turn);
  }

  canonical(state: State): State {
    return this.symmetry.canonical(state);
  }

  moves(state: State): Move[] {
    const turn = this.turnOf(state);
    const moves: Move[] = [];
    for (const actor of turn.locals.keys()) {
      const { asked } = turn.local(actor);
      if (!asked || this.script.isWithin?.(asked) === false) continue;
      moves.push(this.move(state, { name: processName(actor), take: (own) => own.step(actor) }));
    }
    for (const choice of this.script.moves(turn)) moves.push(this.move(state, choice));
    return moves;
  }

  private move(state: State, { name, take }: Choice<Ghost>): Move {
    return {
      name,
      take: (log) => {
        const turn = this.turnOf(state, log);
        take(turn);
        this.script.inspect(turn);
        turn.sweep();
        return this.stateOf(turn);
      },
    };
  }

  private turnOf([files, ghost, ...locals]: State, log?: string[]): Turn<Ghost> {
    return new Turn(this, files!, this.ghosts[ghost!]!, locals, log);
  }

  private stateOf({ files, ghost, locals }: Turn<Ghost>): State {
    return [files, this.ghostNumber(ghost), ...locals];
  }

  private ghostNumber(ghost: Ghost): number {
    const text = JSON.stringify(ghost);
    const known = this.ghostNumbers.get(text);
    if (known !== undefined) return known;
    this.ghostNumbers.set(text, this.ghosts.length);
    return this.ghosts.push(ghost) - 1;
  }
}

/** One state while it becomes the next. */
export class Turn<Ghost> {
  constructor(
    readonly world: World<Ghost>,
    public files: number,
    public ghost: Ghost,
    readonly locals: number[],
    private readonly log?: string[],
  ) {}

  local(actor: number): Local {
    return this.world.locals.get(this.locals[actor]!);
  }

  all(): Local[] {
    return this.locals.map((number) => this.world.locals.get(number));
  }

  enter(actor: number, phase: string, carry: unknown = null): void {
    this.locals[actor] = this.world.locals.numberOf({ actor, phase, carry, answers: [] });
    this.settle(actor);
  }

  step(actor: number): void {
    this.perform(actor);
    this.settle(actor);
  }

  tick(): void {
    for (const [actor, number] of this.locals.entries()) this.locals[actor] = this.world.locals.older(number);
  }

  /** Forgets what nobody will look at any more. */
  sweep(): void {
    if (this.world.sweeper) this.files = this.world.sweeper.swept(this.files, this.all());
  }

  happened(what: string): void {
    this.world.happened.add(what);
  }

  private settle(actor: number): void {
    for (;;) {
      const local = this.local(actor);
      if (local.result) return this.world.script.ended(this, local, local.result.value);
      if (!local.asked || !this.isUnnoticed(local, local.asked)) return;
      this.perform(actor);
    }
  }

  private isUnnoticed(local: Local, [name]: Asked): boolean {
    if (name === 'fresh' || name === 'sync' || (name === 'now' && isForPeople(local))) return true;
    return this.world.script.isPrivate(local);
  }

  private perform(actor: number): void {
    const local = this.local(actor);
    const answer = this.answerTo(local, local.asked!);
    this.log?.push(`${local.asked!.join(' ')} -> ${JSON.stringify(answer)}`);
    this.locals[actor] = this.world.locals.answered(this.locals[actor]!, answer);
    this.world.script.observe?.(this, local, answer);
  }

  private answerTo(local: Local, asked: Asked): unknown {
    switch (asked[0]) {
      case 'life':
        return this.world.script.life(this, (asked[1] as ProcessIdentity).startTime);
      case 'fresh':
        return this.unused(local.actor);
      case 'now':
        return isForPeople(local) ? FOR_PEOPLE : NOW;
      default: {
        const plain = this.world.script.plain?.(asked) ?? asked;
        const { answer, files } = this.world.fileSystems.perform(this.files, plain, local.key);
        this.files = files;
        return answer;
      }
    }
  }

  /** The first id of a process that is in no file and that nobody remembers: to all of them it is new. */
  private unused(actor: number): string {
    const texts = [this.world.fileSystems.textOf(this.files), ...this.all().map(({ text }) => text)];
    for (let count = 1; ; count++) {
      const id = idName(actor, count);
      if (!texts.some((text) => text.includes(id))) return id;
    }
  }
}

/** What follows a fresh id is the time that is written down beside it. */
function isForPeople(local: Local): boolean {
  return isId(local.answers.at(-1));
}

/** What bidding looks at in a listing: the highest number and its companions. */
export function highestIn(names: readonly string[]): string[] {
  const numbers = names.filter((name) => /^\d{8}/.test(name));
  const highest = numbers.filter((name) => name.length === 8).at(-1) ?? '';
  return numbers.filter((name) => name.startsWith(highest) && !name.endsWith('.beat'));
}
