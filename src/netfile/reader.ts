/** The file as it is now; what cannot be read is said once, when it lasts. */
import { readFile } from 'node:fs/promises';
import type { FileEvent, Millis } from '../core/words.js';
import type { Clock } from '../engine/ports.js';
import { PATIENT_MS } from './intake.js';
import { codeOf, type Fingerprint, fingerprint } from './replace.js';

/** The file as it was just read. */
export interface Current {
  readonly bytes: Buffer;
  /** The same with a character for each byte. */
  readonly form: string;
  readonly before: Fingerprint;
}

export interface ReaderOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly say: (event: FileEvent) => void;
  /** It cannot be read, and that is said. */
  readonly onTrouble: () => void;
  readonly lookAgain: (ms: number) => void;
}

/** @returns a function that reads; null: it cannot be read now */
export function createReader(options: ReaderOptions): () => Promise<Current | null> {
  const { file, clock } = options;
  let since: Millis | null = null;
  let saidCode: string | null = null;

  function fail(code: string): void {
    const now = clock.now();
    since = Math.min(since ?? now, now);
    // A tool may take the file away for a moment, to put another one there.
    const left = since + PATIENT_MS - now;
    if (left > 0) return options.lookAgain(left);
    options.onTrouble();
    if (code !== saidCode) options.say({ type: 'version', outcome: 'unreadable', code });
    saidCode = code;
  }

  return async () => {
    try {
      const before = await fingerprint(file);
      const bytes = await readFile(file);
      since = null;
      saidCode = null;
      return { bytes, form: bytes.toString('latin1'), before };
    } catch (error) {
      fail(codeOf(error));
      return null;
    }
  };
}
