/** Claims of kind `process`: everybody wants the name, holds it, with a command or without, and lets it go. */
import {
  type Bid,
  type Bidder,
  bid,
  prepare,
  type Round,
  recordChild,
  release,
  type Standing,
  tidy,
} from '../../../src/claim/bid.js';
import { type ClaimRecord, numberName } from '../../../src/claim/record.js';
import { ask, type Life, type Steps } from '../../../src/claim/steps.js';
import { Alone, FRESH_PROCESS } from './alone.js';
import { Fault } from './checker.js';
import { crashes, goesOn } from './choices.js';
import type { Local, Situation } from './locals.js';
import type { Mutant } from './mutants.js';
import { actorOf, commandName, processName } from './symmetry.js';
import { type Choice, highestIn, identityOf, type Script, type Turn, World } from './world.js';

export interface ClaimsSetting {
  /** For every process how often it wants the name. */
  readonly rounds: readonly number[];
  readonly crashes: number;
  readonly kept: number;
  /** The holder while it holds, or whoever has held after its release. */
  readonly tidies: 'holding' | 'released';
  /** The holder starts a command, which may outlive it. */
  readonly hasCommand: boolean;
  /** A planted bug. */
  readonly mutant?: Mutant;
}

/** `closing`: its start gate is closed, as the pipe has ended; it will leave without having done anything. */
type Command = 'none' | 'gated' | 'running' | 'closing' | 'ended';

interface Ghost {
  readonly crashes: number;
  /** The highest token whose deciding listing is over. */
  readonly token: number;
}

interface Carry {
  readonly rounds: number;
  readonly me: Bidder;
  readonly number: number;
  readonly command: Command;
}

const FOLDER = '/d';

/** A fresh process must hold within so many operations when all others are dead. */
const OPERATIONS_MAX = 14;

/** Phases in which a process has the name: from its deciding listing to the mark beside its number. */
const HOLDING = new Set('tidying unpreparing holding recording recorded running releasing'.split(' '));

export function claimsWorld(setting: ClaimsSetting): World<Ghost> {
  return new World(new ClaimsScript(setting));
}

function recordOf(name: string): Omit<ClaimRecord, 'id'> {
  return { format: 1, kind: 'process', ...identityOf(name), claimedAt: 0, ttlMs: null, socket: null };
}

function isFree(found: Standing): boolean {
  return (
    found.kind === 'none' || found.kind === 'released' || (found.kind === 'held' && found.life === 'dead')
  );
}

/** A command that has not been let go will end by itself; one that runs has the name. */
function leftOf({ command, me, number }: Carry): Partial<Carry> {
  if (command === 'running') return { command, me, number };
  return { command: command === 'gated' ? 'closing' : command };
}

class ClaimsScript implements Script<Ghost> {
  readonly kinds: readonly number[];
  readonly forgetsIds = true;
  readonly ghost: Ghost;
  private readonly reachable = new Set<number>();

  constructor(private readonly setting: ClaimsSetting) {
    this.kinds = setting.rounds;
    this.ghost = { crashes: setting.crashes, token: 0 };
  }

  start(turn: Turn<Ghost>, actor: number): void {
    turn.enter(actor, 'preparing', { rounds: this.setting.rounds[actor], command: 'none' });
  }

  begin(situation: Situation): Steps<unknown> | null {
    const steps = this.protocol(situation);
    return steps && this.setting.mutant ? this.setting.mutant(steps, situation.actor) : steps;
  }

  private protocol({ actor, phase, carry }: Situation): Steps<unknown> | null {
    const { me, number } = (carry ?? {}) as Carry;
    switch (phase) {
      case 'preparing':
        return prepare(FOLDER, recordOf(processName(actor)));
      case 'bidding':
        return bid(me, isFree);
      case 'unpreparing':
        return ask('remove', me.prepared);
      case 'tidying':
      case 'tidying after':
        return tidy(FOLDER, number, this.setting.kept);
      case 'recording':
        return recordChild(FOLDER, number, identityOf(commandName(actor)));
      case 'releasing':
        return release(FOLDER, number);
      default:
        return null;
    }
  }

  ended(turn: Turn<Ghost>, { actor, phase, carry }: Local, value: unknown): void {
    const own = carry as Carry;
    switch (phase) {
      case 'preparing':
        return turn.enter(actor, 'bidding', { ...own, me: value });
      case 'bidding':
        return this.bidden(turn, actor, own, value as Round<Bid>);
      case 'tidying':
        return turn.enter(actor, 'unpreparing', own);
      case 'unpreparing':
        return turn.enter(actor, 'holding', own);
      case 'recording':
        return turn.enter(actor, 'recorded', own);
      case 'releasing':
        if (this.setting.tidies === 'released') return turn.enter(actor, 'tidying after', own);
        return this.goOn(turn, actor, own);
      default:
        return this.goOn(turn, actor, own);
    }
  }

  private bidden(turn: Turn<Ghost>, actor: number, own: Carry, made: Round<Bid>): void {
    turn.happened(made === 'again' ? 'again' : made.kind);
    if (made === 'again' || made.kind === 'found') return turn.enter(actor, 'bidding', own);
    if (made.number <= turn.ghost.token)
      throw new Fault(`token ${made.number} after token ${turn.ghost.token}`);
    turn.happened(`token ${made.number}`);
    turn.ghost = { ...turn.ghost, token: made.number };
    const next = this.setting.tidies === 'holding' ? 'tidying' : 'unpreparing';
    turn.enter(actor, next, { ...own, number: made.number });
  }

  private goOn(turn: Turn<Ghost>, actor: number, { rounds }: Carry): void {
    if (rounds > 1) return turn.enter(actor, 'preparing', { rounds: rounds - 1, command: 'none' });
    turn.enter(actor, 'gone', { command: 'none' });
  }

  moves(turn: Turn<Ghost>): Choice<Ghost>[] {
    return turn.all().flatMap((local) => this.ownMoves(turn, local));
  }

  private ownMoves(turn: Turn<Ghost>, { actor, phase, carry }: Local): Choice<Ghost>[] {
    const own = carry as Carry;
    const { command } = own;
    const choices: Choice<Ghost>[] = [];
    const add = (what: string, next: string, later: Command) =>
      choices.push(goesOn(actor, what, next, { ...own, command: later }));
    const { hasCommand } = this.setting;
    if (phase === 'holding' && hasCommand) add('forks a command', 'recording', 'gated');
    if (phase === 'holding' && !hasCommand) add('lets go', 'releasing', command);
    if (phase === 'recorded') add('says go', 'running', 'running');
    if (phase === 'running' && command === 'ended') add('lets go', 'releasing', command);
    if (phase === 'running' && command === 'running') add('sees its command end', phase, 'ended');
    const isLeft = phase === 'gone' && (command === 'running' || command === 'closing');
    if (isLeft) choices.push(goesOn(actor, 'is dead, and its command ends', 'gone', { command: 'ended' }));
    if (phase !== 'gone' && turn.ghost.crashes > 0) choices.push(crashes(actor, leftOf(own)));
    return choices;
  }

  /** What somebody living prepares is looked at by nobody else. */
  isPrivate({ asked }: Local): boolean {
    return asked![0] === 'write';
  }

  /** Bidding looks at the highest number and its companions; only tidying looks at more. */
  hear({ phase, asked }: Local, answer: unknown): unknown {
    if (phase !== 'bidding' || asked![0] !== 'list') return answer;
    return highestIn(answer as string[]);
  }

  /** Why it bids is forgotten once it bids. */
  digest({ actor, phase, carry, answers, asked }: Local): Situation | null {
    if (this.setting.mutant || phase !== 'bidding' || asked?.[0] !== 'link') return null;
    const below = numberName(Number(String(asked[2]).slice(-8)) - 1);
    const isFirst = Number(below) === 0;
    const enough = isFirst ? [[], []] : [[below, `${below}.released`]];
    const isEnough = JSON.stringify(answers) === JSON.stringify(enough);
    return isEnough ? null : { actor, phase, carry, answers: enough };
  }

  life(turn: Turn<Ghost>, name: string): Life {
    const { phase, carry } = turn.local(actorOf(name));
    const { command } = carry as Carry;
    if (name === processName(actorOf(name))) return phase === 'gone' ? 'dead' : 'alive';
    return command === 'none' || command === 'ended' ? 'dead' : 'alive';
  }

  inspect(turn: Turn<Ghost>): void {
    const having = turn.all().filter(({ phase, carry }) => {
      return HOLDING.has(phase) || (carry as Carry).command === 'running';
    });
    if (having.length > 1) throw new Fault('two have the name');
    for (const { phase, carry } of having) {
      if (phase === 'gone') turn.happened('a command has outlived its wrapper');
      this.inspectClaim(turn, carry as Carry);
    }
    this.inspectProgress(turn);
  }

  private inspectClaim(turn: Turn<Ghost>, { me, number }: Carry): void {
    const text = turn.world.fileSystems.namesOf(turn.files).get(`${FOLDER}/${numberName(number)}`);
    if (!text?.includes(me.id)) throw new Fault('the claim of a living holder is gone');
  }

  /** Whoever comes when all others are dead has the name at once. */
  private inspectProgress(turn: Turn<Ghost>): void {
    if (this.reachable.has(turn.files)) return;
    const fresh = new Alone(turn.world.fileSystems.namesOf(turn.files));
    const me = fresh.run(prepare(FOLDER, recordOf(FRESH_PROCESS)));
    const made = fresh.run(bid(me, isFree));
    if (made === 'again' || made.kind !== 'held') throw new Fault('nobody can have the name any more');
    if (fresh.operations > OPERATIONS_MAX)
      throw new Fault(`it takes ${fresh.operations} operations to have the name`);
    this.reachable.add(turn.files);
  }
}
