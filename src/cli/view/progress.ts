/** A run on screen: one line for what happened; on a terminal also a few lines, drawn again, for what is going on. */
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { styleText } from 'node:util';
import type { State } from '../../core/state.js';
import type { Event, Millis } from '../../core/words.js';
import type { Context } from '../context.js';
import { cut, pad, visible } from './text.js';
import { clockTime, duration } from './times.js';

export interface Progress {
  show(event: Event, at: Millis): void;
  /** A line that is not about one job. */
  note(text: string): void;
  /** Nobody looks any more: say nothing. */
  detach(): void;
  close(): void;
}

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
  const total = state.net.names.length;
  /** Running jobs with their start, as far as it was shown. */
  const running = new Map<string, Millis>();
  let settled = state.counts.ended;
  let abended = state.counts.abended;
  let drawnLines = 0;
  let isDetached = false;
  const timer = isTerminal ? setInterval(draw, REDRAW_MS) : null;
  timer?.unref();

  function show(event: Event, at: Millis): void {
    const line = lineOf(event, at);
    if (line !== null) print(line);
  }

  function lineOf(event: Event, at: Millis): string | null {
    switch (event.type) {
      case 'launching':
        running.set(event.job, at);
        return isTerminal ? null : jobLine(at, event.job, event.attempt, m.started);
      case 'ended': {
        settled++;
        const text = m.ended(elapsed(event.job, event.endedAt ?? at));
        return isTerminal && total > EVERY_END_JOBS_MAX ? null : jobLine(at, event.job, event.attempt, text);
      }
      case 'abended':
        abended++;
        running.delete(event.job);
        return jobLine(at, event.job, event.attempt, color('red', m.abended(event.reason)));
      case 'not-started':
        running.delete(event.job);
        return null;
      case 'rerun':
        abended--;
        return null;
      case 'kept':
        settled++;
        return null;
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

  function elapsed(job: string, endedAt: Millis): string {
    const startedAt = running.get(job);
    running.delete(job);
    return startedAt === undefined ? '' : duration(endedAt - startedAt);
  }

  function jobLine(at: Millis, job: string, attempt: number, text: string): string {
    const number = attempt > 1 ? ` #${attempt}` : '';
    return `${clockTime(at)}  ${visible(job)}${number}  ${text}`;
  }

  function color(name: 'red' | 'yellow' | 'green' | 'dim', text: string): string {
    return context.hasColor ? styleText(name, text) : text;
  }

  function print(line: string): void {
    if (isDetached) return;
    clear();
    context.out(line);
    if (isTerminal) draw();
  }

  /** The last lines of the terminal: never as many as it has rows, never as wide as it is. */
  function draw(): void {
    if (isDetached) return;
    const width = context.columns() - 1;
    const now = Date.now();
    const lines = [headLine(now), ...jobLines(Math.max(0, Math.min(context.rows() - 3, 10)), now)];
    clear();
    for (const line of lines) context.out(color('dim', cut(line, width)));
    drawnLines = lines.length;
  }

  function headLine(now: Millis): string {
    const done = Math.floor((settled / Math.max(1, total)) * BAR_CELLS);
    const bar = `[${'#'.repeat(done)}${'.'.repeat(BAR_CELLS - done)}]`;
    const counts = m.progressCounts({ settled, total, running: running.size, abended });
    return `${bar} ${counts}  ${duration(now - started)}  ${visible(shown)} ${run}`;
  }

  function jobLines(linesMax: number, now: Millis): string[] {
    const jobs = [...running].slice(0, linesMax);
    const lines = jobs.map(([job, at]) => `  ${pad(cut(visible(job), 40), 12)}  ${duration(now - at)}`);
    if (running.size > jobs.length && lines.length > 0)
      lines[lines.length - 1] = `  ${m.moreRunning(running.size - jobs.length + 1)}`;
    return lines;
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
    if (!isDetached) clear();
    isDetached = true;
  }

  return {
    show,
    note: (text) => print(color('yellow', text)),
    detach: () => {
      isDetached = true;
    },
    close,
  };
}
