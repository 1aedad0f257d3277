/** What is said when a run has closed, and the exit code. */
import { hasScriptChanged, type State } from '../../core/state.js';
import type { Context } from '../context.js';
import { exitCodeOf } from '../exit-codes.js';
import type { Place } from '../place.js';
import { cut } from '../view/text.js';
import { duration } from '../view/times.js';
import { visible } from '../view/visible.js';
import type { Conducted } from './conduct.js';

const JOBS_NAMED_MAX = 20;

export function sayEnd(
  context: Context,
  place: Place,
  state: State,
  conducted: Conducted,
  began: number,
): number {
  const { m } = context;
  const total = state.net.names.length;
  if (conducted.end === 'ended') context.out(m.runEnded(total, duration(Date.now() - began)));
  else {
    context.out(m.runEnd(conducted.end, state.counts.ended + state.counts.skipped, total));
    if (conducted.end === 'stopped') context.out(m.goOn(commandFor(place, 'resume')));
    sayAbended(context, place, state);
  }
  sayScriptsChanged(context, state);
  if (state.counts.outside > 0) context.out(m.outsideJobs(state.counts.outside));
  if (!conducted.isFileCurrent) context.err(m.csvNotCurrent(state.run.unwritten ?? 'EBUSY'));
  return exitCodeOf(conducted.end, conducted.stoppedBy);
}

function sayAbended(context: Context, place: Place, state: State): void {
  const { m } = context;
  const abended = state.jobs.flatMap((own, index) =>
    own.status === 'abended' ? [{ job: state.net.names[index]!, ...own }] : [],
  );
  if (abended.length === 0) return;
  context.out(m.abendedJobs);
  for (const { job, reason } of abended.slice(0, JOBS_NAMED_MAX)) {
    context.out(`  ${visible(job)}  ${visible(m.reason(reason))}`);
  }
  if (abended.length > JOBS_NAMED_MAX) context.out(`  ${m.moreRunning(abended.length - JOBS_NAMED_MAX)}`);
  const lost = abended.filter(({ reason }) => reason.kind === 'lost').length;
  const withLog = abended.find(({ reason }) => reason.kind === 'exit');
  if (withLog) context.out(m.logsHint(commandFor(place, 'logs', withLog.job)));
  if (lost < abended.length) context.out(m.whatNext(commandFor(place, 'resume')));
  if (lost > 0) context.out(m.lostJobs(lost));
}

function sayScriptsChanged({ m, out }: Context, { jobs, net }: State): void {
  const names = jobs.flatMap((own, index) => (hasScriptChanged(own) ? [visible(net.names[index]!)] : []));
  if (names.length === 0) return;
  const more = names.length > JOBS_NAMED_MAX ? [m.moreRunning(names.length - JOBS_NAMED_MAX)] : [];
  out(m.scriptsChanged([...names.slice(0, JOBS_NAMED_MAX), ...more].join(', ')));
}

/** A command that can be pasted into a shell. */
export function commandFor(place: Place, command: string, job?: string): string {
  const file = place.shown === 'jobnet.csv' ? [] : ['-f', quoted(place.shown)];
  return ['jobnet', command, ...file, ...(job === undefined ? [] : [quoted(job)])].join(' ');
}

function quoted(word: string): string {
  return /^[\w./,:+-]+$/.test(word) ? word : `'${cut(visible(word), 300).replaceAll("'", `'\\''`)}'`;
}
