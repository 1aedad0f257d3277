/** The columns of the header, found by name in any order. */
import { trimCell } from './names.js';
import type { Problem } from './problems.js';

export interface Columns {
  readonly job: number;
  readonly status: number;
  /** -1: the file has no such column; times are then not written to it. */
  readonly stime: number;
  readonly etime: number;
  readonly command: number;
  readonly onLost: number;
  readonly timeout: number;
  /** Indexes of prev1, prev2 … in the order of the header. */
  readonly predecessors: readonly number[];
  /** Columns that a later version understands; a cell with content in one is a problem. */
  readonly later: ReadonlyMap<number, string>;
  /** Up to the last cell of the header that says something: what stands further right has no column. */
  readonly width: number;
}

const LATER = [
  'retries', 'retry_delay', 'warn', 'hold', 'pool', 'priority', 'not_before', 'due', 'reports',
]; // biome-ignore format: one list, read at a glance
const FIXED = ['job', 'status', 'stime', 'etime', 'command', 'on_lost', 'timeout', ...LATER];
const PREDECESSOR = /^prev[1-9]\d*$/;

/** Finds the columns and reports every misspelled, repeated or missing one. */
export function findColumns(header: readonly string[], problems: Problem[]): Columns {
  const found = new Map<string, number>();
  const predecessors: number[] = [];
  const later = new Map<number, string>();
  header.forEach((cell, index) => {
    const name = trimCell(cell);
    const column = index + 1;
    if (!FIXED.includes(name) && !PREDECESSOR.test(name)) {
      const right = rightSpelling(name);
      if (right) problems.push({ code: 'column-misspelled', column, found: cell, right });
      return;
    }
    const first = found.get(name);
    if (first !== undefined) {
      problems.push({ code: 'column-repeated', column, name, first: first + 1 });
      return;
    }
    found.set(name, index);
    if (PREDECESSOR.test(name)) predecessors.push(index);
    if (LATER.includes(name)) later.set(index, name);
  });
  for (const name of ['job', 'status']) {
    const misspelled = problems.some(
      (problem) => problem.code === 'column-misspelled' && problem.right === name,
    );
    if (!found.has(name) && !misspelled) {
      problems.push({ code: 'column-missing', name, found: header.slice(0, 20) });
    }
  }
  const at = (name: string) => found.get(name) ?? -1;
  return {
    job: at('job'),
    status: at('status'),
    stime: at('stime'),
    etime: at('etime'),
    command: at('command'),
    onLost: at('on_lost'),
    timeout: at('timeout'),
    predecessors,
    later,
    width: header.findLastIndex((cell) => trimCell(cell) !== '') + 1,
  };
}

/**
 * The column that a header cell was meant to be: the same but for case, width, blanks and marks; or, for the
 * predecessors, one letter off (a `prve1` that is silently ignored would start jobs too early).
 */
function rightSpelling(name: string): string | null {
  const plain = plainSpelling(name);
  const fixed = FIXED.find((known) => plainSpelling(known) === plain);
  if (fixed) return fixed;
  if (plain === 'prev') return 'prev1';
  const numbered = /^([a-z]{3,5})0*(\d+)$/.exec(plain);
  if (!numbered) return null;
  const [, letters = '', digits = ''] = numbered;
  return isNearPrev(letters) ? `prev${digits === '0' ? '1' : digits}` : null;
}

function plainSpelling(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** `prev` itself, or `prev` with one letter missing, added, changed, or two neighbours swapped. */
function isNearPrev(letters: string): boolean {
  const target = 'prev';
  if (letters === target) return true;
  if (letters.length < target.length) return omissions(target).includes(letters);
  if (letters.length > target.length) return omissions(letters).includes(target);
  const different = [...target].map((_, at) => at).filter((at) => letters[at] !== target[at]);
  if (different.length === 1) return true;
  const [one = 0, two = 0] = different;
  return (
    different.length === 2 && two === one + 1 && letters[one] === target[two] && letters[two] === target[one]
  );
}

function omissions(word: string): string[] {
  return [...word].map((_, at) => word.slice(0, at) + word.slice(at + 1));
}
