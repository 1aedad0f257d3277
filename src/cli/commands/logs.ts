/** `jobnet logs JOB`: what an attempt printed, under a head that says in which surroundings it ran. */
import { existsSync } from 'node:fs';
import { nearestName } from '../../core/names.js';
import type { Event } from '../../core/words.js';
import { logPath } from '../../executor/attempts.js';
import type { Context } from '../context.js';
import { type KnownRun, latestRun } from '../controller/takeover.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, knownSheet, type NetOptions } from '../place.js';
import { isEnded, printLog } from '../view/log.js';
import { visible } from '../view/visible.js';

export interface LogsOptions extends NetOptions {
  readonly follow: boolean;
  readonly attempt?: number;
  readonly head: boolean;
  readonly encoding?: 'utf-8' | 'cp932';
  /** Only the last so many. */
  readonly lines?: number;
}

export async function logs(context: Context, job: string, options: LogsOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  const sheet = knownSheet(context, place);
  const known = latestRun(context, place, sheet);
  const shown = visible(job);
  if (!sheet.net.indexes.has(job) && !known?.state.departed.has(job)) {
    throw new CommandError(EXIT.wrongUse, [m.noSuchJob(shown, nearestName(job, sheet.net.names))]);
  }
  const launches = known ? launchesOf(known, job) : [];
  const launch =
    options.attempt === undefined ? launches.at(-1) : launches.find((one) => one.attempt === options.attempt);
  if (!known || !launch) throw new CommandError(EXIT.wrongState, [m.noLog(shown)]);
  const file = logPath(known.folder.path, job, launch.attempt);
  if (!existsSync(file)) throw new CommandError(EXIT.wrongState, [m.noLog(shown)]);
  if (options.head && context.isTerminal) sayHead(context, known, launch);
  await printLog(context, file, {
    encoding: options.encoding ?? null,
    lines: options.lines ?? null,
    isOver: options.follow ? () => isEnded(context, place, sheet, job, launch.attempt) : () => true,
  });
  return EXIT.settled;
}

interface LaunchFacts {
  readonly job: string;
  readonly attempt: number;
  readonly at: number;
  readonly script: string;
  readonly interpreter: string | null;
}

/** Launches of a job in the journal; one that was recorded ahead carries its facts there. */
function launchesOf({ replay }: KnownRun, job: string): LaunchFacts[] {
  const launches = new Map<number, LaunchFacts>();
  for (const { event, at } of replay.records)
    if (isLaunch(event) && event.job === job) launches.set(event.attempt, { ...event, at });
  return [...launches.values()];
}

function isLaunch(event: Event): event is Event & { type: 'launching' | 'intended' } {
  return event.type === 'launching' || event.type === 'intended';
}

function sayHead(context: Context, { record }: KnownRun, launch: LaunchFacts): void {
  const { m } = context;
  const when = new Date(launch.at).toLocaleString(context.language === 'ja' ? 'ja-JP' : 'en-GB');
  const lines = m.logHead({
    job: launch.job,
    attempt: launch.attempt,
    run: record.run,
    when,
    folder: record.folder,
    user: record.user,
    path: record.path,
    locale: record.locale,
    interpreter: launch.interpreter,
    script: launch.script,
  });
  for (const line of lines) context.out(visible(line));
  context.out('');
}
