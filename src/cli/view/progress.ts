/** A run on screen: one line for what happened; on a terminal also a few lines, drawn again, for what is going on. */
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { styleText } from 'node:util';
import type { State } from '../../core/state.js';
import { isSettled } from '../../core/transitions.js';
import type { Event, Millis } from '../../core/words.js';
import type { Context } from '../context.js';
import { cut, pad } from './text.js';
import { clockTime, duration } from './times.js';
import { visible } from './visible.js';

export interface Progress {
  show(event: Event, at: Millis): void;
  /** A line that is not about one job. */
  note(text: string): void;
  /** Nobody looks any more: say nothing. */
  detach(): void;
  close(): void;
}

type EndNotes = Pick<Extract<Event, { type: 'ended' }>, 'hasScriptChanged' | 'left'>;

export interface ProgressOptions {
  readonly shown: string;
  readonly run: string;
  readonly state: State;
}

const REDRAW_MS = 200;
/** In a larger net the lines of normal ends would only scroll by on a terminal. */
const EVERY_END_JOBS_MAX = 200;
const BAR_CELLS = 24;

export function createProgress(context: Context, { shown, run, state }: ProgressOptions): Progress {
  const { m, isTerminal } = context;
  const started = Date.now();
  /** Running jobs with their start, as far as it was shown. */
  const running = new Map<string, Millis>();
  const settled = new Set<string>();
  const abended = new Set<string>();
  state.jobs.forEach(({ status }, index) => {
    if (isSettled(status)) settled.add(state.net.names[index]!);
    if (status === 'abended') abended.add(state.net.names[index]!);
  });
  for (const index of state.live) {
    const own = state.jobs[index]!;
    if ('startedAt' in own) running.set(state.net.names[index]!, own.startedAt ?? started);
  }
  let drawnLines = 0;
  let isDetached = false;
  /** Lines of one batch of events, for one write. */
  let lines: string[] = [];
  const timer = isTerminal ? setInterval(draw, REDRAW_MS) : null;
  timer?.unref();

  function show(event: Event, at: Millis): void {
    const line = lineOf(event, at);
    if (line !== null) print(line);
  }

  function lineOf(event: Event, at: Millis): string | null {
    count(event);
    switch (event.type) {
      case 'launching':
        running.set(event.job, at);
        return isTerminal ? null : jobLine(at, event, m.started);
      case 'ended': {
        const text = m.ended(elapsed(event.job, event.endedAt ?? at));
        const isOneOfMany = isTerminal && state.net.names.length > EVERY_END_JOBS_MAX;
        const isShown = !isOneOfMany || event.hasScriptChanged || event.left;
        return isShown ? jobLine(at, event, withNotes(event, text)) : null;
      }
      case 'abended':
        running.delete(event.job);
        return jobLine(at, event, withNotes(event, color('red', m.abended(event.reason))));
      case 'kill-requested':
        return jobLine(at, event, color('yellow', visible(m.killing(event.cause))));
      case 'not-started':
        running.delete(event.job);
        return null;
      case 'rerun':
        return event.by ? jobLine(at, event, color('yellow', m.byHand(event))) : null;
      case 'skipped':
      case 'settled':
      case 'outside':
        return jobLine(at, event, color('yellow', m.byHand(event)));
      case 'version':
      case 'edit':
      case 'unwritten':
      case 'written':
        return color('yellow', visible(m.fileEvent(event)));
      case 'watching':
        return event.mode === 'polling' ? visible(m.fileEvent(event)) : null;
      case 'stopping':
        return color('yellow', m.stopping(event.by, state.live.size));
      case 'paused':
        return color('yellow', m.paused(visible(m.shortage(event.shortage))));
      case 'unpaused':
        return m.unpaused;
      default:
        return null;
    }
  }

  function count(event: Event): void {
    switch (event.type) {
      case 'ended':
      case 'kept':
      case 'skipped':
      case 'settled':
        settled.add(event.job);
        abended.delete(event.job);
        return;
      case 'abended':
        settled.delete(event.job);
        abended.add(event.job);
        return;
      case 'rerun':
        settled.delete(event.job);
        abended.delete(event.job);
        return;
      case 'version':
        if (event.outcome !== 'taken') return;
        for (const job of event.removed) settled.delete(job);
        for (const job of event.removed) abended.delete(job);
        return;
      default:
    }
  }

  function elapsed(job: string, endedAt: Millis): string {
    const startedAt = running.get(job);
    running.delete(job);
    return startedAt === undefined ? '' : duration(endedAt - startedAt);
  }

  function jobLine(at: Millis, event: { job: string; attempt?: number }, text: string): string {
    const { job, attempt = 1 } = event;
    const number = attempt > 1 ? ` #${attempt}` : '';
    return `${clockTime(at)}  ${visible(job)}${number}  ${text}`;
  }

  /** What a person should know of an end besides the end. */
  function withNotes({ hasScriptChanged, left }: EndNotes, text: string): string {
    const notes = [...(hasScriptChanged ? [m.scriptChanged] : []), ...(left ? [visible(m.left(left))] : [])];
    return [text, ...notes.map((note) => color('yellow', note))].join('; ');
  }

  function color(name: 'red' | 'yellow' | 'green' | 'dim', text: string): string {
    return context.hasColor ? styleText(name, text, { validateStream: false }) : text;
  }

  function print(line: string): void {
    if (isDetached) return;
    if (lines.length === 0) queueMicrotask(printLines);
    lines.push(line);
  }

  function printLines(): void {
    if (isDetached || lines.length === 0) return;
    clear();
    context.out(lines.join('\n'));
    lines = [];
    if (isTerminal) draw();
  }

  /** The last lines of the terminal: never as many as it has rows, never as wide as it is. */
  function draw(): void {
    if (isDetached) return;
    const width = context.columns() - 1;
    const now = Date.now();
    const drawn = [headLine(now), ...jobLines(Math.max(0, Math.min(context.rows() - 3, 10)), now)];
    clear();
    for (const line of drawn) context.out(color('dim', cut(line, width)));
    drawnLines = drawn.length;
  }

  function headLine(now: Millis): string {
    const total = state.net.names.length;
    const done = Math.floor((settled.size / Math.max(1, total)) * BAR_CELLS);
    const bar = `[${'#'.repeat(done)}${'.'.repeat(BAR_CELLS - done)}]`;
    const counts = m.progressCounts({
      settled: settled.size,
      total,
      running: running.size,
      abended: abended.size,
    });
    return `${bar} ${counts}  ${duration(now - started)}  ${visible(shown)} ${run}`;
  }

  function jobLines(linesMax: number, now: Millis): string[] {
    const jobs = [...running].slice(0, linesMax);
    const shownJobs = jobs.map(([job, at]) => `  ${pad(cut(visible(job), 40), 12)}  ${duration(now - at)}`);
    if (running.size > jobs.length && shownJobs.length > 0)
      shownJobs[shownJobs.length - 1] = `  ${m.moreRunning(running.size - jobs.length + 1)}`;
    return shownJobs;
  }

  function clear(): void {
    if (drawnLines === 0) return;
    moveCursor(process.stdout, 0, -drawnLines);
    cursorTo(process.stdout, 0);
    clearScreenDown(process.stdout);
    drawnLines = 0;
  }

  function close(): void {
    if (timer) clearInterval(timer);
    printLines();
    if (!isDetached) clear();
    isDetached = true;
  }

  return {
    show,
    note: (text) => print(color('yellow', text)),
    detach: () => {
      printLines();
      isDetached = true;
    },
    close,
  };
}
