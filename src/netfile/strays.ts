/**
 * Edits that go astray: whoever had opened the file before we replaced it writes into the old one, where nobody would
 * look. Replaced files are kept open for a while and looked at again; it is the only way not to lose such an edit.
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { Sheet } from '../core/sheet.js';
import type { Around } from '../core/versions.js';
import type { Edits, Millis } from '../core/words.js';
import { createIntake, type Look } from './intake.js';
import { type Fingerprint, fingerprintOf, isSameVersion } from './replace.js';

/** A writer that takes longer than this between opening and writing is not waited for. */
const KEPT_MS = 5000;
/** Nor is one that never ends. */
const KEPT_MS_MAX = 60_000;
/** Files kept open at a time. */
const FILES_MAX = 8;
/** Two writes closer than this may leave the same time at a file: the tick of Linux, and that of FAT. */
const TICK_MS = 50;
const COARSE_TICK_MS = 2100;

/** A version that was written into a file that is no longer there. */
export interface Stray {
  /** What it was made from. */
  readonly base: Sheet;
  readonly sheet: Sheet;
  readonly edits: Edits;
}

export interface Strays {
  /** Keeps the file open that is there now and is about to be replaced; `sheet` is what it says. */
  open(file: string, sheet: Sheet): Promise<Opened>;
  /** Each version once, when it is whole; and when to look again, if somebody may be in the middle of writing. */
  look(now: Millis): Promise<{ readonly found: readonly Stray[]; readonly againMs: number | null }>;
  close(): Promise<void>;
}

export interface Opened {
  /** It was replaced: from now on it is looked at. */
  keep(now: Millis): Promise<void>;
  /** It was not replaced. */
  close(): Promise<void>;
}

interface Kept {
  readonly handle: FileHandle;
  look(bytes: Buffer, now: Millis): Look & { readonly base: Sheet };
  /** What was read last, and whether it leaves nothing to be done. */
  last: Buffer | null;
  isDealtWith: boolean;
  /** By its times and size; since when it was seen so and when it was read, both on the monotonic clock. */
  version: Fingerprint | null;
  versionSince: Millis;
  readAt: Millis;
  since: Millis;
  changedAt: Millis;
}

export function createStrays(around: Around): Strays {
  const files = new Set<Kept>();

  async function openFile(file: string, sheet: Sheet): Promise<Opened> {
    const handle = await open(file, 'r');
    return {
      keep: async (now) => {
        files.add({
          handle,
          look: lookFrom(sheet, around),
          last: null,
          isDealtWith: false,
          version: null,
          versionSince: 0,
          readAt: 0,
          since: now,
          changedAt: now,
        });
        const [oldest] = files;
        if (files.size > FILES_MAX && oldest) await drop(oldest);
      },
      close: () => handle.close(),
    };
  }

  async function look(now: Millis) {
    const found: Stray[] = [];
    let againMs: number | null = null;
    for (const kept of files) {
      const seen = await lookAt(kept, now);
      if (seen?.kind === 'good') found.push(seen);
      if (seen?.kind === 'wait') againMs = Math.min(againMs ?? seen.ms, seen.ms);
    }
    return { found, againMs };
  }

  async function lookAt(kept: Kept, now: Millis): Promise<(Look & { readonly base: Sheet }) | null> {
    // The clock of the machine may be set back.
    kept.since = Math.min(kept.since, now);
    kept.changedAt = Math.min(kept.changedAt, now);
    const isOver = () => now - kept.changedAt > KEPT_MS || now - kept.since > KEPT_MS_MAX;
    try {
      // The last look reads in any case: what was written through a memory map may show in no time.
      if ((await isAsItWas(kept)) && !isOver()) return null;
      await readAgain(kept, now);
    } catch {
      // A file without a name on a disk that fails, or on another machine: nothing more can be learned from it.
      await drop(kept);
      return null;
    }
    const seen = kept.isDealtWith ? null : kept.look(kept.last!, now);
    kept.isDealtWith ||= seen?.kind === 'nothing-new';
    if (isOver() && seen?.kind !== 'wait') await drop(kept);
    if (now - kept.since > KEPT_MS_MAX + KEPT_MS) await drop(kept);
    return seen;
  }

  /** Whatever was written since it was read would show in its times. */
  async function isAsItWas(kept: Kept): Promise<boolean> {
    const stat = await kept.handle.stat({ bigint: true });
    const version = fingerprintOf(stat);
    if (!kept.version || !isSameVersion(version, kept.version)) {
      kept.version = version;
      kept.versionSince = performance.now();
    }
    const tick = stat.ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : TICK_MS;
    return kept.isDealtWith && kept.readAt - kept.versionSince >= tick;
  }

  async function readAgain(kept: Kept, now: Millis): Promise<void> {
    kept.readAt = performance.now();
    const bytes = await readWhole(kept.handle);
    if (kept.last?.equals(bytes)) return;
    if (kept.last) kept.changedAt = now;
    kept.last = bytes;
    kept.isDealtWith = false;
  }

  async function drop(kept: Kept): Promise<void> {
    if (files.delete(kept)) await kept.handle.close();
  }

  async function close(): Promise<void> {
    for (const kept of files) await drop(kept);
  }

  return { open: openFile, look, close };
}

/** Looks as at the file itself; what was found is what the next look is compared with. */
function lookFrom(first: Sheet, around: Around): Kept['look'] {
  let base = first;
  const intake = createIntake(() => base, around);
  return (bytes, now) => {
    const before = base;
    const seen = intake.look({ bytes, form: bytes.toString('latin1') }, now);
    if (seen.kind === 'good') base = seen.sheet;
    return { ...seen, base: before };
  };
}

async function readWhole(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat();
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(buffer, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
