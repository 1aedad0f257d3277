/** Forgets the files that nobody will look at any more: situations that differ by them only are one. */
import path from 'node:path';
import { NUMBER } from '../../../src/claim/record.js';
import { isMentioned, type Local } from './locals.js';
import type { FileSystems } from './memory-files.js';

/** The texts of which one must be remembered by somebody who will still look at the file; null: anybody may. */
export type KnownBy = (file: string, names: readonly string[]) => readonly string[] | null;

interface Candidate {
  readonly file: string;
  readonly texts: readonly string[];
}

export class Sweeper {
  private readonly candidates: Candidate[][] = [];
  private readonly known: Map<number, number>[] = [];

  constructor(
    private readonly fileSystems: FileSystems,
    private readonly knownBy: KnownBy,
  ) {}

  swept(files: number, locals: readonly Local[]): number {
    this.candidates[files] ??= this.candidatesOf(files);
    let lost = 0;
    for (const [at, { texts }] of this.candidates[files]!.entries()) {
      if (!texts.some((text) => locals.some((local) => isMentioned(local, text)))) lost |= 1 << at;
    }
    if (lost === 0) return files;
    this.known[files] ??= new Map();
    const known = this.known[files]!.get(lost);
    if (known !== undefined) return known;
    const next = this.without(files, lost);
    this.known[files]!.set(lost, next);
    return next;
  }

  private candidatesOf(files: number): Candidate[] {
    const candidates: Candidate[] = [];
    const contents = this.fileSystems.namesOf(files);
    const names = [...contents.keys()].map((file) => path.basename(file)).sort();
    for (const [file, text] of contents) {
      const texts = this.knownBy(file, names);
      if (texts && text !== FORGOTTEN) candidates.push({ file, texts });
    }
    return candidates;
  }

  private without(files: number, lost: number): number {
    const names = new Map(this.fileSystems.namesOf(files));
    for (const [at, { file }] of this.candidates[files]!.entries()) {
      if ((lost & (1 << at)) === 0) continue;
      // A number stays taken; who reads it after all finds no claim.
      if (NUMBER.test(path.basename(file))) names.set(file, FORGOTTEN);
      else names.delete(file);
    }
    return this.fileSystems.numberOf(names);
  }
}

const FORGOTTEN = 'forgotten';
