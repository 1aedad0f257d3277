/** The local executor: attempts go to launcher shells; what they answer, or leave behind, becomes a report. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JobName, Report, Verdict } from '../core/words.js';
import type { Clock, Executor, ExecutorListener, Launch } from '../engine/ports.js';
import { attemptsFolder, commandPath, exitsFolder, shardOf } from './attempts.js';
import { judgeAttempts, voidAttempt } from './evidence.js';
import { createInspector, type Startable } from './inspect.js';
import { SEPARATOR } from './launcher-script.js';
import { type Busy, createPool } from './pool.js';
import type { LauncherRecord } from './records.js';

/** When a job has not ended by then, its start is looked up in the records and made known. */
const CONFIRM_MS = 100;
/** How often a job is looked for whose launcher died. */
const ORPHAN_MS = 500;
/** A longer command goes into a file: a shell reads its input byte by byte. */
const COMMAND_BYTES_MAX = 1024;

export interface LocalOptions {
  /** The folder in which jobs run: that of the path the net was given by. */
  readonly folder: string;
  /** The net's file as it was given, absolute: part of the marker. */
  readonly file: string;
  readonly run: string;
  readonly runFolder: string;
  readonly epoch: number;
  readonly slots: number;
  readonly commands: ReadonlyMap<JobName, string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: string;
  readonly clock: Clock;
}

export function createLocalExecutor(options: LocalOptions): Executor {
  const { runFolder, clock } = options;
  const exits = exitsFolder(runFolder);
  const attempts = attemptsFolder(runFolder);
  mkdirSync(exits, { recursive: true });
  mkdirSync(attempts, { recursive: true });
  const inspector = createInspector(options.folder, options.commands);
  const shards = new Set<string>();
  /** What was found startable and has not been fed. */
  const startables = new Map<JobName, Startable>();
  /** Attempts that were asked for and are not over. */
  const wanted = new Set<string>();
  const queue: Launch[] = [];
  let listener: ExecutorListener;
  let cancelConfirm: (() => void) | null = null;
  let isClosed = false;

  const pool = createPool({
    ...options,
    exits,
    attempts,
    size: options.slots,
    environment: { ...options.environment, JOBNET_RUN: options.run, JOBNET_FILE: options.file },
    onStarted: (identity) => listener.launcher(identity),
    onIdle: dispatch,
    onAnswer,
    onDied: watch,
    onStartFailed: (message) => {
      const launch = queue.shift();
      if (launch) finish(launch, notStarted(message));
    },
  });

  function inspect(job: JobName): Verdict {
    const found = inspector.inspect(job);
    if (found.kind !== 'startable') return found;
    makeShard(job);
    startables.set(job, found);
    return { kind: 'startable', script: found.script, interpreter: found.interpreter };
  }

  /** Before the launch record: a launcher makes no folders, and without one it could not claim. */
  function makeShard(job: JobName): void {
    const shard = shardOf(job);
    if (shards.has(shard)) return;
    mkdirSync(path.join(attempts, shard), { recursive: true });
    shards.add(shard);
  }

  function ensure(launch: Launch): void {
    const id = idOf(launch);
    if (wanted.has(id)) return;
    wanted.add(id);
    queue.push(launch);
    dispatch();
  }

  function dispatch(): void {
    while (queue.length > 0) {
      const launch = queue[0]!;
      if (!feed(launch)) break;
      queue.shift();
    }
    pool.want(queue.length);
  }

  /** False: no launcher is idle. Whatever goes wrong with this job is the result of this job. */
  function feed(launch: Launch): boolean {
    try {
      if (!pool.feed(launch, shardOf(launch.job), argvOf(launch))) return false;
    } catch (error) {
      queueMicrotask(() => finish(launch, failed(error)));
    }
    startables.delete(launch.job);
    cancelConfirm ??= clock.after(CONFIRM_MS, confirmStarts);
    return true;
  }

  function argvOf(launch: Launch): readonly string[] {
    const { argv } = startables.get(launch.job)!;
    const [shell, , command] = argv;
    if (shell === undefined || command === undefined || fitsInLine(command)) return argv;
    const file = commandPath(runFolder, launch.job, launch.attempt);
    writeFileSync(file, `${command}\n`);
    return [shell, file];
  }

  function onAnswer({ launch, identity }: Busy, answer: LauncherRecord): void {
    switch (answer.kind) {
      case 'E':
        return finish(launch, { kind: 'exited', code: answer.code! });
      case 'N':
        return finish(launch, notStarted('the launcher could not create the log or its records'));
      case 'F':
        return finish(launch, notStarted('the launcher could not fork'));
      case 'X':
        return watch({ launch, identity });
      case 'R':
      case 'S':
        return;
    }
  }

  /** No launcher can say any more what becomes of this attempt: evidence decides, as after a crash. */
  function watch({ launch, identity }: Pick<Busy, 'launch' | 'identity'>): void {
    if (isClosed) return;
    const marker = { run: options.run, file: options.file };
    const launchers = new Map([[identity.launcher, identity]]);
    const finding = judgeAttempts({ runFolder, marker, launchers }, [launch])[0]!.finding;
    switch (finding.kind) {
      case 'exited':
      case 'lost':
        return finish(launch, finding);
      case 'not-started':
        return finish(launch, notStarted('its launcher died before it started the job'));
      case 'unclaimed':
        voidAttempt(runFolder, launch, options.epoch);
        return watch({ launch, identity });
      case 'living':
        listener.report(launch.job, launch.attempt, { kind: 'running' });
        clock.after(ORPHAN_MS, () => watch({ launch, identity }));
        return;
      case 'undecided':
        clock.after(ORPHAN_MS, () => watch({ launch, identity }));
    }
  }

  function finish(launch: Launch, report: Report): void {
    wanted.delete(idOf(launch));
    listener.report(launch.job, launch.attempt, report);
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
    busy.isConfirmed = launcher.records().some((record) => record.kind === 'S' && record.id === idOf(launch));
    if (busy.isConfirmed) listener.report(launch.job, launch.attempt, { kind: 'running' });
  }

  async function close(): Promise<void> {
    isClosed = true;
    cancelConfirm?.();
    pool.close();
  }

  const listen = (to: ExecutorListener) => {
    listener = to;
  };
  return { inspect, ensure, admit: pool.admit, listen, close };
}

function idOf({ job, attempt }: Launch): string {
  return `${job}.${attempt}`;
}

function fitsInLine(command: string): boolean {
  return (
    Buffer.byteLength(command) <= COMMAND_BYTES_MAX && !/[\n\0]/.test(command) && !command.includes(SEPARATOR)
  );
}

function notStarted(cause: string): Report {
  return { kind: 'not-started', cause, shortage: { kind: 'resources', message: cause } };
}

function failed(error: unknown): Report {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'refused', problem: { kind: 'start-failed', message } };
}
