/** The local executor: attempts go to launcher shells; what they answer, or leave behind, becomes a report. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JobName, LauncherIdentity, Millis, Report, Verdict } from '../core/words.js';
import type { Clock, Executor, ExecutorListener, KillOrder, Launch } from '../engine/ports.js';
import { makeFolder } from '../host/durable.js';
import { attemptsFolder, commandPath, exitsFolder, shardOf } from './attempts.js';
import { type Commands, createInspector, SHELL, type Startable } from './inspect.js';
import { createKills } from './kills.js';
import { SEPARATOR } from './launcher-script.js';
import { createLeftovers } from './leftovers.js';
import { createLogCap, type LogCapSettings } from './log-cap.js';
import { createOrphans } from './orphans.js';
import { type Busy, createPool } from './pool.js';
import type { LauncherRecord } from './records.js';
import { readReport } from './reports.js';
import { isOfTheSystem, notStarted, shortage, shortageOf, unlessRefused } from './shortage.js';

/** When a job has not ended by then, its start is looked up in the records and made known. */
const CONFIRM_MS = 100;
/** A launch that is recorded ahead follows its look within moments: then it is not looked at again. */
const FRESH_MS = 50;
/** How soon a job's report is read again that the system refused to open. */
const REPORT_RETRY_MS = 500;
/** A longer command goes into a file: a shell reads its input byte by byte. */
const COMMAND_BYTES_MAX = 1024;

export interface LocalOptions {
  /** The folder in which jobs run: that of the path the net was given by. */
  readonly folder: string;
  /** The net's file as it was given, absolute: part of the marker. */
  readonly file: string;
  /** Another path by which earlier attempts of the run were started. */
  readonly earlierFile?: string;
  readonly run: string;
  readonly runFolder: string;
  readonly epoch: number;
  readonly slots: number;
  readonly commands: Commands;
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: string;
  /** Launchers of earlier controllers of the run: what is adopted is in the hands of one of them. */
  readonly earlierLaunchers?: ReadonlyMap<string, LauncherIdentity>;
  readonly clock: Clock;
  /** Without it logs may grow for ever. */
  readonly logCap?: LogCapSettings | undefined;
}

/** An attempt that waits for an idle launcher. */
interface Queued {
  readonly launch: Launch;
  readonly argv: readonly string[];
}

export function createLocalExecutor(options: LocalOptions): Executor {
  const { runFolder, clock } = options;
  const exits = exitsFolder(runFolder);
  const attempts = attemptsFolder(runFolder);
  makeFolder(exits);
  makeFolder(attempts);
  const inspector = createInspector(options.folder, options.commands);
  const earlier = new Set(options.earlierLaunchers?.keys());
  const launchers = new Map(options.earlierLaunchers);
  const shards = new Set<string>();
  /** What was found startable and has not been asked for. */
  const startables = new Map<JobName, { readonly found: Startable; readonly at: Millis }>();
  /** Attempts that were asked for and are not over. */
  const wanted = new Map<string, Launch>();
  /** Those of them that have ended, and whose leftovers are being looked for. */
  const ended = new Set<string>();
  const queue: Queued[] = [];
  let listener: ExecutorListener;
  let cancelConfirm: (() => void) | null = null;
  let isClosed = false;

  const pool = createPool({
    ...options,
    exits,
    attempts,
    size: options.slots,
    environment: { ...options.environment, JOBNET_RUN: options.run, JOBNET_FILE: options.file },
    onStarted: (identity) => {
      launchers.set(identity.launcher, identity);
      listener.launcher(identity);
    },
    onIdle: dispatch,
    onAnswer,
    onDied: orphaned,
    onStartFailed: (message) => {
      const queued = queue.shift();
      if (queued) finish(queued.launch, notStarted(message));
    },
  });
  const orphans = createOrphans({
    ...options,
    launchers,
    marker: options,
    onFound: (launch, report) => {
      if (report.kind === 'running') tell(launch, report);
      else if (report.kind !== 'exited') finish(launch, report);
      else findLeft(launch, report);
    },
  });

  const leftovers = createLeftovers(options, clock);
  const kills = createKills({
    ...options,
    launchers,
    marker: options,
    mayBeWith: (launcher) => earlier.has(launcher),
    onOver: finish,
  });

  const logCap = options.logCap
    ? createLogCap({ ...options.logCap, runFolder, clock, live: () => wanted.values() })
    : null;

  function inspect(job: JobName): Verdict {
    const before = startables.get(job);
    const age = before ? clock.now() - before.at : 0;
    const isFresh = before !== undefined && age >= 0 && age < FRESH_MS;
    const found = isFresh ? before.found : inspector.inspect(job);
    if (found.kind !== 'startable') return found;
    try {
      makeShard(job);
    } catch (error) {
      if (!isOfTheSystem(error)) throw error;
      return { kind: 'shortage', shortage: shortage(error.message) };
    }
    if (!isFresh) startables.set(job, { found, at: clock.now() });
    return { kind: 'startable', script: found.script, interpreter: found.interpreter };
  }

  /** Before the launch record: a launcher makes no folders, and without one it could not claim. */
  function makeShard(job: JobName): void {
    const shard = shardOf(job);
    if (shards.has(shard)) return;
    makeFolder(path.join(attempts, shard));
    shards.add(shard);
  }

  function ensure(launch: Launch): void {
    if (isClosed || wanted.has(idOf(launch))) return;
    want(launch);
    try {
      queue.push({ launch, argv: argvOf(launch) });
    } catch (error) {
      // Whatever is wrong with this job is the result of this job. Nothing is reported from within a call.
      if (!isOfTheSystem(error)) throw error;
      queueMicrotask(() => finish(launch, unstartable(error)));
    }
    dispatch();
  }

  function want(launch: Launch): void {
    wanted.set(idOf(launch), launch);
    logCap?.watch();
  }

  function argvOf(launch: Launch): readonly string[] {
    const { argv, needsShell } = startables.get(launch.job)!.found;
    startables.delete(launch.job);
    const [shell, , command] = argv;
    if (needsShell) return [SHELL, ...argv];
    if (shell === undefined || command === undefined || fitsInLine(command)) return argv;
    const file = commandPath(runFolder, launch.job, launch.attempt);
    writeFileSync(file, `${command}\n`);
    return [shell, file];
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const { launch, argv } = queue[0]!;
      if (!pool.feed(launch, shardOf(launch.job), argv)) break;
      queue.shift();
      cancelConfirm ??= clock.after(CONFIRM_MS, confirmStarts);
    }
    pool.want(queue.length);
  }

  function onAnswer(busy: Busy, answer: LauncherRecord): void {
    const { launch } = busy;
    if (answer.kind !== 'X' && kills.answered(launch, answer.code)) return;
    switch (answer.kind) {
      case 'E':
        return exited(launch, answer.code!, busy.hasLeft);
      case 'N':
        // Its folder may have been taken away: the next look at the script makes it again.
        shards.delete(shardOf(launch.job));
        return finish(launch, notStarted('the launcher could not create the log or its records'));
      case 'F':
        return finish(launch, notStarted('the launcher could not fork'));
      case 'X':
        return orphaned(busy);
      case 'R':
      case 'S':
        return;
    }
  }

  /** No launcher can say any more what becomes of this attempt. */
  function orphaned({ launch, identity, isConfirmed }: Busy): void {
    if (kills.answered(launch, null)) return;
    orphans.add({ launch, mayBeWith: (launcher) => launcher === identity.launcher, isConfirmed });
  }

  function exited(launch: Launch, code: number, hasLeft: boolean): void {
    if (!hasLeft) return finish(launch, { kind: 'exited', code });
    findLeft(launch, { kind: 'exited', code });
  }

  /** It is over: what it has left is named, and never ended. */
  function findLeft(launch: Launch, report: Report & { kind: 'exited' }): void {
    const id = idOf(launch);
    ended.add(id);
    leftovers.find(launch, (left) => {
      ended.delete(id);
      finish(launch, { ...report, left });
    });
  }

  function adopt(launch: Launch): void {
    if (isClosed || wanted.has(idOf(launch))) return;
    want(launch);
    // Nothing is reported from within a call.
    queueMicrotask(() => {
      if (!isClosed)
        orphans.add({ launch, mayBeWith: (launcher) => earlier.has(launcher), isConfirmed: false });
    });
  }

  function finish(launch: Launch, report: Report): void {
    if (report.kind === 'exited') return finishExited(launch, report);
    wanted.delete(idOf(launch));
    tell(launch, report);
  }

  /** The code alone, unless the job has said that its work failed; a report that cannot be read yet is waited for. */
  function finishExited(launch: Launch, report: Report & { kind: 'exited' }): void {
    const said = unlessRefused(() => ({ report: readReport(runFolder, launch.job, launch.attempt) }));
    if (!said) {
      if (!isClosed) clock.after(REPORT_RETRY_MS, () => finishExited(launch, report));
      return;
    }
    wanted.delete(idOf(launch));
    const script = inspector.versionOf(launch.job, report.endedAt);
    tell(launch, {
      ...report,
      ...(said.report === '1' ? { hasReportedFailure: true } : {}),
      ...(script === undefined ? {} : { script }),
    });
  }

  function kill(launch: Launch, order: KillOrder): void {
    const id = idOf(launch);
    if (isClosed || !wanted.has(id) || ended.has(id)) return;
    const place = queue.findIndex((queued) => idOf(queued.launch) === id);
    // No launcher has it: nobody starts it any more.
    if (place >= 0) return unqueue(place);
    const busy = pool.busy().find((one) => idOf(one.launch) === id);
    if (busy) busy.isLast = true;
    orphans.remove(launch);
    kills.start(launch, order, busy?.identity ?? null);
  }

  function unqueue(place: number): void {
    const [queued] = queue.splice(place, 1);
    queueMicrotask(() => finish(queued!.launch, { kind: 'killed', code: null, survivors: [] }));
  }

  function tell({ job, attempt }: Launch, report: Report): void {
    if (!isClosed) listener.report(job, attempt, report);
  }

  /** One timer for all of them: short jobs are over before it looks. */
  function confirmStarts(): void {
    cancelConfirm = null;
    for (const busy of pool.busy()) {
      if (busy.isConfirmed) continue;
      if (clock.now() - busy.fedAt >= CONFIRM_MS) confirmStart(busy);
      if (!busy.isConfirmed) cancelConfirm ??= clock.after(CONFIRM_MS, confirmStarts);
    }
  }

  function confirmStart(busy: Busy): void {
    const { launch, launcher } = busy;
    const records = unlessRefused(launcher.records) ?? [];
    busy.isConfirmed = records.some((record) => record.kind === 'S' && record.id === idOf(launch));
    if (busy.isConfirmed) tell(launch, { kind: 'running' });
  }

  async function close(): Promise<void> {
    isClosed = true;
    queue.length = 0;
    cancelConfirm?.();
    logCap?.close();
    orphans.close();
    kills.close();
    leftovers.close();
    await pool.close();
  }

  const listen = (to: ExecutorListener) => {
    listener = to;
  };
  return { inspect, ensure, adopt, kill, admit: pool.admit, listen, close };
}

function idOf({ job, attempt }: Launch): string {
  return `${job}.${attempt}`;
}

function fitsInLine(command: string): boolean {
  return (
    Buffer.byteLength(command) <= COMMAND_BYTES_MAX && !/[\n\0]/.test(command) && !command.includes(SEPARATOR)
  );
}

function unstartable(error: Error): Report {
  return shortageOf(error)
    ? notStarted(error.message)
    : { kind: 'refused', problem: { kind: 'start-failed', message: error.message } };
}
