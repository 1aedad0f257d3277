/** The words of the product as types, without behaviour (docs/architecture.md lists them in both languages). */

/** Milliseconds of Unix time. */
export type Millis = number;
export type JobName = string;

/**
 * The life of a job. `intended` means that its next launch is on record before a slot is free; people see it as
 * waiting. `attempts` is the highest attempt number that was used: numbers are never used again within a run.
 */
export type JobState =
  | { readonly status: 'waiting'; readonly attempts: number }
  | { readonly status: 'intended'; readonly attempt: number }
  | { readonly status: 'launching'; readonly attempt: number; readonly startedAt: Millis }
  | { readonly status: 'running'; readonly attempt: number; readonly startedAt: Millis }
  | {
      readonly status: 'ended';
      readonly attempt: number;
      readonly startedAt: Millis | null;
      readonly endedAt: Millis | null;
    }
  | {
      readonly status: 'abended';
      readonly attempt: number;
      readonly startedAt: Millis | null;
      readonly endedAt: Millis | null;
      readonly reason: Reason;
    };

export type JobStatus = JobState['status'];

/** Why an attempt abended. */
export type Reason =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'refused'; readonly problem: ScriptProblem }
  | { readonly kind: 'lost' }
  | { readonly kind: 'from-csv' };

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

export type StopSignal = 'INT' | 'TERM';
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
  | {
      readonly type: 'ended';
      readonly job: JobName;
      readonly attempt: number;
      /** When it is not the time of the record: the end was found later. */
      readonly endedAt?: Millis;
      readonly startedAt?: Millis;
    }
  | {
      readonly type: 'abended';
      readonly job: JobName;
      readonly attempt: number;
      readonly reason: Reason;
      /** Null: nobody knows when. Absent: the time of the record. */
      readonly endedAt?: Millis | null;
      readonly startedAt?: Millis;
    }
  | { readonly type: 'not-started'; readonly job: JobName; readonly attempt: number; readonly cause: string }
  | { readonly type: 'kept'; readonly job: JobName }
  | { readonly type: 'rerun'; readonly job: JobName };

/** Events of the run as a whole. */
export type RunEvent =
  | { readonly type: 'begun'; readonly mode: RunMode; readonly limit: number; readonly keepGoing: boolean }
  | { readonly type: 'stopping'; readonly by: StopSignal }
  | { readonly type: 'paused'; readonly shortage: Shortage }
  | { readonly type: 'unpaused' }
  | { readonly type: 'closed'; readonly as: RunEnd }
  | ({ readonly type: 'launcher-started' } & LauncherIdentity);

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
  | { readonly kind: 'exited'; readonly code: number; readonly endedAt?: Millis; readonly startedAt?: Millis }
  | { readonly kind: 'lost' }
  | { readonly kind: 'not-started'; readonly cause: string; readonly shortage?: Shortage }
  | { readonly kind: 'refused'; readonly problem: ScriptProblem };

/** Everything that can happen; time comes with it as data. */
export type Input = { readonly at: Millis } & (
  | { readonly type: 'begin'; readonly mode: RunMode; readonly limit: number; readonly keepGoing: boolean }
  | { readonly type: 'import'; readonly job: JobName; readonly status: '0' | '1' | '2' }
  | { readonly type: 'rerun'; readonly job: JobName }
  | { readonly type: 'inspected'; readonly job: JobName; readonly verdict: Verdict; readonly ahead: boolean }
  | { readonly type: 'report'; readonly job: JobName; readonly attempt: number; readonly report: Report }
  | { readonly type: 'launcher'; readonly identity: LauncherIdentity }
  | { readonly type: 'stop'; readonly by: StopSignal }
  | { readonly type: 'idle' }
  | { readonly type: 'abandon' }
);
