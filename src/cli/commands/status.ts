/** `jobnet status`: where every job stands, with or without a controller. */

import { forceAt } from '../../core/kill.js';
import type { StatusWord } from '../../core/project.js';
import type { Notice } from '../../core/state.js';
import { hasScriptChanged } from '../../core/state.js';
import type { FileEvent, JobState } from '../../core/words.js';
import type { Context } from '../context.js';
import { EXIT, exitCodeOf } from '../exit-codes.js';
import { findPlace, knownSheet, type NetOptions } from '../place.js';
import { statusJson } from '../status/json.js';
import { type JobReport, reportStatus, type StatusReport } from '../status/report.js';
import { cut, table } from '../view/text.js';
import { clockTime, duration } from '../view/times.js';
import { visible } from '../view/visible.js';

export interface StatusOptions extends NetOptions {
  readonly json: boolean;
  readonly all: boolean;
  readonly exitStatus: boolean;
}

/** A larger net shows only the jobs that need a look, unless asked for all. */
const ALL_JOBS_MAX = 50;
const WORTH_A_LOOK: readonly StatusWord[] = [
  'launching',
  'running',
  'abended',
  'killed',
  'lost',
  'blocked',
  'outside',
];

export function status(context: Context, options: StatusOptions): number {
  const place = findPlace(context, options);
  const sheet = knownSheet(context, place);
  const now = Date.now();
  const report = reportStatus(context, place, sheet, now);
  if (options.json) context.out(JSON.stringify(statusJson(place, report)));
  else printStatus(context, options, report, now);
  return options.exitStatus ? exitStatusOf(report) : EXIT.settled;
}

function exitStatusOf({ run }: StatusReport): number {
  switch (run?.state) {
    case 'ended':
    case 'abended':
    case 'stopped':
    case 'abandoned':
      return exitCodeOf(run.state, run.stoppedBy);
    default:
      return EXIT.abended;
  }
}

function printStatus(context: Context, options: StatusOptions, report: StatusReport, now: number): void {
  const { m } = context;
  const { run, controller, jobs, counts } = report;
  const shown = visible(options.file);
  if (run) {
    const time = duration((run.endedAt ?? now) - run.startedAt);
    context.out(m.statusRun(shown, run.id, run.state, clockTime(run.startedAt), time));
  } else context.out(m.statusNoRun(shown));
  if (controller && (controller.life !== 'dead' || report.state.run.closed === null)) {
    const { owner, life } = controller;
    context.out(m.statusController(life, owner.pid, visible(owner.host), clockTime(owner.claimedAt)));
  }
  for (const line of fileLines(context, report)) context.out(visible(line));
  const words = Object.entries(counts).filter(([, count]) => count > 0) as [StatusWord, number][];
  context.out(
    m.statusCounts(jobs.length, words.map(([word, count]) => `${m.status[word]} ${count}`).join(', ')),
  );
  const listed = options.all || jobs.length <= ALL_JOBS_MAX ? jobs : jobs.filter(isWorthALook);
  if (listed.length > 0) {
    context.out('');
    const rows = listed.map((job) => jobRow(context, job, now));
    for (const line of table([[...m.statusColumns], ...rows])) {
      context.out(context.isTerminal ? cut(line, context.columns()) : line);
    }
  }
  if (listed.length < jobs.length) context.out(m.statusMore(jobs.length - listed.length));
}

/** How the file is watched, what keeps it from being current, and what happened to it last. */
function fileLines({ m }: Context, { state, controller }: StatusReport): string[] {
  const { watching, file, unwritten, inPlace } = state.run;
  const lines: string[] = [];
  if (watching && controller?.life === 'alive') lines.push(m.statusFile + m.fileEvent(watching));
  if (inPlace) lines.push(m.statusFile + m.fileEvent({ type: 'written', inPlace }));
  if (file) lines.push(m.statusFile + m.fileEvent(file));
  if (unwritten) lines.push(m.statusFile + m.fileEvent({ type: 'unwritten', code: unwritten }));
  const last = state.notices.filter(({ event }) => isOver(event)).slice(-NOTICES_SHOWN);
  const textOf = (event: Notice['event']) =>
    isFileEvent(event) ? m.fileEvent(event) : `${event.job}  ${m.byHand(event)}`;
  return [...lines, ...last.map(({ at, event }) => `${clockTime(at)}  ${textOf(event)}`)];
}

const NOTICES_SHOWN = 10;

/** What goes on stands above. */
function isOver(event: Notice['event']): boolean {
  return (
    !isFileEvent(event) || event.type === 'edit' || (event.type === 'version' && event.outcome === 'taken')
  );
}

function isFileEvent(event: Notice['event']): event is FileEvent {
  return !('job' in event) || event.type === 'edit';
}

function isWorthALook({ status: word, own }: JobReport): boolean {
  return WORTH_A_LOOK.includes(word) || hasScriptChanged(own);
}

function jobRow(context: Context, { own, ...job }: JobReport, now: number): string[] {
  const { m } = context;
  const end = job.endedAt ?? (own.status === 'running' || own.status === 'launching' ? now : null);
  const time = job.startedAt !== null && end !== null ? duration(end - job.startedAt) : '';
  const number = job.attempt > 1 ? ` #${job.attempt}` : '';
  const start = job.startedAt === null ? '' : clockTime(job.startedAt);
  return [
    `${cut(visible(job.job), 40)}${number}`,
    m.status[job.status],
    start,
    time,
    visible(noteOf(context, { own, ...job })),
  ];
}

function noteOf({ m }: Context, { own, blockedBy, predecessors, status: word, hasRow }: JobReport): string {
  if (!hasRow) return m.rowMissing;
  if ('killing' in own && own.killing) {
    const { at } = own.killing;
    return m.beingKilled(clockTime(at), clockTime(forceAt(own.killing, at)));
  }
  if (own.status === 'outside') return m.outsideSince(clockTime(own.since));
  if (own.status === 'abended') return [m.reason(own.reason), ...endNotes(m, own)].join('; ');
  if (own.status === 'ended') return endNotes(m, own).join('; ');
  if (word === 'blocked') return m.blockedBy(blockedBy.join(', '));
  if (word === 'waiting' && predecessors.length > 0) return m.after(predecessors.slice(0, 8).join(', '));
  return '';
}

/** What a person should know of an end besides the end. */
function endNotes(m: Context['m'], own: JobState & { status: 'ended' | 'abended' }): string[] {
  return [...(own.hasScriptChanged ? [m.scriptChanged] : []), ...(own.left ? [m.left(own.left)] : [])];
}
