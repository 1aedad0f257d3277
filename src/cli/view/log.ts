/** A log on screen: decoded without cutting characters, control codes shown; into a pipe the bytes as they are. */
import { closeSync, fstatSync, openSync, readSync, watch } from 'node:fs';
import type { Sheet } from '../../core/sheet.js';
import { attemptsOf, jobState } from '../../core/state.js';
import type { Context } from '../context.js';
import type { Place } from '../place.js';
import { reportStatus } from '../status/report.js';
import { visible } from './visible.js';

const CHUNK_BYTES = 64 * 1024;
/** So much of a log decides how it is decoded. */
const SAMPLE_BYTES = 1024 * 1024;
const FOLLOW_MS = 500;

export interface LogOptions {
  /** Null: UTF-8 if every byte fits, else CP932 if every byte fits, else UTF-8 with marks. */
  readonly encoding: 'utf-8' | 'cp932' | null;
  /** Whether nothing more will come; asked at the end of the file. */
  readonly isOver: () => boolean;
}

export async function printLog(context: Context, file: string, options: LogOptions): Promise<void> {
  const fd = openSync(file, 'r');
  try {
    const print = context.isTerminal ? textPrinter(fd, options.encoding) : rawPrinter();
    let position = 0;
    for (;;) {
      const before = position;
      position = copy(fd, before, print);
      if (position !== before) continue;
      if (options.isOver()) break;
      await changed(file);
    }
    // What came between the last look at the file and the news of its end.
    copy(fd, position, print);
    print(null);
  } finally {
    closeSync(fd);
  }
}

/** Takes bytes; null: the end. */
type Printer = (bytes: Buffer | null) => void;

/** From a position to the end; a log that became shorter is read from its beginning. */
function copy(fd: number, from: number, print: Printer): number {
  let position = fstatSync(fd).size < from ? 0 : from;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const count = readSync(fd, chunk, 0, CHUNK_BYTES, position);
    if (count === 0) return position;
    print(chunk.subarray(0, count));
    position += count;
  }
}

function rawPrinter(): Printer {
  return (bytes) => {
    if (bytes && !process.stdout.destroyed) process.stdout.write(Buffer.from(bytes));
  };
}

/** Keeps an unfinished character until its other bytes come; line breaks and tabs stay what they are. */
function textPrinter(fd: number, chosen: LogOptions['encoding']): Printer {
  const decoder = new TextDecoder(labelOf(chosen ?? encodingOf(fd)));
  return (bytes) => {
    const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    const lines = text
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.split('\t').map(visible).join('\t'));
    process.stdout.write(lines.join('\n'));
  };
}

function labelOf(encoding: 'utf-8' | 'cp932'): string {
  return encoding === 'cp932' ? 'shift_jis' : 'utf-8';
}

function encodingOf(fd: number): 'utf-8' | 'cp932' {
  const sample = Buffer.alloc(Math.min(SAMPLE_BYTES, fstatSync(fd).size));
  const bytes = sample.subarray(0, readSync(fd, sample, 0, sample.length, 0));
  const candidates = ['utf-8', 'cp932'] as const;
  return candidates.find((encoding) => fits(bytes, encoding)) ?? 'utf-8';
}

/** The sample may end inside a character: that is no fault. */
function fits(bytes: Buffer, encoding: 'utf-8' | 'cp932'): boolean {
  try {
    new TextDecoder(labelOf(encoding), { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
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
