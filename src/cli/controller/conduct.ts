/** One run from its first event to its last: ports, engine, signals, view, and what is left in order at the end. */
import type { Claim } from '../../claim/claim.js';
import { cellsOf } from '../../core/project.js';
import type { Sheet } from '../../core/sheet.js';
import type { State } from '../../core/state.js';
import type { Event, Millis, RunEnd, StopSignal } from '../../core/words.js';
import { createEngine, type UntimedInput } from '../../engine/engine.js';
import type { Executor, Journal } from '../../engine/ports.js';
import { systemClock } from '../../engine/system-clock.js';
import { createLocalExecutor } from '../../executor/local.js';
import { FORMAT } from '../../journal/lines.js';
import { removeExpiredRuns } from '../../journal/retention.js';
import { type RunFolder, type RunRecord, writeSummary } from '../../journal/runs.js';
import { createNetFile } from '../../netfile/netfile.js';
import type { Context } from '../context.js';
import type { Place } from '../place.js';
import { createProgress, type Progress } from '../view/progress.js';
import { type ControllerLog, openControllerLog } from './log.js';
import { prepareOutFolder, removeOutFolder } from './out-folder.js';
import { watchSignals } from './signals.js';

export interface RunParts {
  readonly place: Place;
  readonly sheet: Sheet;
  readonly claim: Claim;
  readonly run: RunFolder;
  readonly record: RunRecord;
  readonly state: State;
  readonly journal: Journal;
  readonly limit: number;
  /** What the run begins with. */
  readonly inputs: readonly UntimedInput[];
}

export interface Conducted {
  readonly end: RunEnd;
  readonly stoppedBy: StopSignal | null;
}

/** Runs the net to its end. Rejects when the journal fails or another controller took over; jobs then go on. */
export async function conduct(context: Context, parts: RunParts): Promise<Conducted> {
  const { place, sheet, claim, run, record, state, journal } = parts;
  const log = openControllerLog(place.state.log, { run: run.id, epoch: claim.number });
  const progress = createProgress(context, { shown: place.shown, run: run.id, state });
  const executor = createLocalExecutor({
    folder: place.folder,
    file: record.file,
    run: run.id,
    runFolder: run.path,
    epoch: claim.number,
    slots: parts.limit,
    commands: sheet.net.commands,
    environment: jobEnvironment(context.environment),
    shell: record.shell,
    clock: systemClock,
  });
  const netFile = createNetFile({
    file: place.file,
    outFolder: prepareOutFolder(place.state.out, claim.number),
    clock: systemClock,
    onTrouble: (trouble) => {
      log.warn({ trouble }, 'jobnet.csv');
      progress.note(trouble ? context.m.csvTrouble(trouble) : context.m.csvWritable);
    },
  });
  const engine = createEngine({
    state,
    journal,
    executor,
    netFile,
    clock: systemClock,
    onShown: (event, at) => showEvent(log, progress, event, at),
  });
  executor.listen({
    report: (job, attempt, report) => engine.submit({ type: 'report', job, attempt, report }),
    launcher: (identity) => engine.submit({ type: 'launcher', identity }),
  });
  const unwatch = watchSignals({
    onStop: (by) => engine.submit({ type: 'stop', by }),
    onStopAgain: () => progress.note(context.m.jobsGoOn(state.live.size)),
    onTerminalLost: (how) => {
      log.info({ how }, 'terminal lost; the run goes on');
      progress.detach();
    },
  });
  try {
    log.info({ jobs: sheet.net.names.length, limit: parts.limit }, 'run begins');
    // What comes from the CSV itself keeps its times there; its own events show the rest.
    const imported = new Set(parts.inputs.flatMap((input) => (input.type === 'import' ? [input.job] : [])));
    state.jobs.forEach((own, index) => {
      const job = sheet.net.names[index]!;
      if (!imported.has(job)) netFile.show(job, cellsOf(own));
    });
    engine.submit(...parts.inputs);
    const end = await engine.closed;
    log.info({ end }, 'run closed');
    await finish(parts, end, executor);
    return { end, stoppedBy: state.run.stopping };
  } catch (error) {
    log.error({ err: error }, 'the controller stops; jobs go on');
    await executor.close();
    throw error;
  } finally {
    unwatch();
    progress.close();
  }
}

function showEvent(log: ControllerLog, progress: Progress, event: Event, at: Millis): void {
  if (event.type === 'paused' || event.type === 'unpaused' || event.type === 'stopping') log.warn(event);
  progress.show(event, at);
}

async function finish(
  { place, claim, run, record, state, journal }: RunParts,
  end: RunEnd,
  executor: Executor,
) {
  await executor.close();
  await journal.close();
  const counts = { ...state.counts };
  writeSummary(run, {
    format: FORMAT,
    run: run.id,
    state: end,
    startedAt: record.startedAt,
    endedAt: Date.now(),
    counts,
  });
  removeOutFolder(place.state.out, claim.number);
  claim.release();
  removeExpiredRuns(place.state, Date.now());
}

/** The jobs' environment is ours, without what an outer jobnet said of the job that we may be. */
function jobEnvironment(environment: Context['environment']): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !/^JOBNET_(JOB|ATTEMPT|RUN|FILE|BACKGROUND)$/.test(name)) own[name] = value;
  }
  return own;
}
