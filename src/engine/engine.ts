/** One door in: decide, apply, record; then, when it is durable, show and act. */
import { adoptNet } from '../core/adopt-net.js';
import { apply } from '../core/apply.js';
import { decide, nextLaunch } from '../core/decide.js';
import { forceAt, GRACE_MS } from '../core/kill.js';
import { hasRow, type Net } from '../core/net.js';
import { type Cells, cellsOf } from '../core/project.js';
import { jobState, type State } from '../core/state.js';
import type { Event, Input, JobName, Millis, RunEnd } from '../core/words.js';
import type {
  Clock,
  DiskFault,
  Executor,
  Journal,
  Launch,
  NetFile,
  Version,
  VersionAnswer,
} from './ports.js';
import { createRecorder } from './recorder.js';
import { createTimeouts } from './timeouts.js';

/** The wait before a launch is tried again in a shortage; it doubles up to the second while nothing changes. */
export const RETRY_MS = 1000;
export const RETRY_MS_MAX = 30_000;

export interface EngineParts {
  readonly state: State;
  /** The net as the file has it: that of `state` may have live jobs besides, which lost their rows. */
  readonly fileNet: Net;
  readonly journal: Journal;
  readonly executor: Executor;
  readonly netFile: NetFile;
  readonly clock: Clock;
  /** Called when the first batch is durable, before anything of it is shown. */
  readonly onFirstCommit?: () => void;
  /** Told of every event once it is durable, in order. */
  readonly onShown: (event: Event, at: Millis) => void;
  /** The journal cannot be written: told once, and once with null when it can again. */
  readonly onFault?: (fault: DiskFault | null) => void;
}

/** An input without its time: the engine stamps it. */
export type UntimedInput = Input extends infer One ? (One extends Input ? Omit<One, 'at'> : never) : never;

export interface Engine {
  /** Takes inputs in their order, then launches what may be launched. */
  submit(...inputs: UntimedInput[]): void;
  /** How the run closed, once that is durable and in the file; rejects when its epoch is lost. */
  readonly closed: Promise<RunEnd>;
}

/** An event on its way to the disk, with what is shown of it; state may be further on by then. */
interface Pending {
  readonly event: Event;
  readonly at: Millis;
  readonly cells: Cells | null;
  /** Its launch was recorded ahead and durable, so it was given to a launcher at once. */
  readonly hasActed: boolean;
}

export function createEngine(parts: EngineParts): Engine {
  const { state, journal, executor, netFile, clock } = parts;
  /** The net of the version that was taken last; a live job without a row stays in the state until it is over. */
  let { fileNet } = parts;
  let pending: Pending[] = [];
  /**
   * Attempts by job whose recorded-ahead launch is durable: they may be given to a launcher without another sync.
   * The number belongs to it: an intent that came to nothing must not speed up a later attempt.
   */
  const durableIntents = new Map<JobName, number>();
  let isCommitting = false;
  let hasCommitted = false;
  let hasFailed = false;
  let retryMs = RETRY_MS;
  let cancelRetry: (() => void) | null = null;
  let settle: { resolve(end: RunEnd): void; reject(error: unknown): void };
  const closed = new Promise<RunEnd>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const recorder = createRecorder({ journal, clock, onFault: (fault) => parts.onFault?.(fault) });

  const timeouts = createTimeouts(state, clock, (job, limitMs) => {
    const request = { cause: { kind: 'timeout', limitMs }, signal: 'TERM', graceMs: GRACE_MS } as const;
    if (!hasFailed) take({ type: 'kill', at: clock.now(), jobs: [job], request });
  });

  function submit(...inputs: UntimedInput[]): void {
    if (hasFailed) return;
    const at = clock.now();
    for (const input of inputs) take({ ...input, at } as Input);
    pump(at, false);
  }

  /** Somebody else's version: an input, and then another net. */
  function offer({ net, edits, isAccepted }: Version): VersionAnswer {
    if (hasFailed || state.run.closed) return 'late';
    const at = clock.now();
    take({ type: 'version', at, edits, isAccepted });
    if (state.run.file?.outcome === 'held') return 'held';
    fileNet = net;
    adoptNet(state, net);
    pump(at, false);
    return 'taken';
  }

  /** A live job whose row is gone leaves the net when it is over. */
  function dropLonely(): void {
    if (state.net.names.length === fileNet.names.length) return;
    const isLonely = (index: number) => !hasRow(state.net, index);
    if (![...state.live].some(isLonely)) adoptNet(state, fileNet);
  }

  /** One input, up to the record. */
  function take(input: Input): void {
    const events = decide(state, input);
    if (events.length === 0) return;
    for (const event of events) {
      apply(state, event, input.at);
      const hasActed = event.type === 'launching' && durableIntents.get(event.job) === event.attempt;
      if (hasActed) executor.ensure(event);
      pending.push({ event, at: input.at, cells: cellsAfter(event), hasActed });
    }
    journal.append(events, input.at);
    if (!isCommitting) void commitAll();
  }

  function cellsAfter(event: Event): Cells | null {
    if (!('job' in event) || event.type === 'intended') return null;
    // An edit that is not obeyed is put back.
    const own = jobState(state, event.job);
    return own ? cellsOf(own) : null;
  }

  /** Launches what may be launched, one look at a script at a time; closes the run when nothing is left. */
  function pump(at: Millis, isRetry: boolean): void {
    dropLonely();
    let retry = isRetry;
    // While nothing can be recorded nothing starts, not even what was recorded ahead.
    while (!recorder.isFaulty()) {
      const next = nextLaunch(state, { recordAhead: pending.length > 0, retry });
      if (!next) break;
      const verdict = executor.inspect(next.job);
      take({ type: 'inspected', at, job: next.job, verdict, ahead: next.ahead });
      if (verdict.kind === 'shortage') break;
      retry = false;
    }
    timeouts.look();
    if (state.run.paused) scheduleRetry();
    else retryMs = RETRY_MS;
    take({ type: 'idle', at });
  }

  function scheduleRetry(): void {
    if (cancelRetry || state.run.closed) return;
    cancelRetry = clock.after(retryMs, () => {
      cancelRetry = null;
      retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      if (!hasFailed && state.run.paused) pump(clock.now(), true);
    });
  }

  /** Group commit: what came while one sync was going shares the next. */
  async function commitAll(): Promise<void> {
    isCommitting = true;
    try {
      // Answers that are already here join the first batch.
      await new Promise(setImmediate);
      while (pending.length > 0) {
        const batch = pending;
        pending = [];
        const recorded = await recorder.commit();
        if (!hasCommitted) parts.onFirstCommit?.();
        hasCommitted = true;
        for (const one of batch) showAndAct(one);
        if (recorded === 'after-fault') pump(clock.now(), false);
      }
    } catch (error) {
      hasFailed = true;
      cancelRetry?.();
      timeouts.close();
      settle.reject(error);
    } finally {
      isCommitting = false;
    }
    if (state.run.closed && !hasFailed) finish(state.run.closed);
  }

  function showAndAct({ event, at, cells, hasActed }: Pending): void {
    if (cells && 'job' in event) netFile.show(event.job, cells);
    parts.onShown(event, at);
    switch (event.type) {
      case 'intended':
        if (isIntended(event)) durableIntents.set(event.job, event.attempt);
        return;
      case 'launching':
        durableIntents.delete(event.job);
        if (!hasActed) launch(event);
        return;
      case 'kill-requested':
        executor.kill(event, { signal: event.signal, forceAt: forceAt(event, at) });
        return;
      case 'launcher-started':
        executor.admit(event.launcher);
        return;
      default:
    }
  }

  /** A stop may have come while the record was waiting for the disk: then it is not started after all. */
  function launch({ job, attempt }: Launch): void {
    if (!state.run.stopping) return executor.ensure({ job, attempt });
    submit({
      type: 'report',
      job,
      attempt,
      report: { kind: 'not-started', cause: 'stopped before it started' },
    });
  }

  /** It may have been launched, or its number used up, while the sync was going: then a later record acts. */
  function isIntended({ job, attempt }: { job: JobName; attempt: number }): boolean {
    const own = jobState(state, job);
    return own?.status === 'intended' && own.attempt === attempt;
  }

  function finish(end: RunEnd): void {
    cancelRetry?.();
    timeouts.close();
    netFile.flush().then(
      () => settle.resolve(end),
      (error) => settle.reject(error),
    );
  }

  netFile.listen({
    version: offer,
    event: (event) => submit({ type: 'file', event }),
    cells: (job) => {
      const own = jobState(state, job);
      return own ? cellsOf(own) : null;
    },
  });
  return { submit, closed };
}
