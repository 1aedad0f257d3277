/** Fenced writes: everybody writes the target once, under a token of its own or the same one, and tries again. */

import type { Round } from '../../../src/claim/bid.js';
import { type Fenced, fenceFile, parseFence, tryFencedWrite } from '../../../src/claim/fence-steps.js';
import { numberName } from '../../../src/claim/record.js';
import { ask, type Life, type Steps } from '../../../src/claim/steps.js';
import { Alone, FRESH_PROCESS } from './alone.js';
import { Fault } from './checker.js';
import { crashes } from './choices.js';
import type { Local, Situation } from './locals.js';
import type { Names } from './memory-files.js';
import type { Mutant } from './mutants.js';
import { actorOf, processName } from './symmetry.js';
import { type Choice, identityOf, type Script, type Turn, World } from './world.js';

export interface FenceSetting {
  /** For every process under which token it writes. */
  readonly tokens: readonly number[];
  readonly crashes: number;
  readonly kept: number;
  /** How often each tries in all. */
  readonly tries: number;
  /** A planted bug. */
  readonly mutant?: Mutant;
}

interface Ghost {
  readonly crashes: number;
  /** The highest token whose deciding listing is over. */
  readonly token: number;
  /** The highest that the fence has shown. */
  readonly fence: number;
  /** The number of the entry whose content the target has. */
  readonly shown: number;
}

interface Carry {
  /** How many tries are left, this one among them. */
  readonly tries: number;
  /** Its entry in this try. */
  readonly number?: number;
  readonly isAccepted?: boolean;
  readonly isShown?: boolean;
}

const TARGET = '/t';
const FENCE = fenceFile(TARGET);

/** Higher than all others. */
const FRESH_TOKEN = 9;

/** Answers from the beginning of a try to its first look at the entries. */
const PREPARING = 5;

export function fenceWorld(setting: FenceSetting): World<Ghost> {
  return new World(new FenceScript(setting));
}

function write(name: string, token: number, kept: number): Steps<Round<Fenced>> {
  const content = (file: string) => ask('write', file, String(token));
  return tryFencedWrite({ target: TARGET, token, writer: identityOf(name), content, kept });
}

class FenceScript implements Script<Ghost> {
  readonly kinds: readonly number[];
  readonly forgetsIds = true;
  readonly ghost: Ghost;
  private readonly passable = new Set<number>();

  constructor(private readonly setting: FenceSetting) {
    this.kinds = setting.tokens;
    this.ghost = { crashes: setting.crashes, token: 0, fence: 0, shown: 0 };
  }

  start(turn: Turn<Ghost>, actor: number): void {
    turn.enter(actor, 'writing', { tries: this.setting.tries });
  }

  begin({ actor, phase }: Situation): Steps<unknown> | null {
    if (phase !== 'writing') return null;
    const { tokens, kept, mutant } = this.setting;
    const steps = write(processName(actor), tokens[actor]!, kept);
    return mutant ? mutant(steps, actor) : steps;
  }

  ended(turn: Turn<Ghost>, { actor, carry }: Local, value: unknown): void {
    const made = value as Round<Fenced>;
    const { tries, isShown } = carry as Carry;
    turn.happened(made === 'again' ? 'again' : made.kind);
    if (made === 'again' && tries > 1) return turn.enter(actor, 'writing', { tries: tries - 1 });
    if (made !== 'again' && made.kind === 'written') {
      if (!isShown) turn.happened('written, and the reply was lost');
      if (turn.ghost.shown < made.number) throw new Fault('success is reported, and the content is lost');
    } else if (isShown) throw new Fault('written, and not reported');
    turn.enter(actor, 'gone');
  }

  moves(turn: Turn<Ghost>): Choice<Ghost>[] {
    if (turn.ghost.crashes === 0) return [];
    const living = turn.all().filter(({ phase }) => phase !== 'gone');
    return living.map(({ actor }) => crashes(actor));
  }

  /** Its first file is there as soon as it has a name for it; nobody else has seen it before. */
  isPrivate({ asked }: Local): boolean {
    return asked![0] === 'write' && String(asked![1]).includes('/tmp.');
  }

  /** Names of contents are looked at by nobody, and those of prepared entries only when tidying. */
  hear({ asked, carry }: Local, answer: unknown): unknown {
    const { number, isAccepted } = carry as Carry;
    if (asked![0] === 'remove') return true;
    if (asked![0] !== 'list') return answer;
    const names = (answer as string[]).filter((name) => /^\d{8}$|^tmp/.test(name));
    if (isAccepted) return names;
    const numbers = names.filter((name) => !name.startsWith('tmp.'));
    return number === undefined ? numbers.slice(-1) : numbers;
  }

  /** What it saw in rounds before is forgotten. */
  digest({ actor, phase, carry, answers, asked }: Local): Situation | null {
    if (this.setting.mutant || asked?.[0] !== 'list' || (carry as Carry).number !== undefined) return null;
    return { actor, phase, carry, answers: [null, ...answers.slice(1, PREPARING)] };
  }

  observe(turn: Turn<Ghost>, { actor, asked, carry }: Local, answer: unknown): void {
    const own = carry as Carry;
    const [name, , to] = asked!;
    if (name === 'link' && answer === true) this.enter(turn, actor, own, Number(String(to).slice(-8)));
    if (name === 'list' && own.number && !own.isAccepted) this.decide(turn, actor, own, answer as string[]);
    if (name === 'rename' && to === FENCE && answer === true) this.showFence(turn, actor);
    if (name === 'rename' && to === TARGET && answer === true) this.show(turn, actor, own);
  }

  private enter(turn: Turn<Ghost>, actor: number, own: Carry, number: number): void {
    this.know(turn, actor, { ...own, number });
    if (this.setting.mutant) return;
    // Which entry it came after is forgotten.
    const { phase, carry, answers, key } = turn.local(actor);
    const below = number === 1 ? [[]] : [[numberName(number - 1)], '{"token":0,"id":""}'];
    const next = turn.world.locals.numberOf({
      actor,
      phase,
      carry,
      answers: [null, ...answers.slice(1, PREPARING), ...below, true],
    });
    if (turn.world.locals.get(next).key !== key)
      throw new Error('impossible: it remembers what it came after');
    turn.locals[actor] = next;
  }

  private know(turn: Turn<Ghost>, actor: number, carry: Carry): void {
    const { phase, answers } = turn.local(actor);
    turn.locals[actor] = turn.world.locals.numberOf({ actor, phase, carry, answers });
  }

  private decide(turn: Turn<Ghost>, actor: number, own: Carry, names: string[]): void {
    if (names.filter((name) => /^\d{8}$/.test(name)).at(-1) !== numberName(own.number!)) return;
    const token = this.setting.tokens[actor]!;
    turn.happened('accepted');
    if (token < turn.ghost.token)
      throw new Fault(`token ${token} is accepted after token ${turn.ghost.token}`);
    turn.ghost = { ...turn.ghost, token };
    this.know(turn, actor, { ...own, isAccepted: true });
  }

  private showFence(turn: Turn<Ghost>, actor: number): void {
    const token = this.setting.tokens[actor]!;
    const { fence } = turn.ghost;
    if (token < fence) throw new Fault(`the fence goes back from token ${fence} to ${token}`);
    turn.ghost = { ...turn.ghost, fence: token };
  }

  private show(turn: Turn<Ghost>, actor: number, own: Carry): void {
    const { shown } = turn.ghost;
    if (own.number! < shown) throw new Fault(`the target goes back from ${shown} to ${own.number}`);
    turn.ghost = { ...turn.ghost, shown: own.number! };
    this.know(turn, actor, { ...own, isShown: true });
  }

  life(turn: Turn<Ghost>, name: string): Life {
    return turn.local(actorOf(name)).phase === 'gone' ? 'dead' : 'alive';
  }

  inspect(turn: Turn<Ghost>): void {
    const names = turn.world.fileSystems.namesOf(turn.files);
    if (this.passable.has(turn.files)) return;
    inspectContents(names);
    if (fenceOf(names) < Number(names.get(TARGET) ?? 0)) throw new Fault('the target is ahead of its fence');
    const fresh = new Alone(names);
    const made = fresh.run(write(FRESH_PROCESS, FRESH_TOKEN, this.setting.kept));
    const after = fresh.files.names;
    const isWritten = made !== 'again' && made.kind === 'written' && fenceOf(after) === FRESH_TOKEN;
    if (!isWritten || after.get(TARGET) !== String(FRESH_TOKEN)) throw new Fault('nobody can write any more');
    this.passable.add(turn.files);
  }
}

function fenceOf(names: Names): number {
  return parseFence(names.get(FENCE) ?? null, FENCE);
}

/** What no entry leads to would stay for ever. */
function inspectContents(names: Names): void {
  const entries = [...names].filter(([file]) => /\/(\d{8}|tmp\..*)$/.test(file)).map(([, text]) => text);
  for (const file of names.keys()) {
    const id = /\/[cf]\.(.*)$/.exec(file)?.[1];
    if (id && !entries.some((text) => text.includes(id))) throw new Fault(`nothing leads to ${file}`);
  }
}
