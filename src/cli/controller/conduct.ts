/** One run from its first event to its last: ports, engine, signals, view, and what is left in order at the end. */
import type { Claim } from '../../claim/claim.js';
import { forceAt, GRACE_MS } from '../../core/kill.js';
import { type Cells, cellsOf } from '../../core/project.js';
import type { Sheet } from '../../core/sheet.js';
import { jobState, type State } from '../../core/state.js';
import type { Event, JobName, KillRequest, Millis, RunEnd, StopSignal } from '../../core/words.js';
import { createEngine, type UntimedInput } from '../../engine/engine.js';
import type { Journal, KillOrder, Launch } from '../../engine/ports.js';
import { systemClock } from '../../engine/system-clock.js';
import { createLocalExecutor } from '../../executor/local.js';
import type { LogCapSettings } from '../../executor/log-cap.js';
import type { RunFolder, RunRecord } from '../../journal/runs.js';
import { createNetFile } from '../../netfile/netfile.js';
import type { WatchMode } from '../../netfile/watch.js';
import type { Context } from '../context.js';
import type { Place } from '../place.js';
import { createProgress, type Progress } from '../view/progress.js';
import { createEnds } from './ends.js';
import { leaveInOrder } from './leave.js';
import { type ControllerLog, openControllerLog } from './log.js';
import { listenToOperators } from './operators.js';
import { prepareOutFolder } from './out-folder.js';
import { watchSignals } from './signals.js';

/** How a run is conducted. */
export interface RunSettings {
  /** Jobs at a time. */
  readonly limit: number;
  readonly keepGoing: boolean;
  /** Running jobs are ended when one abends. */
  readonly failFast: boolean;
  /** Jobs that turn out lost run again. */
  readonly rerunLost: boolean;
  readonly watch: WatchMode;
  /** Bytes of a log above which it is cut; null: it may grow for ever. */
  readonly logMax: number | null;
  /** Where operators' requests are listened to; null: nowhere. */
  readonly socket: string | null;
}

export interface RunParts {
  readonly place: Place;
  readonly sheet: Sheet;
  readonly claim: Claim;
  readonly run: RunFolder;
  readonly record: RunRecord;
  readonly state: State;
  readonly journal: Journal;
  readonly settings: RunSettings;
  /** What the run begins with. */
  readonly inputs: readonly UntimedInput[];
  /** Attempts of an earlier controller that may still run. */
  readonly adopted: readonly Launch[];
}

export interface Conducted {
  readonly end: RunEnd;
  readonly stoppedBy: StopSignal | null;
  /** The CSV has everything. */
  readonly isFileCurrent: boolean;
}

/** Runs the net to its end. Rejects when the journal fails or another controller took over; jobs then go on. */
export async function conduct(context: Context, parts: RunParts): Promise<Conducted> {
  const { place, sheet, claim, run, record, state, journal, settings } = parts;
  const { log, reopen } = openControllerLog(place.state.log, { run: run.id, epoch: claim.number });
  const progress = createProgress(context, { shown: place.shown, run: run.id, state });
  const executor = createLocalExecutor({
    folder: place.folder,
    file: place.given,
    earlierFile: record.file,
    run: run.id,
    runFolder: run.path,
    epoch: claim.number,
    slots: settings.limit,
    // The net may change while it runs.
    commands: { get: (job) => state.net.commands.get(job) },
    environment: jobEnvironment(context.environment, place.chosenState),
    shell: record.shell,
    earlierLaunchers: state.launchers,
    clock: systemClock,
    logCap: logCapOf(settings, log),
  });
  const netFile = createNetFile({
    file: place.file,
    sheet,
    outFolder: prepareOutFolder(place.state.out, claim.number),
    backup: place.state.backup,
    lastGood: place.state.lastGood,
    began: record.startedAt,
    watch: settings.watch,
    isCurrent: () => claim.highest() === claim.number,
    clock: systemClock,
  });
  const before = cellsBefore(parts);
  const ends = createEnds();
  const engine = createEngine({
    state,
    fileNet: sheet.net,
    journal,
    executor,
    netFile,
    clock: systemClock,
    onFirstCommit: () => {
      for (const [job, cells] of before) netFile.show(job, cells);
    },
    onShown: (event, at) => {
      showEvent(log, progress, event, at);
      ends.seen(event);
    },
    onFault: (fault) => {
      if (fault) log.error({ err: fault }, 'the journal cannot be written');
      else log.warn('the journal can be written again');
      progress.note(fault ? context.m.journalFault(fault.code) : context.m.journalFaultOver);
    },
  });
  executor.listen({
    report: (job, attempt, report) => {
      const again = report.kind === 'lost' && (settings.rerunLost || state.net.rerunsLost.has(job));
      engine.submit(
        { type: 'report', job, attempt, report },
        ...(again ? [{ type: 'rerun', job } as const] : []),
      );
    },
    launcher: (identity) => engine.submit({ type: 'launcher', identity }),
  });
  const server = await listenToOperators(settings.socket, { engine, ends, netFile, state }, (error) =>
    log.error({ err: error }, 'the operator socket'),
  );
  const unwatch = watchSignals({
    onStop: (by) => engine.submit({ type: 'stop', by }),
    onStopAgain: (signal) => {
      const request = { cause: { kind: 'signal', signal }, signal: 'TERM', graceMs: GRACE_MS } as const;
      engine.submit({ type: 'kill', jobs: null, request });
    },
    onTerminalLost: (how) => {
      log.info({ how }, 'terminal lost; the run goes on');
      progress.detach();
    },
    onReopen: () => {
      reopen();
      log.info('SIGHUP without a terminal: this log is opened again');
    },
  });
  try {
    log.info({ jobs: sheet.net.names.length, limit: settings.limit }, 'run begins');
    engine.submit(...parts.inputs);
    for (const launch of parts.adopted) {
      executor.adopt(launch);
      const own = jobState(state, launch.job);
      // What an earlier controller had begun to end is ended by this one.
      if (own && 'killing' in own) executor.kill(launch, orderOf(own.killing!));
    }
    const end = await engine.closed;
    const isFileCurrent = await netFile.flush();
    log.info({ end, isFileCurrent }, 'run closed');
    await netFile.close();
    const refused = await leaveInOrder(parts, end, executor);
    if (refused) {
      log.warn({ code: refused }, 'not left in order; the next start or resume makes up for it');
      progress.note(context.m.endUnwritten(refused));
    }
    return { end, stoppedBy: state.run.stopping, isFileCurrent };
  } catch (error) {
    log.error({ err: error }, 'the controller stops; jobs go on');
    await netFile.close();
    await executor.close();
    throw error;
  } finally {
    await server?.close();
    unwatch();
    progress.close();
  }
}

function orderOf(killing: KillRequest & { at: Millis }): KillOrder {
  return { signal: killing.signal, forceAt: forceAt(killing, killing.at) };
}

/** What was cut is in the log itself as well. */
function logCapOf({ logMax }: RunSettings, log: ControllerLog): LogCapSettings | undefined {
  if (logMax === null) return undefined;
  return {
    bytesMax: logMax,
    onCut: (launch, droppedBytes) => log.warn({ ...launch, droppedBytes }, 'a log was cut (--log-max)'),
    onRefused: (launch, error) => log.error({ ...launch, err: error }, 'a log cannot be cut (--log-max)'),
  };
}

/**
 * The file as the state has it before the run goes on: it may be behind. What comes from the CSV itself keeps its times
 * there; its own events show the rest.
 */
function cellsBefore({ inputs, state }: RunParts): [JobName, Cells][] {
  const imported = new Set(inputs.flatMap((input) => (input.type === 'import' ? [input.job] : [])));
  return state.net.names.flatMap((job, index): [JobName, Cells][] =>
    imported.has(job) ? [] : [[job, cellsOf(state.jobs[index]!)]],
  );
}

/** What concerns more than one job; the journal has everything. */
const LOGGED: ReadonlySet<Event['type']> = new Set([
  'paused',
  'unpaused',
  'stopping',
  'version',
  'edit',
  'watching',
  'unwritten',
  'written',
]);

function showEvent(log: ControllerLog, progress: Progress, event: Event, at: Millis): void {
  if (LOGGED.has(event.type)) log.warn(event);
  progress.show(event, at);
}

/** The jobs' environment is ours, without what an outer jobnet said of the job that we may be. */
function jobEnvironment(environment: Context['environment'], state: string | null): Record<string, string> {
  const own: Record<string, string> = state === null ? {} : { JOBNET_STATE: state };
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !/^JOBNET_(JOB|ATTEMPT|RUN|FILE|STATE|BACKGROUND)$/.test(name))
      own[name] = value;
  }
  return own;
}
