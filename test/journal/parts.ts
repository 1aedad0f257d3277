/** Journals written by hand, line by line. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeLine, FORMAT, type Seal } from '../../src/journal/lines.js';
import { JournalDamaged, partName, readJournal } from '../../src/journal/replay.js';
import { tempFolder } from '../contract/temp-folder.js';
import { rerun } from './events.js';

export interface PartText {
  readonly text: string;
  /** Offset behind each line. */
  readonly ends: readonly number[];
}

/** A part whose first line seals what came before, with an event for each name. */
export function partText(
  epoch: number,
  options: { part?: number; seal?: Seal | null; seq?: number; format?: number; jobs?: readonly string[] },
): PartText {
  const { part = 0, seal = null, seq = 1, format = FORMAT, jobs = [] } = options;
  const lines = [
    encodeLine(seq, 0, { type: 'seal', format, epoch, part, seal }),
    ...jobs.map((job, at) => encodeLine(seq + 1 + at, 0, rerun(job))),
  ];
  let end = 0;
  const ends = lines.map((line) => {
    end += Buffer.byteLength(line);
    return end;
  });
  return { text: lines.join(''), ends };
}

export function writePart(folder: string, epoch: number, part: number, content: string | Buffer): void {
  writeFileSync(path.join(folder, partName(epoch, part)), content);
}

/** Epoch 7 with the jobs a, b and c; epoch 8 seals it behind b and adds x. */
export function sealedFolder() {
  const folder = tempFolder();
  const older = partText(7, { jobs: ['a', 'b', 'c'] });
  const seal = { epoch: 7, part: 0, bytes: older.ends[2]! };
  const newer = partText(8, { seal, seq: 4, jobs: ['x'] });
  writePart(folder, 7, 0, older.text);
  writePart(folder, 8, 0, newer.text);
  return { folder, older, newer };
}

/** What is wrong, with the name of the file. */
export function damageOf(folder: string): { file: string; line: number; fault: string } | null {
  try {
    readJournal(folder);
    return null;
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    return { file: path.basename(error.file), line: error.line, fault: error.fault };
  }
}
