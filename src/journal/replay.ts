/** Reads the journal of a run by the chain of seals: which bytes of which part count, and what they say. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordedEvent } from '../core/replay.js';
import { FORMAT, type Line, type Lines, readLines, type Seal, type SealLine } from './lines.js';

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

/** The parts of a journal, the newest first. */
export function listParts(folder: string): { epoch: number; part: number }[] {
  const parts = [];
  for (const name of readdirSync(folder)) {
    const match = PART.exec(name);
    if (match) parts.push({ epoch: Number(match[1]), part: Number(match[2] ?? 0) });
  }
  return parts.sort((a, b) => b.epoch - a.epoch || b.part - a.part);
}

/**
 * Reads a journal. The newest part with a whole seal line counts to its last whole line; each one below exactly
 * as far as the seal above says, for ever; a part that no seal names counts for nothing.
 * @param below only parts of lower epochs count: the reader holds this epoch and reads what was before it
 * @throws JournalDamaged
 */
export function readJournal(folder: string, below = Number.POSITIVE_INFINITY): Replay {
  const parts = listParts(folder).filter((part) => part.epoch < below);
  for (const newest of parts) {
    const read = readPart(folder, newest.epoch, newest.part);
    const sealed = sealOf(read);
    if (!sealed) continue;
    if (read.damagedLine) throw damage(folder, newest, read.damagedLine, 'broken-line');
    const tail = { ...newest, bytes: read.ends.at(-1)! };
    const lines = [...linesBelow(folder, sealed.seal), ...read.lines];
    checkSequence(folder, newest, lines);
    return { records: lines.filter(isRecord), tail, nextSeq: lines.at(-1)!.seq + 1 };
  }
  return { records: [], tail: null, nextSeq: 1 };
}

function isRecord(line: Line): line is Line & RecordedEvent {
  return line.event.type !== 'seal';
}

function linesBelow(folder: string, first: Seal | null): Line[] {
  const chunks: (readonly Line[])[] = [];
  for (let seal = first; seal; ) {
    const read = readPart(folder, seal.epoch, seal.part);
    const sealed = sealOf(read);
    const count = read.ends.indexOf(seal.bytes) + 1;
    if (!sealed || count === 0)
      throw damage(folder, seal, read.damagedLine ?? read.lines.length + 1, 'short');
    chunks.unshift(read.lines.slice(0, count));
    seal = sealed.seal;
  }
  return chunks.flat();
}

function readPart(folder: string, epoch: number, part: number): Lines {
  return readLines(readFileSync(path.join(folder, partName(epoch, part))));
}

function sealOf(read: Lines): SealLine | null {
  const first = read.lines[0]?.event;
  return first?.type === 'seal' ? first : null;
}

function checkSequence(
  folder: string,
  newest: { epoch: number; part: number },
  lines: readonly Line[],
): void {
  lines.forEach((line, index) => {
    if (line.event.type === 'seal' && line.event.format > FORMAT) {
      throw damage(folder, line.event, 1, 'newer-format');
    }
    if (index > 0 && line.seq !== lines[index - 1]!.seq + 1)
      throw damage(folder, newest, index + 1, 'sequence');
  });
}

function damage(
  folder: string,
  { epoch, part }: { epoch: number; part: number },
  line: number,
  fault: JournalDamaged['fault'],
): JournalDamaged {
  return new JournalDamaged(path.join(folder, partName(epoch, part)), line, fault);
}
