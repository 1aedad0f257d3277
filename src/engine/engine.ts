/** One door in: decide, apply, record; then, when it is durable, show and act. */
import { apply } from '../core/apply.js';
import { decide, nextLaunch } from '../core/decide.js';
import { type Cells, cellsOf } from '../core/project.js';
import { jobState, type State } from '../core/state.js';
import type { Event, Input, JobName, Millis, RunEnd } from '../core/words.js';
import type { Clock, Executor, Journal, NetFile } from './ports.js';

/** The wait before a launch is tried again in a shortage; it doubles up to the second while nothing changes. */
export const RETRY_MS = 1000;
export const RETRY_MS_MAX = 30_000;

export interface EngineParts {
  readonly state: State;
  readonly journal: Journal;
  readonly executor: Executor;
  readonly netFile: NetFile;
  readonly clock: Clock;
  /** Told of every event once it is durable, in order. */
  readonly onShown: (event: Event, at: Millis) => void;
}

/** An input without its time: the engine stamps it. */
export type UntimedInput = Input extends infer One ? (One extends Input ? Omit<One, 'at'> : never) : never;

export interface Engine {
  /** Takes inputs in their order, then launches what may be launched. */
  submit(...inputs: UntimedInput[]): void;
  /** How the run closed, once that is durable and in the file; rejects when the journal fails or its epoch is lost. */
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
  let pending: Pending[] = [];
  /**
   * Attempts by job whose recorded-ahead launch is durable: they may be given to a launcher without another sync.
   * The number belongs to it: an intent that came to nothing must not speed up a later attempt.
   */
  const durableIntents = new Map<JobName, number>();
  let isCommitting = false;
  let hasFailed = false;
  let retryMs = RETRY_MS;
  let cancelRetry: (() => void) | null = null;
  let settle: { resolve(end: RunEnd): void; reject(error: unknown): void };
  const closed = new Promise<RunEnd>((resolve, reject) => {
    settle = { resolve, reject };
  });

  function submit(...inputs: UntimedInput[]): void {
    if (hasFailed) return;
    const at = clock.now();
    for (const input of inputs) take({ ...input, at } as Input);
    pump(at, false);
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
    return cellsOf(jobState(state, event.job)!);
  }

  /** Launches what may be launched, one look at a script at a time; closes the run when nothing is left. */
  function pump(at: Millis, isRetry: boolean): void {
    let retry = isRetry;
    for (;;) {
      const next = nextLaunch(state, { recordAhead: pending.length > 0, retry });
      if (!next) break;
      const verdict = executor.inspect(next.job);
      take({ type: 'inspected', at, job: next.job, verdict, ahead: next.ahead });
      if (verdict.kind === 'shortage') break;
      retry = false;
    }
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
        await journal.commit();
        for (const one of batch) showAndAct(one);
      }
    } catch (error) {
      hasFailed = true;
      cancelRetry?.();
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
        if (!hasActed) executor.ensure(event);
        return;
      case 'launcher-started':
        executor.admit(event.launcher);
        return;
      default:
    }
  }

  /** It may have been launched, or its number used up, while the sync was going: then a later record acts. */
  function isIntended({ job, attempt }: { job: JobName; attempt: number }): boolean {
    const own = jobState(state, job);
    return own?.status === 'intended' && own.attempt === attempt;
  }

  function finish(end: RunEnd): void {
    cancelRetry?.();
    netFile.flush().then(
      () => settle.resolve(end),
      (error) => settle.reject(error),
    );
  }

  return { submit, closed };
}
