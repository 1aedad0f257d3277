/** `jobnet status`: where every job stands, with or without a controller. */
import type { StatusWord } from '../../core/project.js';
import type { Context } from '../context.js';
import { EXIT, exitCodeOf } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions } from '../place.js';
import { statusJson } from '../status/json.js';
import { type JobReport, reportStatus, type StatusReport } from '../status/report.js';
import { cut, table, visible } from '../view/text.js';
import { clockTime, duration } from '../view/times.js';

export interface StatusOptions extends NetOptions {
  readonly json: boolean;
  readonly all: boolean;
  readonly exitStatus: boolean;
}

/** A larger net shows only the jobs that need a look, unless asked for all. */
const ALL_JOBS_MAX = 50;
const WORTH_A_LOOK: readonly StatusWord[] = ['launching', 'running', 'abended', 'lost', 'blocked'];

export function status(context: Context, options: StatusOptions): number {
  const place = findPlace(context, options);
  const sheet = loadSheet(context, place);
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

function isWorthALook({ status: word }: JobReport): boolean {
  return WORTH_A_LOOK.includes(word);
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

function noteOf({ m }: Context, { own, blockedBy, predecessors, status: word }: JobReport): string {
  if (own.status === 'abended') return m.reason(own.reason);
  if (word === 'blocked') return m.blockedBy(blockedBy.join(', '));
  if (word === 'waiting' && predecessors.length > 0) return m.after(predecessors.slice(0, 8).join(', '));
  return '';
}
