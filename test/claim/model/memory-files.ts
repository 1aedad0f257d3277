/** Files in memory for the model check: what disk.ts does, without a disk. */
import path from 'node:path';
import type { Files, Life, Moment } from '../../../src/claim/steps.js';
import type { ProcessIdentity } from '../../../src/host/identity.js';
import { Fault } from './checker.js';

/** One operation as a protocol asks for it. */
export type Asked = readonly [name: keyof Files, ...args: unknown[]];

export type Names = ReadonlyMap<string, string>;

/** What is no file: other processes, clocks and chance. */
export interface Surroundings {
  life(of: ProcessIdentity): Life;
  fresh(): string;
  now(): Moment;
}

export class MemoryFiles implements Files {
  readonly names: Map<string, string>;

  constructor(
    names: Names,
    private readonly around: Surroundings,
  ) {
    this.names = new Map(names);
  }

  list(folder: string): string[] {
    const here = [...this.names.keys()].filter((file) => path.dirname(file) === folder);
    return here.map((file) => path.basename(file)).sort();
  }

  read(file: string): string | null {
    return this.names.get(file) ?? null;
  }

  write(file: string, text: string): void {
    if (this.names.has(file)) throw new Fault(`written twice: ${file}`);
    this.names.set(file, text);
  }

  link(from: string, to: string): boolean {
    const text = this.names.get(from);
    if (text === undefined) throw new Fault(`linked, and is not there: ${from}`);
    if (this.names.has(to)) return false;
    this.names.set(to, text);
    return true;
  }

  mark(file: string): boolean {
    if (this.names.has(file)) return false;
    this.names.set(file, '');
    return true;
  }

  rename(from: string, to: string): boolean {
    const text = this.names.get(from);
    if (text === undefined) return false;
    this.names.delete(from);
    this.names.set(to, text);
    return true;
  }

  remove(file: string): boolean {
    return this.names.delete(file);
  }

  sync(): void {}

  life(of: ProcessIdentity): Life {
    return this.around.life(of);
  }

  fresh(): string {
    return this.around.fresh();
  }

  now(): Moment {
    return this.around.now();
  }
}

/** Where a protocol may only ask for files. */
const NOTHING_AROUND: Surroundings = {
  life: () => impossible('life'),
  fresh: () => impossible('fresh'),
  now: () => impossible('now'),
};

function impossible(what: string): never {
  throw new Error(`impossible: ${what} is no operation on files`);
}

export interface Outcome {
  readonly answer: unknown;
  readonly files: number;
}

/** Every content of the file system that was ever seen, by number; what was done once is remembered. */
export class FileSystems {
  private readonly numbers = new Map<string, number>();
  private readonly contents: Names[] = [];
  private readonly texts: string[] = [];
  private readonly outcomes: Map<string, Outcome>[] = [];

  numberOf(names: Names): number {
    const text = JSON.stringify([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.contents.length;
    this.numbers.set(text, number);
    this.contents.push(names);
    this.texts.push(text);
    this.outcomes.push(new Map());
    return number;
  }

  namesOf(number: number): Names {
    return this.contents[number]!;
  }

  textOf(number: number): string {
    return this.texts[number]!;
  }

  /** `key` is the operation as a text. */
  perform(number: number, [name, ...args]: Asked, key: string): Outcome {
    const known = this.outcomes[number]!.get(key);
    if (known) return known;
    const files = new MemoryFiles(this.namesOf(number), NOTHING_AROUND);
    const answer = (files[name] as (...all: unknown[]) => unknown).apply(files, args) ?? null;
    const outcome = { answer, files: this.numberOf(files.names) };
    this.outcomes[number]!.set(key, outcome);
    return outcome;
  }
}
