/** `status --json`: one object, never translated (docs/cli.md describes every field). */
import { hasScriptChanged } from '../../core/state.js';
import type { JobState, Millis } from '../../core/words.js';
import type { Place } from '../place.js';
import { signalAfter } from '../signals.js';
import type { JobReport, StatusReport } from './report.js';

export function statusJson(place: Place, report: StatusReport): object {
  const { run, controller } = report;
  return {
    file: place.given,
    run: run && { id: run.id, state: run.state, startedAt: iso(run.startedAt), endedAt: iso(run.endedAt) },
    controller: controller && {
      state: controller.life,
      pid: controller.owner.pid,
      host: controller.owner.host,
      epoch: controller.number,
    },
    counts: report.counts,
    csv: csvJson(report),
    jobs: report.jobs.map(jobJson),
  };
}

/** How the file stands with the controller. */
function csvJson({ state }: StatusReport): object {
  const { file, watching, unwritten, inPlace } = state.run;
  return {
    state: file?.outcome ?? 'current',
    watching: watching?.mode ?? null,
    unwritten,
    inPlace,
    held: Array.from(state.heldEdits, ([job, to]) => ({ job, to })),
    notices: state.notices.map(({ at, event }) => ({ at: iso(at), ...event })),
  };
}

function jobJson({ own, hasRow: _, ...job }: JobReport): object {
  const { startedAt, endedAt } = job;
  return {
    job: job.job,
    csv: job.csv,
    status: job.status,
    attempt: job.attempt,
    exit: exitOf(own),
    reason: own.status === 'abended' ? reasonWord(own) : null,
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
    left: 'left' in own ? (own.left ?? []) : [],
    scriptChanged: hasScriptChanged(own),
    durationMs: startedAt !== null && endedAt !== null ? Math.max(0, endedAt - startedAt) : null,
    predecessors: job.predecessors,
    blockedBy: job.blockedBy,
  };
}

function exitOf(own: JobState): { code: number; signal?: string } | null {
  if (own.status === 'ended') return own.attempt > 0 && !own.byHand ? { code: 0 } : null;
  if (own.status !== 'abended' || !(own.reason.kind === 'exit' || own.reason.kind === 'reported'))
    return null;
  const { code } = own.reason;
  const signal = signalAfter(code);
  return signal ? { code, signal } : { code };
}

/** A word that programs can compare. */
function reasonWord({ reason }: JobState & { status: 'abended' }): string {
  return reason.kind === 'refused' ? reason.problem.kind : reason.kind;
}

function iso(at: Millis | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
