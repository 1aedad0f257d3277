/** One try to put new bytes into the file, and what is said of it: a trouble once, and once that it is over. */
import type { Sheet } from '../core/sheet.js';
import type { FileEvent, InPlaceReason } from '../core/words.js';
import type { Clock } from '../engine/ports.js';
import type { Current } from './reader.js';
import { codeOf, replaceFile } from './replace.js';
import type { Strays } from './strays.js';

export interface WriterOptions {
  readonly file: string;
  /** A path on the same file system for the new version; null: there is none. */
  readonly temporary: string | null;
  /** Where the old bytes are kept while the file is written in place. */
  readonly backup: string;
  readonly strays: Strays;
  readonly isCurrent: () => boolean;
  readonly clock: Clock;
  readonly say: (event: FileEvent) => void;
}

/** `changed`: somebody saved a version since it was read, so nothing was written. */
export type Outcome = 'written' | 'changed' | 'failed';

export interface Writer {
  /** @param sheet what the file says now */
  write(current: Current, sheet: Sheet, form: string): Promise<Outcome>;
  /** Nothing needed to be written: it is in the file already. */
  unneeded(): void;
  failed(code: string): void;
}

export function createWriter(options: WriterOptions): Writer {
  const { file, temporary, backup, strays, isCurrent, clock, say } = options;
  let inPlace: InPlaceReason | null = null;
  let lastFailure: string | null = null;

  async function write({ bytes, before }: Current, sheet: Sheet, form: string): Promise<Outcome> {
    try {
      const opened = await strays.open(file, sheet);
      let isKept = false;
      try {
        const replacement = { file, temporary, backup, old: bytes, before, isCurrent };
        const done = await replaceFile({ ...replacement, bytes: Buffer.from(form, 'latin1') });
        if (done.kind === 'changed') return 'changed';
        isKept = done.kind === 'replaced';
        succeeded(done.kind === 'written-in-place' ? done.why : null);
      } finally {
        if (isKept) await opened.keep(clock.now());
        else await opened.close();
      }
      return 'written';
    } catch (error) {
      failed(codeOf(error));
      return 'failed';
    }
  }

  function failed(code: string): void {
    if (code !== lastFailure) say({ type: 'unwritten', code });
    lastFailure = code;
  }

  function succeeded(why: InPlaceReason | null): void {
    if (lastFailure !== null || why !== inPlace) say({ type: 'written', inPlace: why });
    lastFailure = null;
    inPlace = why;
  }

  return { write, unneeded: () => succeeded(inPlace), failed };
}
