/**
 * Situations that differ by names only are one: processes of the same kind may change places, and an id may be called
 * as one likes as long as it is the same wherever it is written. The order in which a listing tells its names is no
 * part of a situation; a real one promises none.
 */
import type { State } from './checker.js';
import type { Local, Locals, Situation } from './locals.js';
import type { FileSystems, Names } from './memory-files.js';

/** A process `<A>`, its command `<a>`, the ids that it has made `<A1>`, `<A2>`; ids that are in no file are `<Z1>`. */
const NAME = /<([A-Ga-gZ])(\d*)>/g;

const LETTERS = 'ABCDEFG';

export function processName(actor: number): string {
  return `<${LETTERS[actor]}>`;
}

export function commandName(actor: number): string {
  return processName(actor).toLowerCase();
}

export function idName(actor: number, count: number): string {
  return `<${LETTERS[actor]}${count}>`;
}

export function isId(value: unknown): boolean {
  return /^<[A-G]\d+>$/.test(String(value));
}

/** Whose process or command that is. */
export function actorOf(name: string): number {
  return LETTERS.indexOf(name.charAt(1).toUpperCase());
}

/** Every way to exchange what is equal in `kinds`; `order[actor]` is who takes its place. */
export function exchanges(kinds: readonly unknown[]): number[][] {
  let orders: number[][] = [[]];
  for (const kind of kinds) {
    orders = orders.flatMap((order) =>
      [...kinds.keys()].filter((to) => kinds[to] === kind && !order.includes(to)).map((to) => [...order, to]),
    );
  }
  return orders;
}

interface Renaming {
  readonly order: readonly number[];
  /** Ids that are in files; null: ids keep their counts. */
  readonly ids: ReadonlyMap<string, string> | null;
  readonly locals: Map<number, number>;
}

export class Symmetry {
  private readonly known = new Map<string, Renaming>();
  private readonly choices: { files: number; renamings: Renaming[] }[] = [];

  constructor(
    private readonly fileSystems: FileSystems,
    private readonly locals: Locals,
    private readonly orders: readonly (readonly number[])[],
    /** An id that somebody remembers and that is in no file will be met by nobody again. */
    private readonly forgetsIds: boolean,
  ) {}

  canonical([files, ghost, ...locals]: State): State {
    this.choices[files!] ??= this.choose(files!);
    const { files: best, renamings } = this.choices[files!]!;
    let least: number[] | null = null;
    for (const renaming of renamings) {
      const renamed: number[] = [];
      for (const [actor, local] of locals.entries())
        renamed[renaming.order[actor]!] = this.local(local, renaming);
      if (!least || isLess(renamed, least)) least = renamed;
    }
    return [best, ghost!, ...least!];
  }

  /** The ways to call the files by other names that come to the least number, which is the same for all of them. */
  private choose(files: number): { files: number; renamings: Renaming[] } {
    const all = this.orders.map((order) => this.renameFiles(files, order));
    const best = Math.min(...all.map((one) => one.files));
    return {
      files: best,
      renamings: all.filter((one) => one.files === best).map(({ renaming }) => renaming),
    };
  }

  private renameFiles(files: number, order: readonly number[]): { files: number; renaming: Renaming } {
    const names = this.fileSystems.namesOf(files);
    const exchanged = inOrder(
      mapped(names, (text) => text.replace(NAME, (_, letter, count) => renamed(letter, count, order))),
    );
    if (!this.forgetsIds)
      return { files: this.fileSystems.numberOf(exchanged), renaming: this.renaming(order, null) };
    const counted = countedIds(exchanged);
    const final = mapped(exchanged, (text) => text.replace(NAME, (name) => counted.get(name) ?? name));
    const ids = new Map<string, string>();
    for (const [name] of JSON.stringify([...names]).matchAll(NAME)) {
      const other = name.replace(NAME, (_, letter, count) => renamed(letter, count, order));
      ids.set(name, counted.get(other) ?? other);
    }
    return { files: this.fileSystems.numberOf(final), renaming: this.renaming(order, ids) };
  }

  private renaming(order: readonly number[], ids: Map<string, string> | null): Renaming {
    const key = JSON.stringify([order, ids && [...ids].sort(([a], [b]) => (a < b ? -1 : 1))]);
    const known = this.known.get(key) ?? { order, ids, locals: new Map() };
    this.known.set(key, known);
    return known;
  }

  private local(number: number, renaming: Renaming): number {
    const known = renaming.locals.get(number);
    if (known !== undefined) return known;
    const next = this.locals.numberOf(renameLocal(this.locals.get(number), renaming));
    renaming.locals.set(number, next);
    return next;
  }
}

function renameLocal({ text }: Local, { order, ids }: Renaming): Situation {
  const lost = new Map<string, string>();
  const renamedText = text.replace(NAME, (name, letter: string, count: string) => {
    const known = ids?.get(name);
    if (known) return known;
    if (!ids || count === '') return renamed(letter, count, order);
    if (!lost.has(name)) lost.set(name, `<Z${lost.size + 1}>`);
    return lost.get(name)!;
  });
  const [actor, phase, carry, answers] = JSON.parse(renamedText);
  return { actor: order[actor]!, phase, carry, answers };
}

function renamed(letter: string, count: string, order: readonly number[]): string {
  const isCommand = letter !== letter.toUpperCase();
  const next = LETTERS[order[LETTERS.indexOf(letter.toUpperCase())]!]!;
  return `<${isCommand ? next.toLowerCase() : next}${count}>`;
}

function mapped(names: Names, change: (text: string) => string): Map<string, string> {
  return new Map([...names].map(([file, text]) => [change(file), change(text)]));
}

function inOrder(names: Names): Map<string, string> {
  return new Map([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Ids in the order in which they come in the files, counted for each process. */
function countedIds(names: Names): Map<string, string> {
  const counts = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const [name, letter, count] of JSON.stringify([...names]).matchAll(NAME)) {
    if (count === '' || ids.has(name)) continue;
    counts.set(letter!, (counts.get(letter!) ?? 0) + 1);
    ids.set(name, `<${letter}${counts.get(letter!)}>`);
  }
  return ids;
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}
