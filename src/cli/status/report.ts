/** Where a net stands, from its files alone: works without a controller, and says "running" only with proof. */
import type { Holder } from '../../claim/claim.js';
import { namesOf } from '../../core/net.js';
import { blockersOf, cellsOf, runState, type StatusWord, statusWord } from '../../core/project.js';
import type { Sheet } from '../../core/sheet.js';
import { attemptsOf, createState, isAllSettled, type State } from '../../core/state.js';
import { isLive } from '../../core/transitions.js';
import type { Input, JobName, JobState, Millis, RunState, StatusCode, StopSignal } from '../../core/words.js';
import type { Context } from '../context.js';
import { foresee, judgeInFlight, type KnownRun, latestRun, reportOn } from '../controller/takeover.js';
import { controllerOf, mayWork } from '../holder.js';
import type { Place } from '../place.js';

export interface StatusReport {
  readonly state: State;
  readonly run: {
    readonly id: string;
    readonly state: RunState;
    readonly startedAt: Millis;
    readonly endedAt: Millis | null;
    readonly stoppedBy: StopSignal | null;
  } | null;
  readonly controller: Holder | null;
  readonly jobs: readonly JobReport[];
  readonly counts: Readonly<Record<StatusWord, number>>;
}

export interface JobReport {
  readonly job: JobName;
  readonly csv: StatusCode;
  readonly status: StatusWord;
  readonly attempt: number;
  readonly own: JobState;
  /** False: it runs, and its row was taken out of the CSV. */
  readonly hasRow: boolean;
  readonly startedAt: Millis | null;
  readonly endedAt: Millis | null;
  readonly predecessors: readonly JobName[];
  readonly blockedBy: readonly JobName[];
}

export function reportStatus(context: Context, place: Place, sheet: Sheet, now: Millis): StatusReport {
  const holder = controllerOf(place.state);
  const known = latestRun(context, place, sheet);
  const state = known?.state ?? stateFromCsv(sheet, now);
  if (known && !mayWork(holder)) {
    // Without a controller at work evidence decides what became of attempts in flight.
    foresee(
      state,
      judgeInFlight(known).map((judged) => reportOn(known, judged, now)),
    );
  }
  const blockers = blockersOf(state);
  const jobs = [
    ...state.net.names.map((job, index) =>
      jobReport(job, state.jobs[index]!, {
        hasRow: true,
        predecessors: namesOf(state.net, state.net.predecessors, index),
        blockedBy: blockers.get(index) ?? [],
      }),
    ),
    // Jobs that run although their row was taken out of the file.
    ...Array.from(state.departed).flatMap(([job, own]) =>
      isLive(own.status) ? [jobReport(job, own, { hasRow: false, predecessors: [], blockedBy: [] })] : [],
    ),
  ];
  const counts: Record<StatusWord, number> = {
    waiting: 0,
    blocked: 0,
    launching: 0,
    running: 0,
    ended: 0,
    abended: 0,
    killed: 0,
    lost: 0,
    skipped: 0,
    outside: 0,
  };
  for (const { status } of jobs) counts[status]++;
  return { state, run: known ? runOf(known, state, holder) : null, controller: holder, jobs, counts };
}

/** A CSV that no run is known of: its own cells are all there is. */
function stateFromCsv(sheet: Sheet, at: Millis): State {
  const state = createState(sheet.net);
  const inputs = sheet.net.names.flatMap((job, index): Input[] => {
    const status = sheet.statuses[index]!;
    return status === '9' ? [] : [{ type: 'import', at, job, status }];
  });
  foresee(state, inputs);
  return state;
}

function runOf(
  { folder, record, replay }: KnownRun,
  state: State,
  holder: Holder | null,
): StatusReport['run'] {
  const isOver = state.run.closed !== null;
  return {
    id: folder.id,
    state: isOver || mayWork(holder) ? runState(state) : stateWithoutController(state),
    startedAt: record.startedAt,
    endedAt: isOver ? (replay.records.at(-1)?.at ?? null) : null,
    stoppedBy: state.run.stopping,
  };
}

/** Nobody starts anything: what is left is what lives, and where it stopped. */
function stateWithoutController(state: State): RunState {
  if (state.live.size > 0) return 'running';
  if (isAllSettled(state)) return 'ended';
  return state.counts.abended > 0 ? 'abended' : 'stopped';
}

function jobReport(
  job: JobName,
  own: JobState,
  around: Pick<JobReport, 'hasRow' | 'predecessors' | 'blockedBy'>,
): JobReport {
  const hasEnd = own.status === 'ended' || own.status === 'abended';
  return {
    job,
    csv: cellsOf(own).status,
    status: statusWord(own, around.blockedBy.length > 0),
    attempt: attemptsOf(own),
    own,
    startedAt: 'startedAt' in own ? own.startedAt : null,
    endedAt: hasEnd ? own.endedAt : null,
    ...around,
  };
}
