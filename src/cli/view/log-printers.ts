/** How a log is printed: decoded without cutting characters, control codes shown; into a pipe the bytes as they are. */
import { fstatSync, readSync } from 'node:fs';
import { leadingNuls } from './log-places.js';
import { visible } from './visible.js';

export type Encoding = 'utf-8' | 'cp932';

/**
 * Takes bytes, null: the end. Resolves when they are on their way: a slow reader is waited for, nothing piles up.
 * False: nobody reads any more.
 */
export type Printer = (bytes: Buffer | null) => Promise<boolean>;

/** So much of a log decides how it is decoded. */
const SAMPLE_BYTES = 1024 * 1024;

export function rawPrinter(): Printer {
  return (bytes) => write(bytes ?? '');
}

/** Keeps an unfinished character until its other bytes come; line breaks and tabs stay what they are. */
export function textPrinter(fd: number, chosen: Encoding | null): Printer {
  const decoder = new TextDecoder(labelOf(chosen ?? encodingOf(fd)));
  let held = '';
  return (bytes) => {
    const text = held + (bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
    // The other half of a line break may be in the next piece.
    held = bytes && text.endsWith('\r') ? '\r' : '';
    const lines = text
      .slice(0, text.length - held.length)
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.split('\t').map(visible).join('\t'));
    return write(lines.join('\n'));
  };
}

/** By its callback: standard output is never closed for Node, and takes every piece after it has lost its reader. */
function write(piece: Buffer | string): Promise<boolean> {
  if (piece.length === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    process.stdout.write(piece, (error) => resolve(!error));
  });
}

function labelOf(encoding: Encoding): string {
  return encoding === 'cp932' ? 'shift_jis' : 'utf-8';
}

function encodingOf(fd: number): Encoding {
  const from = leadingNuls(fd);
  const sample = Buffer.alloc(Math.max(0, Math.min(SAMPLE_BYTES, fstatSync(fd).size - from)));
  const bytes = sample.subarray(0, readSync(fd, sample, 0, sample.length, from));
  const candidates = ['utf-8', 'cp932'] as const;
  return candidates.find((encoding) => fits(bytes, encoding)) ?? 'utf-8';
}

/** The sample may end inside a character: that is no fault. */
function fits(bytes: Buffer, encoding: Encoding): boolean {
  try {
    new TextDecoder(labelOf(encoding), { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
