/** The launchers of a run: one for each slot, started on first need, replaced when they are worn or suspect. */
import type { LauncherIdentity, Millis } from '../core/words.js';
import type { Clock, Launch } from '../engine/ports.js';
import { bootId, readStat } from '../host/identity.js';
import { type Launcher, type LauncherOptions, startLauncher } from './launcher.js';
import { createLifelineStock, type Lifeline } from './lifelines.js';
import type { LauncherRecord } from './records.js';
import { unlessRefused } from './shortage.js';

/** A launcher is not used again after a job of this length: its group may hold what the job left behind. */
const LONG_JOB_MS = 1000;
const JOBS_PER_LAUNCHER_MAX = 1000;

/** A launcher that has a job. */
export interface Busy {
  readonly launcher: Launcher;
  readonly identity: LauncherIdentity;
  readonly launch: Launch;
  readonly fedAt: Millis;
  isConfirmed: boolean;
  /** Its launcher is not used again. */
  isLast: boolean;
  /** Its lifeline was still held when it had ended. */
  hasLeft: boolean;
}

export interface PoolOptions
  extends Pick<LauncherOptions, 'shell' | 'folder' | 'environment' | 'exits' | 'attempts'> {
  readonly epoch: number;
  readonly size: number;
  readonly clock: Clock;
  /** A launcher is ready; it gets no job before it has been admitted. */
  readonly onStarted: (identity: LauncherIdentity) => void;
  readonly onIdle: () => void;
  readonly onAnswer: (busy: Busy, answer: LauncherRecord) => void;
  /** A launcher died with its job in hand. */
  readonly onDied: (busy: Busy) => void;
  readonly onStartFailed: (message: string) => void;
}

export interface Pool {
  admit(name: string): void;
  /** Gives a job to an idle launcher; false: none is idle. */
  feed(launch: Launch, shard: string, argv: readonly string[]): boolean;
  /** Starts launchers for so many waiting jobs, within the size of the pool. */
  want(jobs: number): void;
  busy(): Busy[];
  close(): Promise<void>;
}

interface Slot {
  readonly name: string;
  launcher: Launcher | null;
  lifeline: Lifeline | null;
  identity: LauncherIdentity | null;
  isAdmitted: boolean;
  busy: Busy | null;
  jobs: number;
}

export function createPool(options: PoolOptions): Pool {
  const { clock, size } = options;
  const lifelines = createLifelineStock(options.exits, String(options.epoch), size);
  /** Those that are being started or may get a job; a retired one is in `byName` only, until it has left. */
  const slots = new Set<Slot>();
  const byName = new Map<string, Slot>();
  const idle: Slot[] = [];
  const starts = new Set<Promise<void>>();
  let started = 0;
  let isClosed = false;

  function want(jobs: number): void {
    let coming = [...slots].filter((slot) => !slot.isAdmitted).length;
    for (; coming < jobs && slots.size < size; coming++) {
      const start = startSlot(newSlot(`${options.epoch}-${++started}`)).finally(() => starts.delete(start));
      starts.add(start);
    }
  }

  async function startSlot(slot: Slot): Promise<void> {
    slots.add(slot);
    try {
      slot.lifeline = await lifelines.take();
      if (isClosed) return;
      slot.launcher = startLauncher({
        ...options,
        name: slot.name,
        lifeline: slot.lifeline.path,
        onAnswer: (answer) => answered(slot, answer),
        onGone: (failure) => gone(slot, failure),
      });
      byName.set(slot.name, slot);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      startFailed(slot, error.message);
    }
  }

  function startFailed(slot: Slot, message: string): void {
    slots.delete(slot);
    if (slot.lifeline) lifelines.giveBack(slot.lifeline);
    options.onStartFailed(message);
    options.onIdle();
  }

  function answered(slot: Slot, answer: LauncherRecord): void {
    if (answer.kind === 'R') ready(slot, answer.code!);
    else if (slot.busy && answer.id === `${slot.busy.launch.job}.${slot.busy.launch.attempt}`) {
      const { busy } = slot;
      release(slot, answer.kind);
      options.onAnswer(busy, answer);
      options.onIdle();
    }
  }

  function ready(slot: Slot, pid: number): void {
    const startTime = unlessRefused(() => readStat(pid))?.startTime;
    // Gone already, or not to be proven later on: it leaves, and its end says that the start failed.
    if (startTime === undefined) return slot.launcher!.dismiss();
    const lifeline = slot.lifeline!.path;
    slot.identity = { launcher: slot.name, pid, startTime, bootId: bootId(), lifeline };
    options.onStarted(slot.identity);
  }

  function admit(name: string): void {
    const slot = byName.get(name);
    if (!slot || !slots.has(slot) || slot.isAdmitted) return;
    slot.isAdmitted = true;
    idle.push(slot);
    options.onIdle();
  }

  function feed(launch: Launch, shard: string, argv: readonly string[]): boolean {
    const slot = idle.pop();
    if (!slot) return false;
    slot.busy = {
      launcher: slot.launcher!,
      identity: slot.identity!,
      launch,
      fedAt: clock.now(),
      isConfirmed: false,
      isLast: false,
      hasLeft: false,
    };
    slot.jobs++;
    slot.launcher!.feed(launch.job, launch.attempt, shard, argv);
    return true;
  }

  /** Back to the idle ones, or away: nothing of one job may meet the next. */
  function release(slot: Slot, kind: LauncherRecord['kind']): void {
    const isLong = clock.now() - slot.busy!.fedAt >= LONG_JOB_MS;
    const { busy } = slot;
    busy!.hasLeft = kind === 'E' && slot.lifeline!.isHeld();
    const isWorn = busy!.isLast || slot.jobs >= JOBS_PER_LAUNCHER_MAX || !slot.launcher!.hasRoom();
    slot.busy = null;
    if (kind !== 'E' || isLong || isWorn || busy!.hasLeft) retire(slot);
    else idle.push(slot);
  }

  function retire(slot: Slot): void {
    slots.delete(slot);
    slot.launcher?.dismiss();
  }

  function gone(slot: Slot, failure: string | null): void {
    byName.delete(slot.name);
    if (!slot.isAdmitted) return startFailed(slot, failure ?? 'a launcher left before it was ready');
    slots.delete(slot);
    const place = idle.indexOf(slot);
    if (place >= 0) idle.splice(place, 1);
    if (slot.busy) {
      // Its lifeline is not given to another launcher: it is the proof that something of the job lives.
      lifelines.drop(slot.lifeline!);
      options.onDied(slot.busy);
    } else {
      lifelines.giveBack(slot.lifeline!);
    }
    options.onIdle();
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const { launcher } of byName.values()) launcher!.letGo();
    await Promise.all(starts);
    lifelines.close();
  }

  return {
    admit,
    feed,
    want,
    busy: () => Array.from(slots, (slot) => slot.busy).filter((busy) => busy !== null),
    close,
  };
}

function newSlot(name: string): Slot {
  return {
    name,
    launcher: null,
    lifeline: null,
    identity: null,
    isAdmitted: false,
    busy: null,
    jobs: 0,
  };
}
