/** Leases: everybody wants the name, beats while it has it, loses it, lets it go, gives up, and may come back. */
import { type Bidder, prepare, type Round, release, tidy } from '../../../src/claim/bid.js';
import { beat, confirm, type LeaseRound, trustOf, tryLease } from '../../../src/claim/lease-steps.js';
import type { ClaimRecord } from '../../../src/claim/record.js';
import { ask, type Life, type Moment, type Steps } from '../../../src/claim/steps.js';
import { type Age, ageOf, momentOf, NOW, TICK_MS } from './ages.js';
import { Alone, FRESH_PROCESS } from './alone.js';
import { Fault } from './checker.js';
import { crashes, goesOn } from './choices.js';
import {
  type Carry,
  digest,
  FOLDER,
  isUnseen,
  knownBy,
  lookedAtIn,
  withoutCounter,
} from './lease-reductions.js';
import type { LeasesSetting } from './leases-setting.js';
import type { Clock, Local, Situation } from './locals.js';
import type { Asked } from './memory-files.js';
import { actorOf, processName } from './symmetry.js';
import { type Choice, identityOf, type Script, type Turn, World } from './world.js';

interface Ghost {
  readonly crashes: number;
  /** The highest token that was decided, by the last look before the mark that it is held. */
  readonly decided: number;
  /** The highest under which anybody has believed to have it. */
  readonly trusted: number;
}

export function leasesWorld(setting: LeasesSetting): World<Ghost> {
  return new World(new LeasesScript(setting));
}

class LeasesScript implements Script<Ghost> {
  readonly kinds: readonly number[];
  readonly forgetsIds = true;
  readonly ghost: Ghost;
  readonly clock: Clock;
  private readonly reachable = new Set<number>();

  constructor(private readonly setting: LeasesSetting) {
    this.kinds = setting.ttls;
    this.ghost = { crashes: setting.crashes, decided: 0, trusted: 0 };
    this.clock = {
      ticksMax: Math.max(...setting.ttls),
      forget: (carry, actor) => this.whileTrusted(carry as Carry | null, actor),
    };
  }

  start(turn: Turn<Ghost>, actor: number): void {
    turn.enter(actor, 'preparing');
    while (this.setting.isHeld && actor === 0 && turn.local(actor).phase !== 'holding') turn.step(actor);
  }

  begin(situation: Situation): Steps<unknown> | null {
    const steps = this.protocol(situation);
    return steps && this.setting.mutant ? this.setting.mutant(steps, situation.actor) : steps;
  }

  private protocol({ actor, phase, carry }: Situation): Steps<unknown> | null {
    const { me, number, watch } = (carry ?? {}) as Carry;
    switch (phase) {
      case 'preparing':
        return prepare(FOLDER, this.recordOf(processName(actor), this.ttlMs(actor)));
      case 'trying':
        return tryLease(
          me!,
          this.ttlMs(actor),
          watch ? { ...watch, since: momentOf(watch.since).steady } : null,
        );
      case 'confirming':
        return confirm(me!, number!, this.ttlMs(actor));
      case 'tidying':
        return tidy(FOLDER, number!, this.setting.kept);
      case 'unpreparing':
      case 'leaving':
        return ask('remove', me!.prepared);
      case 'beating':
        return beat(FOLDER, number!, this.ttlMs(actor));
      case 'releasing':
        return release(FOLDER, number!);
      default:
        return null;
    }
  }

  private recordOf(name: string, ttlMs: number): Omit<ClaimRecord, 'id'> {
    return { format: 1, kind: this.setting.kind, ...identityOf(name), claimedAt: 0, ttlMs, socket: null };
  }

  private ttlMs(actor: number): number {
    return this.setting.ttls[actor]! * TICK_MS;
  }

  ended(turn: Turn<Ghost>, { actor, phase, carry }: Local, value: unknown): void {
    const own = (carry ?? {}) as Carry;
    switch (phase) {
      case 'preparing':
        return turn.enter(actor, 'trying', { me: value });
      case 'trying':
      case 'confirming':
        return this.tried(turn, actor, own.me!, value as Round<LeaseRound>);
      case 'tidying':
        return turn.enter(actor, 'unpreparing', own);
      case 'unpreparing':
        return turn.enter(actor, 'holding', { ...own, me: undefined });
      case 'beating':
        return this.hasBeaten(turn, actor, own.number!, value as Moment | null);
      default:
        return turn.enter(actor, this.setting.comesBack ? 'idle' : 'gone');
    }
  }

  private tried(turn: Turn<Ghost>, actor: number, me: Bidder, made: Round<LeaseRound>): void {
    turn.happened(made === 'again' ? 'again' : made.kind);
    if (made === 'again') return turn.enter(actor, 'trying', { me });
    switch (made.kind) {
      case 'held':
        return this.hold(turn, actor, me, made);
      case 'watching': {
        const { number, beat, since } = made.watch;
        return turn.enter(actor, 'watching', { me, watch: { number, beat, since: ageOf(since) } });
      }
      case 'bidden':
        return turn.enter(actor, 'bidden', {
          me,
          number: made.number,
          since: NOW,
          ticks: made.waitMs / TICK_MS,
        });
      case 'lock':
        throw new Fault('a lease that is taken for a lock');
    }
  }

  private hold(turn: Turn<Ghost>, actor: number, me: Bidder, made: { number: number; since: Moment }): void {
    const next = this.setting.kept === undefined ? 'unpreparing' : 'tidying';
    turn.enter(actor, next, { me, number: made.number, trust: this.trustFrom(turn, actor, made) });
  }

  private hasBeaten(turn: Turn<Ghost>, actor: number, number: number, since: Moment | null): void {
    turn.happened(since ? 'beaten' : 'lost');
    if (!since) return turn.enter(actor, this.setting.comesBack ? 'idle' : 'gone');
    turn.enter(actor, 'holding', { number, trust: this.trustFrom(turn, actor, { number, since }) });
  }

  /** Undefined: so much time has passed meanwhile that it is not to be trusted. */
  private trustFrom(
    turn: Turn<Ghost>,
    actor: number,
    made: { number: number; since: Moment },
  ): Age | undefined {
    const since = ageOf(made.since.steady);
    if (!this.isTrusted(since, actor)) return undefined;
    const { trusted } = turn.ghost;
    if (made.number < trusted) throw new Fault(`token ${made.number} is trusted after token ${trusted}`);
    turn.ghost = { ...turn.ghost, trusted: made.number };
    return since;
  }

  /** Who marks its number as held has decided that it is the highest. */
  observe(turn: Turn<Ghost>, { actor }: Local): void {
    const { asked } = turn.local(actor);
    if (asked?.[0] !== 'mark' || !String(asked[1]).endsWith('.held')) return;
    const number = Number(/\d{8}/.exec(String(asked[1]))![0]);
    const { decided } = turn.ghost;
    if (number <= decided) throw new Fault(`token ${number} after token ${decided}`);
    turn.happened(`token ${number}`);
    turn.ghost = { ...turn.ghost, decided: number };
  }

  private isTrusted({ age }: Age, actor: number): boolean {
    return age * TICK_MS < trustOf(this.ttlMs(actor));
  }

  private whileTrusted(carry: Carry | null, actor: number): Carry | null {
    if (!carry?.trust || this.isTrusted(carry.trust, actor)) return carry;
    return { ...carry, trust: undefined };
  }

  moves(turn: Turn<Ghost>): Choice<Ghost>[] {
    const tick = { name: 'tick', take: (own: Turn<Ghost>) => own.tick() };
    return [tick, ...turn.all().flatMap((local) => this.ownMoves(turn, local))];
  }

  private ownMoves(turn: Turn<Ghost>, { actor, phase, carry }: Local): Choice<Ghost>[] {
    const own = (carry ?? {}) as Carry;
    const choices: Choice<Ghost>[] = [];
    const add = (what: string, next: string, carried: Carry | null) =>
      choices.push(goesOn(actor, what, next, carried));
    if (phase === 'watching') add('looks again', 'trying', own);
    if (phase === 'bidden' && own.since!.age >= own.ticks!) add('confirms', 'confirming', own);
    if (phase === 'watching' || phase === 'bidden') if (this.setting.givesUp) add('gives up', 'leaving', own);
    if (phase === 'holding') add('beats', 'beating', own);
    if (phase === 'holding' && this.setting.releases) add('lets go', 'releasing', { number: own.number! });
    if (phase === 'idle') add('comes back', 'preparing', null);
    // Who has got a token of kind `time` may be another process than the one that died, and go on.
    const left = this.setting.kind === 'time' ? { trust: own.trust } : null;
    if (phase !== 'gone' && turn.ghost.crashes > 0) choices.push(crashes(actor, left));
    return choices;
  }

  isPrivate(local: Local): boolean {
    return isUnseen(local, this.setting);
  }

  plain(asked: Asked): Asked {
    return withoutCounter(asked);
  }

  hear({ asked, phase }: Local, answer: unknown): unknown {
    return asked![0] === 'list' && phase !== 'tidying' ? lookedAtIn(answer as string[]) : answer;
  }

  digest(local: Local): Situation | null {
    return digest(local, this.clock.ticksMax);
  }

  knownBy(file: string, names: readonly string[]): readonly string[] | null {
    return knownBy(file, names);
  }

  isWithin(asked: Asked): boolean {
    return asked[0] !== 'link' || Number(String(asked[2]).slice(-8)) <= this.setting.numbersMax;
  }

  life(turn: Turn<Ghost>, name: string): Life {
    // Of another host: its death is proven to nobody.
    if (this.setting.kind === 'time') return 'unknown';
    return turn.local(actorOf(name)).phase === 'gone' ? 'dead' : 'alive';
  }

  inspect(turn: Turn<Ghost>): void {
    const believing = turn.all().filter(({ carry }) => (carry as Carry | null)?.trust);
    if (believing.length > 1) throw new Fault('two believe that they have the lease');
    this.inspectProgress(turn);
  }

  /** Whoever comes when all others are dead has it after its time to live at the latest. */
  private inspectProgress(turn: Turn<Ghost>): void {
    if (this.reachable.has(turn.files)) return;
    const fresh = new Alone(turn.world.fileSystems.namesOf(turn.files));
    const ttlMs = this.ttlMs(0);
    const me = fresh.run(prepare(FOLDER, this.recordOf(FRESH_PROCESS, ttlMs)));
    let made = fresh.run(tryLease(me, ttlMs, null));
    if (made !== 'again' && made.kind === 'watching') {
      fresh.wait(made.leftMs);
      made = fresh.run(tryLease(me, ttlMs, made.watch));
    }
    if (made === 'again' || made.kind !== 'held') throw new Fault('nobody can have the lease any more');
    this.reachable.add(turn.files);
  }
}
