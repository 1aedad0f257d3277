/** A log on its way out, piece by piece, however large it is and however slow its reader; followed to its end. */
import { closeSync, fstatSync, openSync, readSync, watch } from 'node:fs';
import type { Sheet } from '../../core/sheet.js';
import { attemptsOf, jobState } from '../../core/state.js';
import { findCut } from '../../executor/log-cap.js';
import type { Context } from '../context.js';
import type { Place } from '../place.js';
import { reportStatus } from '../status/report.js';
import { leadingNuls, startOfTail } from './log-places.js';
import { type Encoding, type Printer, rawPrinter, textPrinter } from './log-printers.js';

const CHUNK_BYTES = 64 * 1024;
const FOLLOW_MS = 500;
/** More of them are no output of a job but a hole in its log. */
const NULS_SHOWN_MAX = 16;

export interface LogOptions {
  /** Null: UTF-8 if every byte fits, else CP932 if every byte fits, else UTF-8 with marks. */
  readonly encoding: Encoding | null;
  /** Null: all of them. */
  readonly lines: number | null;
  /** Whether nothing more will come; asked at the end of the file. */
  readonly isOver: () => boolean;
}

export async function printLog(context: Context, file: string, options: LogOptions): Promise<void> {
  const fd = openSync(file, 'r');
  try {
    const print = context.isTerminal ? textPrinter(fd, options.encoding) : rawPrinter();
    let position = options.lines === null ? begin(context, fd) : startOfTail(fd, options.lines);
    let askedAt = Number.NEGATIVE_INFINITY;
    for (let isLast = false; ; ) {
      const end = await copy(fd, position, print);
      if (isLast || end === null) break;
      position = end;
      // What came between the last look at the file and the news of its end is still printed.
      // The question is not cheap, and a chatty job would have it asked all the time.
      if (Date.now() - askedAt >= FOLLOW_MS) {
        isLast = options.isOver();
        askedAt = Date.now();
      }
      if (!isLast) await changed(file);
      if (fstatSync(fd).size >= position) continue;
      await print(null);
      context.err(context.m.logShorter);
      position = findCut(fd)?.start ?? begin(context, fd);
    }
    await print(null);
  } finally {
    closeSync(fd);
  }
}

/** People are told of a hole at the beginning; a pipe gets the bytes as they are. */
function begin(context: Context, fd: number): number {
  const nuls = context.isTerminal ? leadingNuls(fd) : 0;
  if (nuls <= NULS_SHOWN_MAX) return 0;
  context.out(context.m.nulsLeftOut(nuls));
  return nuls;
}

/** From a position to the end, which it returns; null: nobody reads any more. */
async function copy(fd: number, from: number, print: Printer): Promise<number | null> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = from; ; ) {
    const count = readSync(fd, chunk, 0, CHUNK_BYTES, position);
    if (count === 0) return position;
    if (!(await print(chunk.subarray(0, count)))) return null;
    position += count;
  }
}

/** Resolves when the file changed, or after a while: a watch may be refused, a file system may not tell. */
function changed(file: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      watcher?.close();
      resolve();
    };
    const timer = setTimeout(done, FOLLOW_MS);
    let watcher: ReturnType<typeof watch> | null = null;
    try {
      watcher = watch(file, done);
      watcher.on('error', done);
    } catch {
      // The timer alone is enough.
    }
  });
}

/** Whether an attempt is over, by the journal or, without a controller, by what its launcher left. */
export function isEnded(context: Context, place: Place, sheet: Sheet, job: string, attempt: number): boolean {
  const { state } = reportStatus(context, place, sheet, Date.now());
  const own = jobState(state, job);
  if (!own || attemptsOf(own) !== attempt) return true;
  return own.status !== 'launching' && own.status !== 'running' && own.status !== 'intended';
}
