/** The words of the product as types, without behaviour (docs/architecture.md lists them in both languages). */

import type { Problem } from './problems.js';

/** Milliseconds of Unix time. */
export type Millis = number;
export type JobName = string;

/**
 * The life of a job. `intended` means that its next launch is on record before a slot is free; people see it as
 * waiting. `attempts` is the highest attempt number that was used: numbers are never used again within a run.
 */
export type JobState =
  | { readonly status: 'waiting'; readonly attempts: number }
  | { readonly status: 'intended'; readonly attempt: number; readonly script: string }
  | {
      readonly status: 'launching' | 'running';
      readonly attempt: number;
      readonly startedAt: Millis;
      /** The version of the script that was launched. */
      readonly script: string;
      /** It is being ended. */
      readonly killing?: KillRequest & { readonly at: Millis };
    }
  | {
      readonly status: 'ended';
      readonly attempt: number;
      readonly startedAt: Millis | null;
      readonly endedAt: Millis | null;
      /** A person settled it; its last attempt had not ended normally. */
      readonly byHand?: true;
      readonly hasScriptChanged?: true;
      readonly left?: readonly Leftover[];
    }
  /** Settled by a person without running. */
  | { readonly status: 'skipped'; readonly attempts: number }
  /** The CSV says that somebody else started it: unproven, not launched. */
  | { readonly status: 'outside'; readonly attempts: number; readonly since: Millis }
  | {
      readonly status: 'abended';
      readonly attempt: number;
      readonly startedAt: Millis | null;
      readonly endedAt: Millis | null;
      readonly reason: Reason;
      readonly hasScriptChanged?: true;
      readonly left?: readonly Leftover[];
    };

export type JobStatus = JobState['status'];
/** A job that has an attempt under way. */
export type LiveState = JobState & { readonly status: 'launching' | 'running' };

/** Why an attempt abended. */
export type Reason =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'refused'; readonly problem: ScriptProblem }
  | { readonly kind: 'lost' }
  | { readonly kind: 'from-csv' }
  /** The job itself reported 1 (`jobnet report 1`), whatever its exit code. */
  | { readonly kind: 'reported'; readonly code: number }
  /** A person marked it abended. */
  | { readonly kind: 'by-hand' }
  /** It was asked to end, and did so with this code, if that is known; `survivors` could not be ended. */
  | {
      readonly kind: 'killed';
      readonly cause: KillCause;
      readonly code: number | null;
      readonly survivors?: readonly Survivor[];
    };

/** Who or what wanted a job to end. */
export type KillCause =
  /** `jobnet kill`. */
  | { readonly kind: 'operator'; readonly user: string }
  /** `jobnet stop --kill`. */
  | { readonly kind: 'stop'; readonly user: string }
  /** A second Ctrl-C or TERM to the controller. */
  | { readonly kind: 'signal'; readonly signal: StopSignal }
  | { readonly kind: 'timeout'; readonly limitMs: Millis }
  | { readonly kind: 'fail-fast' };

export interface KillRequest {
  readonly cause: KillCause;
  /** The first signal, without SIG; after the grace it is KILL. */
  readonly signal: string;
  readonly graceMs: Millis;
}

/** A process that a job had started and that outlived it. */
export type Leftover = Pick<Survivor, 'pid' | 'name'>;

/** A process that outlived KILL. */
export interface Survivor {
  readonly pid: number;
  readonly name: string;
  /** As `ps` shows it: D waits for a disk or a network share. */
  readonly state: string;
}

/** Why a script cannot be started; found before a launch, never guessed from an exit code. */
export type ScriptProblem =
  | { readonly kind: 'missing'; readonly paths: readonly string[] }
  | { readonly kind: 'not-a-file'; readonly path: string; readonly found: 'folder' | 'other' }
  | { readonly kind: 'not-executable'; readonly path: string; readonly mode: string }
  | { readonly kind: 'unreachable'; readonly path: string; readonly code: string }
  | { readonly kind: 'empty'; readonly path: string }
  | { readonly kind: 'carriage-return'; readonly path: string }
  | { readonly kind: 'byte-order-mark'; readonly path: string }
  | { readonly kind: 'interpreter-missing'; readonly path: string; readonly interpreter: string }
  | { readonly kind: 'start-failed'; readonly message: string };

/** Why nothing can be launched at the moment, although a job is ready. */
export type Shortage =
  | { readonly kind: 'folder-gone'; readonly path: string }
  | { readonly kind: 'resources'; readonly message: string };

/** What a look at a job's script said, just before its launch would be recorded. */
export type Verdict =
  | { readonly kind: 'startable'; readonly script: string; readonly interpreter: string | null }
  | { readonly kind: 'refused'; readonly problem: ScriptProblem }
  | { readonly kind: 'shortage'; readonly shortage: Shortage };

/** What stopped a run: a signal to its controller, or `jobnet stop`. */
export type StopSignal = 'INT' | 'TERM' | 'operator';
export type RunMode = 'start' | 'resume';
/** How a run closed. `abandoned`: a new start closed it. */
export type RunEnd = 'ended' | 'abended' | 'stopped' | 'abandoned';
export type RunState = 'running' | 'stopping' | 'waiting' | RunEnd;

/** Events of one job: each is a column of the transition table. */
export type JobEvent =
  | {
      readonly type: 'intended';
      readonly job: JobName;
      readonly attempt: number;
      readonly script: string;
      readonly interpreter: string | null;
    }
  | {
      readonly type: 'launching';
      readonly job: JobName;
      readonly attempt: number;
      readonly script: string;
      readonly interpreter: string | null;
    }
  | { readonly type: 'running'; readonly job: JobName; readonly attempt: number }
  | ({ readonly type: 'kill-requested'; readonly job: JobName; readonly attempt: number } & KillRequest)
  | {
      readonly type: 'ended';
      readonly job: JobName;
      readonly attempt: number;
      /** When it is not the time of the record: the end was found later. */
      readonly endedAt?: Millis;
      readonly startedAt?: Millis;
      /** Another version of its script was in place at the end: a shell may have run parts of both. */
      readonly hasScriptChanged?: true;
      /** Processes that it left behind. */
      readonly left?: readonly Leftover[];
    }
  | {
      readonly type: 'abended';
      readonly job: JobName;
      readonly attempt: number;
      readonly reason: Reason;
      /** Null: nobody knows when. Absent: the time of the record. */
      readonly endedAt?: Millis | null;
      readonly startedAt?: Millis;
      readonly hasScriptChanged?: true;
      readonly left?: readonly Leftover[];
    }
  | { readonly type: 'not-started'; readonly job: JobName; readonly attempt: number; readonly cause: string }
  | { readonly type: 'kept'; readonly job: JobName }
  | { readonly type: 'rerun'; readonly job: JobName; readonly by?: Hand }
  | { readonly type: 'skipped'; readonly job: JobName; readonly by: Hand }
  | { readonly type: 'settled'; readonly job: JobName; readonly by: Hand }
  | { readonly type: 'outside'; readonly job: JobName; readonly by: Hand };

/** What a person did to a job through the file. */
export type ByHand =
  | Extract<JobEvent, { type: 'rerun' | 'skipped' | 'settled' | 'outside' }>
  | Extract<JobEvent, { type: 'abended' }>;

/** Through what a person asked: the status cell of the CSV, or `jobnet accept`. */
export type Hand = 'csv' | 'accept';

/** Events of the run as a whole. */
export type RunEvent =
  | {
      readonly type: 'begun';
      readonly mode: RunMode;
      readonly limit: number;
      readonly keepGoing: boolean;
      /** Running jobs are ended when one abends. */
      readonly failFast?: true;
    }
  | { readonly type: 'stopping'; readonly by: StopSignal }
  | { readonly type: 'paused'; readonly shortage: Shortage }
  | { readonly type: 'unpaused' }
  | { readonly type: 'closed'; readonly as: RunEnd }
  | FileEvent
  | ({ readonly type: 'launcher-started' } & LauncherIdentity);

/** What became of the operator's file. */
export type FileEvent =
  /** A good version is the net now; its edits of statuses follow as events of their jobs. */
  | {
      readonly type: 'version';
      readonly outcome: 'taken';
      readonly added: readonly JobName[];
      readonly removed: readonly JobName[];
      readonly redefined: number;
    }
  | { readonly type: 'version'; readonly outcome: 'held'; readonly why: HoldReason }
  | {
      readonly type: 'version';
      readonly outcome: 'refused';
      readonly problems: number;
      readonly first: Problem;
    }
  | { readonly type: 'version'; readonly outcome: 'unreadable'; readonly code: string }
  /** What was held, refused or unreadable is gone; the known version is there again. */
  | { readonly type: 'version'; readonly outcome: 'restored' }
  /** An edit of a status that is not obeyed: refused and stale ones are put back, held ones wait for `accept`. */
  | {
      readonly type: 'edit';
      readonly job: JobName;
      readonly from: StatusCode;
      readonly to: StatusCode;
      readonly outcome: 'refused' | 'stale' | 'held';
    }
  | { readonly type: 'watching'; readonly mode: 'events' | 'polling'; readonly why: WatchReason }
  /** Our cells do not get into the file; the run goes on, and they are written when they can be. */
  | { readonly type: 'unwritten'; readonly code: string }
  | { readonly type: 'written'; readonly inPlace: InPlaceReason | null };

/** Why the file is written in place instead of being replaced as a whole. */
export type InPlaceReason = 'hard-links' | 'mount-point' | 'owner' | 'folder';

/** Why a version is not taken without a person. */
export type HoldReason =
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'rows-gone'; readonly gone: number; readonly known: number }
  /** Names that a spreadsheet changes, as pairs of the known and the new one. */
  | { readonly kind: 'names-changed'; readonly pairs: readonly (readonly [JobName, JobName])[] };

/** Why the file is watched as it is. */
export type WatchReason =
  | { readonly kind: 'local' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'network'; readonly fileSystem: string }
  | { readonly kind: 'failed'; readonly message: string };

/** The four codes of the status column. */
export type StatusCode = '0' | '1' | '2' | '9';

/** An event as `decide` makes it; the journal adds number, time and checksum. */
export type Event = JobEvent | RunEvent;

/** A launcher shell, as it is found again after a crash of the controller. */
export interface LauncherIdentity {
  /** EPOCH-K: names its records file and its lifeline. */
  readonly launcher: string;
  readonly pid: number;
  /** Start time of the process in the unit of its system; with the pid it is an identity within one boot. */
  readonly startTime: string;
  readonly bootId: string;
  /** Path of its lifeline FIFO. */
  readonly lifeline: string;
}

/** What an executor says of one attempt. */
export type Report =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'exited';
      readonly code: number;
      /** The job said itself that its work failed. */
      readonly hasReportedFailure?: boolean;
      /** The version of its script at the end; null: it is gone. Absent: it has none, or nobody can say. */
      readonly script?: string | null;
      readonly left?: readonly Leftover[];
      readonly endedAt?: Millis;
      readonly startedAt?: Millis;
    }
  | { readonly kind: 'lost' }
  /** It was asked to end, and nothing of it is left but the survivors. */
  | { readonly kind: 'killed'; readonly code: number | null; readonly survivors: readonly Survivor[] }
  | { readonly kind: 'not-started'; readonly cause: string; readonly shortage?: Shortage }
  | { readonly kind: 'refused'; readonly problem: ScriptProblem };

/** Everything that can happen; time comes with it as data. */
export type Input = { readonly at: Millis } & (
  | {
      readonly type: 'begin';
      readonly mode: RunMode;
      readonly limit: number;
      readonly keepGoing: boolean;
      readonly failFast?: boolean;
    }
  | { readonly type: 'import'; readonly job: JobName; readonly status: '0' | '1' | '2' }
  | { readonly type: 'rerun'; readonly job: JobName }
  | { readonly type: 'inspected'; readonly job: JobName; readonly verdict: Verdict; readonly ahead: boolean }
  | { readonly type: 'report'; readonly job: JobName; readonly attempt: number; readonly report: Report }
  | { readonly type: 'launcher'; readonly identity: LauncherIdentity }
  | { readonly type: 'stop'; readonly by: StopSignal }
  /** Null: all that run. */
  | { readonly type: 'kill'; readonly jobs: readonly JobName[] | null; readonly request: KillRequest }
  | { readonly type: 'idle' }
  | { readonly type: 'abandon' }
  | { readonly type: 'version'; readonly edits: Edits; readonly isAccepted: boolean }
  | { readonly type: 'file'; readonly event: FileEvent }
  | { readonly type: 'accept' }
);

/** What a good version of the file changes against the one that was known. */
export interface Edits {
  readonly rows: readonly RowEdit[];
  readonly added: readonly JobName[];
  readonly removed: readonly JobName[];
  /** Jobs with other predecessors or another command. */
  readonly redefined: readonly JobName[];
  readonly known: number;
  /** It ends in the middle of a row: what is missing may not have been taken away, but not have been written. */
  readonly isCutOff: boolean;
}

/** An edit of one status cell. */
export interface RowEdit {
  readonly job: JobName;
  readonly from: StatusCode;
  readonly to: StatusCode;
  /**
   * `kept`: the row carries the times that it had, the proof that its writer had seen this state. `started`: it had
   * none, and says that somebody started the job in this run. `finished`: the end was added to its start.
   */
  readonly times: 'kept' | 'cleared' | 'started' | 'finished' | 'other';
}
