/**
 * Ending one attempt for certain (docs/protocols.md, "Kill"): a signal to its group and to whatever carries its marker,
 * a grace, KILL, until nothing of it is left. What lives on after that is named.
 */
import type { LauncherIdentity, Survivor } from '../core/words.js';
import type { Clock, KillOrder, Launch } from '../engine/ports.js';
import { findMarked, type Marker } from '../host/marked.js';
import {
  listProcesses,
  type ProcessEntry,
  signalGroup,
  signalProcess,
  writersOf,
} from '../host/processes.js';
import { unlessRefused } from './shortage.js';

const LOOK_MS = 200;
/** At first, until a signal is out: the job may be just about to start. */
const FIRST_LOOK_MS = 10;
const FIRST_LOOKS = 20;
/** What outlives KILL for so long hangs in the kernel, or belongs to somebody else. */
const FORCE_MS = 10_000;
/** Other signals would end the launcher, which is to record how its job ended. */
const SAFE_FOR_LAUNCHER: readonly string[] = ['HUP', 'INT', 'QUIT', 'TERM'];

export interface KillingOptions {
  readonly launch: Launch;
  readonly order: KillOrder;
  readonly marker: Marker;
  /** The launcher that has it in hand, or had; null: nobody knows which. */
  readonly launcher: LauncherIdentity | null;
  /** Nobody will start or end it any more: its launcher has answered, or is gone. */
  readonly isAnswered: () => boolean;
  readonly clock: Clock;
  /** Nothing is left but these; called once. */
  readonly onOver: (survivors: readonly Survivor[]) => void;
}

export interface Killing {
  /** By force at the earlier one of both times. */
  hasten(order: KillOrder): void;
  /** Its launcher has answered: no need to wait for the next look. */
  wake(): void;
  close(): void;
}

/** What one look at the process table shows of an attempt. */
interface Sight {
  /** With its marker, or in its launcher's group. */
  readonly own: readonly ProcessEntry[];
  readonly marked: ReadonlySet<number>;
  readonly launcher: ProcessEntry | null;
  /** The group is that of the launcher, and nobody of another attempt is in it. */
  readonly isGroupOurs: boolean;
}

export function startKilling(options: KillingOptions): Killing {
  const { clock, launcher } = options;
  let { order } = options;
  /** Signalled; of those without a marker at that time a child of the launcher may not have been the job yet. */
  const signalled = new Map<number, { startTime: string; wasMarked: boolean }>();
  let forcedSince: number | null = null;
  let cancelLook: (() => void) | null = null;
  let isOver = false;
  let looks = 0;

  function look(): void {
    cancelLook?.();
    if (isOver) return;
    const sight = unlessRefused(() => see(options));
    if (sight) act(sight);
    const isFirst = signalled.size === 0 && ++looks <= FIRST_LOOKS;
    if (!isOver) cancelLook = clock.after(isFirst ? FIRST_LOOK_MS : LOOK_MS, look);
  }

  function act(sight: Sight): void {
    const now = clock.now();
    const isLauncherGone = launcher !== null && sight.launcher === null;
    if (sight.own.length === 0 && (isLauncherGone || options.isAnswered())) return over([]);
    if (now < order.forceAt) return ask(sight);
    forcedSince ??= now;
    if (now - forcedSince >= FORCE_MS)
      return over(sight.own.map(({ pid, name, state }) => ({ pid, name, state })));
    force(sight);
  }

  /** The signal that was asked for, to each process once; the group as a whole as long as none has got it. */
  function ask({ own, marked, launcher: shell, isGroupOurs }: Sight): void {
    const signal = `SIG${order.signal}` as NodeJS.Signals;
    const isNew = ({ pid, startTime }: ProcessEntry) => {
      const before = signalled.get(pid);
      return before?.startTime !== startTime || (!before.wasMarked && marked.has(pid));
    };
    const fresh = own.filter(isNew);
    if (fresh.length === 0) return;
    const isWhole = signalled.size === 0 && isGroupOurs && SAFE_FOR_LAUNCHER.includes(order.signal);
    const inGroup = (one: ProcessEntry) => isWhole && one.group === launcher?.pid;
    if (isWhole && fresh.some(inGroup)) {
      signalGroup(launcher!.pid, signal);
      signalGroup(launcher!.pid, 'SIGCONT');
    }
    for (const one of fresh) {
      signalled.set(one.pid, { startTime: one.startTime, wasMarked: marked.has(one.pid) });
      if (inGroup(one) || one.pid === shell?.pid) continue;
      signalProcess(one, signal);
      signalProcess(one, 'SIGCONT');
    }
  }

  function force({ own, launcher: shell, isGroupOurs }: Sight): void {
    if (isGroupOurs && launcher) signalGroup(launcher.pid, 'SIGKILL');
    for (const one of own) signalProcess(one, 'SIGKILL');
    if (shell) signalProcess(shell, 'SIGKILL');
  }

  function over(survivors: readonly Survivor[]): void {
    isOver = true;
    cancelLook?.();
    options.onOver(survivors);
  }

  // Nothing is told from within the call.
  queueMicrotask(look);
  return {
    hasten: (next) => {
      if (next.forceAt < order.forceAt) order = next;
      look();
    },
    wake: () => {
      cancelLook?.();
      cancelLook = clock.after(0, look);
    },
    close: () => {
      isOver = true;
      cancelLook?.();
    },
  };
}

function see({ launch, marker, launcher }: KillingOptions): Sight {
  const processes = listProcesses();
  const all = findMarked(marker);
  const isOwn = (one: { job: string; attempt: number }) =>
    one.job === launch.job && one.attempt === launch.attempt;
  const marked = new Set(all.filter(isOwn).map(({ pid }) => pid));
  const foreign = new Set(all.filter((one) => !isOwn(one)).map(({ pid }) => pid));
  const shell = processes.find(
    ({ pid, startTime }) => pid === launcher?.pid && startTime === launcher.startTime,
  );
  const members = processes.filter(({ group }) => group === launcher?.pid);
  // The number of a group is not used again while it has members: one that is known proves it.
  const isProven = shell !== undefined || members.some(({ pid }) => marked.has(pid));
  const isGroupOurs = isProven && !members.some(({ pid }) => foreign.has(pid));
  const inGroup = isGroupOurs ? new Set(members.map(({ pid }) => pid)) : new Set<number>();
  let own = processes.filter(
    ({ pid }) => pid !== process.pid && pid !== shell?.pid && (marked.has(pid) || inGroup.has(pid)),
  );
  if (own.length === 0 && launcher) {
    // Whoever left the group and emptied its environment may still have the lifeline.
    const holders = new Set(writersOf(launcher.lifeline));
    own = processes.filter(({ pid }) => holders.has(pid) && pid !== shell?.pid);
  }
  return { own, marked, launcher: shell ?? null, isGroupOurs };
}
