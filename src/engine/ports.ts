/** What the engine needs of the world, each with a fake in fakes/ that passes the same contract suite. */

import type { Net } from '../core/net.js';
import type { Cells } from '../core/project.js';
import type {
  Edits,
  Event,
  FileEvent,
  JobName,
  LauncherIdentity,
  Millis,
  Report,
  Verdict,
} from '../core/words.js';

/** The durable record of a run. */
export interface Journal {
  /** Adds events to the current batch. Nothing of them may be shown or acted on before a `commit` has resolved. */
  append(events: readonly Event[], at: Millis): void;
  /**
   * Makes everything appended so far durable, then looks whether a higher epoch exists.
   * @throws EpochLost when another controller has taken over: show nothing, act on nothing, stop.
   * @throws DiskFault when the disk refuses: nothing is lost, a later commit tries all of it again.
   */
  commit(): Promise<void>;
  close(): Promise<void>;
}

/** One attempt to be started: what the launch record says. */
export interface Launch {
  readonly job: JobName;
  readonly attempt: number;
}

/** How an attempt is to be ended. */
export interface KillOrder {
  /** The first signal, without SIG. */
  readonly signal: string;
  /** When it is KILL. */
  readonly forceAt: Millis;
}

/** Starts jobs and tells how they end. */
export interface Executor {
  /** Looks at a job's script just before its launch is recorded. */
  inspect(job: JobName): Verdict;
  /** Starts an attempt whose launch is on record; a second call for the same attempt has no effect. */
  ensure(launch: Launch): void;
  /** Watches an attempt that an earlier controller started and that may still run, until it is over. */
  adopt(launch: Launch): void;
  /**
   * Ends an attempt that was asked for, with everything it has started, and reports it as killed when nothing of it is
   * left; a second call may only make it sooner. One that is over already stays as it ended.
   */
  kill(launch: Launch, order: KillOrder): void;
  /** The start of this launcher is on record: it may be given jobs. */
  admit(launcher: string): void;
  /** Where reports go; set once, before the first `ensure`. */
  listen(listener: ExecutorListener): void;
  /** Lets go of everything; what still runs goes on by itself. */
  close(): Promise<void>;
}

export interface ExecutorListener {
  report(job: JobName, attempt: number, report: Report): void;
  launcher(identity: LauncherIdentity): void;
}

/** The operator's file: its status, stime and etime cells are ours, everything else is theirs. */
export interface NetFile {
  /** The cells of a job as they are to be; written when it suits, the last one wins. */
  show(job: JobName, cells: Cells): void;
  /** Where versions and troubles go; looking at the file begins with this. Set once. */
  listen(listener: NetFileListener): void;
  /** Offers the version that is held once more, as one that a person has accepted. */
  acceptHeld(): void;
  /** Resolves when everything shown is in the file, or with false when that could not be done in a few tries. */
  flush(): Promise<boolean>;
  /** Looks no more and writes no more. */
  close(): Promise<void>;
}

/** A good version that somebody else has written. */
export interface Version {
  readonly net: Net;
  readonly edits: Edits;
  readonly isAccepted: boolean;
}

/** `late`: the run is over, so its edits of statuses are left for the next one. */
export type VersionAnswer = 'taken' | 'held' | 'late';

export interface NetFileListener {
  version(version: Version): VersionAnswer;
  event(event: FileEvent): void;
  /** What a row is to say by the state of the run. */
  cells(job: JobName): Cells | null;
}

export interface Clock {
  now(): Millis;
  /** Calls back once after `ms`; the returned function takes that back. */
  after(ms: number, callback: () => void): () => void;
}

/** Another controller took over this net. */
export class EpochLost extends Error {
  constructor(
    readonly own: number,
    readonly highest: number,
  ) {
    super(`epoch ${own} was followed by ${highest}`);
    this.name = 'EpochLost';
  }
}

/** The disk refuses for the moment: it is full, read-only, or fails. */
export class DiskFault extends Error {
  /** The system's word for it: ENOSPC, EROFS. */
  readonly code: string;

  constructor(cause: Error & { readonly code?: string | undefined }) {
    super(cause.message, { cause });
    this.name = 'DiskFault';
    this.code = cause.code ?? 'EIO';
  }
}
