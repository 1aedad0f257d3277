/** Reads the journal of a run by the chain of seals: which bytes of which part count, and what they say. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordedEvent } from '../core/replay.js';
import { hasCode, namesIn } from '../host/durable.js';
import { FORMAT, type Line, type Lines, readLines, type Seal } from './lines.js';

/** Everything in a journal that counts, without its seal lines. */
export interface Replay {
  readonly records: readonly RecordedEvent[];
  /** Where it ends: what the next part seals. Null for a journal without a whole seal line. */
  readonly tail: Seal | null;
  readonly nextSeq: number;
}

/** A journal that cannot be trusted: nothing is written to it. */
export class JournalDamaged extends Error {
  constructor(
    readonly file: string,
    readonly line: number,
    readonly fault: 'broken-line' | 'newer-format' | 'sequence' | 'short',
  ) {
    super(`${file}, line ${line}: ${fault}`);
    this.name = 'JournalDamaged';
  }
}

/** EPOCH.jsonl is part 0; a part opened after a failed sync is EPOCH.P.jsonl. */
export function partName(epoch: number, part: number): string {
  const digits = String(epoch).padStart(8, '0');
  return part === 0 ? `${digits}.jsonl` : `${digits}.${part}.jsonl`;
}

const PART = /^(\d{8})(?:\.([1-9]\d*))?\.jsonl$/;

/** One part of a journal; the name of its file says both. */
interface Part {
  readonly epoch: number;
  readonly part: number;
}

/** The parts of a journal, the newest first. */
export function listParts(folder: string): Part[] {
  const parts = [];
  for (const name of namesIn(folder)) {
    const match = PART.exec(name);
    if (match) parts.push({ epoch: Number(match[1]), part: Number(match[2] ?? 0) });
  }
  return parts.sort(newestFirst);
}

function newestFirst(a: Part, b: Part): number {
  return b.epoch - a.epoch || b.part - a.part;
}

/**
 * Reads a journal. The newest part with a whole seal line counts to its last whole line; each one below exactly
 * as far as the seal above says, for ever; a part that no seal names counts for nothing.
 * @param below only parts of lower epochs count: the reader holds this epoch and reads what was before it
 * @throws JournalDamaged
 */
export function readJournal(folder: string, below = Number.POSITIVE_INFINITY): Replay {
  for (const part of listParts(folder)) {
    const newest = part.epoch < below ? readPart(folder, part) : null;
    if (!newest) continue;
    if (newest.damagedLine) throw damage(folder, part, newest.damagedLine, 'broken-line');
    const { records, nextSeq } = joined(folder, countedParts(folder, newest));
    return { records, tail: { ...part, bytes: newest.ends.at(-1)! }, nextSeq };
  }
  return { records: [], tail: null, nextSeq: 1 };
}

interface ReadPart extends Lines {
  readonly part: Part;
  readonly seal: Seal | null;
}

/** Null when its controller died before the seal line was whole: such a part counts for nothing. */
function readPart(folder: string, part: Part): ReadPart | null {
  const read = readLines(readFileSync(path.join(folder, partName(part.epoch, part.part))));
  const first = read.lines[0]?.event;
  if (!first && !read.damagedLine) return null;
  // Nothing is written behind a seal line before that is durable: whole lines without it are damage.
  if (first?.type !== 'seal') throw damage(folder, part, 1, 'broken-line');
  // Checked before the rest is believed: the lines of a newer format may be of another shape.
  if (first.format > FORMAT) throw damage(folder, part, 1, 'newer-format');
  return { ...read, part, seal: first.seal };
}

interface Counted {
  readonly part: Part;
  readonly lines: readonly Line[];
}

/** Down the chain of seals; the oldest part comes first. */
function countedParts(folder: string, newest: ReadPart): Counted[] {
  const counted: Counted[] = [newest];
  let above = newest;
  while (above.seal) {
    const { seal } = above;
    if (newestFirst(above.part, seal) >= 0) throw damage(folder, above.part, 1, 'sequence');
    above = sealedPart(folder, seal);
    counted.unshift({ part: seal, lines: above.lines.slice(0, above.ends.indexOf(seal.bytes) + 1) });
  }
  return counted;
}

/** A part of which a line ends where the seal says, with nothing broken before. */
function sealedPart(folder: string, seal: Seal): ReadPart {
  let read: ReadPart | null = null;
  try {
    read = readPart(folder, seal);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  if (read?.ends.includes(seal.bytes)) return read;
  const whole = read ? read.ends.filter((end) => end < seal.bytes).length : 0;
  throw damage(folder, seal, whole + 1, read?.damagedLine === whole + 1 ? 'broken-line' : 'short');
}

/** Numbers go on from part to part without a gap, from 1. */
function joined(folder: string, counted: readonly Counted[]): Pick<Replay, 'records' | 'nextSeq'> {
  const records: RecordedEvent[] = [];
  let nextSeq = 1;
  for (const { part, lines } of counted) {
    lines.forEach(({ seq, at, event }, index) => {
      if (seq !== nextSeq++) throw damage(folder, part, index + 1, 'sequence');
      if (event.type !== 'seal') records.push({ at, event });
    });
  }
  return { records, nextSeq };
}

function damage(
  folder: string,
  { epoch, part }: Part,
  line: number,
  fault: JournalDamaged['fault'],
): JournalDamaged {
  return new JournalDamaged(path.join(folder, partName(epoch, part)), line, fault);
}
