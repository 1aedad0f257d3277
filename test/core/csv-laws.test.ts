/** What must always hold, on texts of random dialects. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type CellChanges, isFault, parseTable, replaceCells, type Table } from '../../src/core/csv.js';
import { type Dialect, dialects, rawRow, textOf, values, valuesOf } from './csv-dialects.js';

const RUNS = 2000;

function parsed(text: string): Table {
  const table = parseTable(text);
  if (isFault(table)) throw new Error(`refused: ${JSON.stringify(table)}`);
  return table;
}

function recordTexts({ text, starts }: Table): string[] {
  return Array.from(starts.subarray(0, -1), (start, index) => text.slice(start, starts[index + 1]));
}

const changesOf = (dialect: Dialect): fc.Arbitrary<Map<number, CellChanges>> =>
  fc
    .dictionary(
      fc.nat(Math.max(0, dialect.rows.length - 1)).map(String),
      fc.array(fc.tuple(fc.nat(6), values), { minLength: 1, maxLength: 3 }),
    )
    .map((chosen) => {
      const entries = dialect.rows.length === 0 ? [] : Object.entries(chosen);
      return new Map(entries.map(([row, cells]) => [Number(row), new Map(cells)]));
    });

const edits = dialects.chain((dialect) => fc.tuple(fc.constant(dialect), changesOf(dialect)));

describe('a text of any dialect', () => {
  const tally = new Map<string, number>();
  const note = (fact: string, isSo: boolean) => tally.set(fact, (tally.get(fact) ?? 0) + (isSo ? 1 : 0));

  test(`reads as the cells that were written (${RUNS} texts)`, () => {
    fc.assert(
      fc.property(dialects, (dialect) => {
        noteDialect(dialect);
        expect(parsed(textOf(dialect)).records).toEqual(dialect.rows.map(valuesOf));
      }),
      { numRuns: RUNS },
    );
  });

  test(`is cut by the record starts into exactly its records (${RUNS} texts)`, () => {
    fc.assert(
      fc.property(dialects, (dialect) => {
        expect(recordTexts(parsed(textOf(dialect)))).toEqual(dialect.rows.map(rawRow));
      }),
      { numRuns: RUNS },
    );
  });

  test(`has the new values and no other change after cells were replaced (${RUNS} edits)`, () => {
    fc.assert(
      fc.property(edits, ([dialect, changes]) => {
        const edited = replaceCells(parsed(textOf(dialect)), changes);
        expect(parsed(edited.text).records).toEqual(
          dialect.rows.map((row, index) => valuesWith(valuesOf(row), changes.get(index))),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test(`keeps the bytes of the rows that were not changed (${RUNS} edits)`, () => {
    fc.assert(
      fc.property(edits, ([dialect, changes]) => {
        const edited = parsed(replaceCells(parsed(textOf(dialect)), changes).text);
        const kept = (texts: readonly string[]) => texts.filter((_, index) => !changes.has(index));
        expect(kept(recordTexts(edited))).toEqual(kept(dialect.rows.map(rawRow)));
      }),
      { numRuns: RUNS },
    );
  });

  test(`keeps in a changed row the bytes before the first and behind the last changed cell (${RUNS} edits)`, () => {
    fc.assert(
      fc.property(edits, ([dialect, changes]) => {
        const texts = recordTexts(replaceCells(parsed(textOf(dialect)), changes));
        for (const [index, cells] of changes) {
          const { before, behind } = keptAround(dialect, index, cells);
          expect(texts[index]!.startsWith(before), before).toBe(true);
          expect(texts[index]!.endsWith(behind), behind).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test(`gives the same table edited as read again (${RUNS} edits)`, () => {
    fc.assert(
      fc.property(edits, ([dialect, changes]) => {
        const edited = replaceCells(parsed(textOf(dialect)), changes);
        expect(edited).toEqual(parsed(edited.text));
      }),
      { numRuns: RUNS },
    );
  });

  test('was tried on every kind of row and line end', () => {
    for (const [fact, times] of tally) expect(times, fact).toBeGreaterThan(RUNS / 20);
  });

  function noteDialect(dialect: Dialect): void {
    const { mark, rows } = dialect;
    const text = textOf(dialect);
    note('byte-order mark', mark !== '');
    note('CRLF', rows.some(({ lineEnd }) => lineEnd === '\r\n')); // biome-ignore format: one fact a line
    note('LF', rows.some(({ lineEnd }) => lineEnd === '\n')); // biome-ignore format: one fact a line
    note('CR', rows.some(({ lineEnd }) => lineEnd === '\r')); // biome-ignore format: one fact a line
    note('mixed line ends', new Set(rows.map(({ lineEnd }) => lineEnd)).size > 2);
    note('no final line end', rows.at(-1)?.lineEnd === '');
    note('blank line', rows.some((row) => rawRow(row) === row.lineEnd)); // biome-ignore format: one fact a line
    note('comma-only row', rows.some((row) => /^,+$/.test(rawRow(row).trim()))); // biome-ignore format: one fact a line
    note('ragged rows', new Set(rows.map(({ cells }) => cells.length)).size > 1);
    note('quote in a cell', text.includes('""'));
    note('line end in a cell', rows.some((row) => valuesOf(row).some((value) => /[\r\n]/.test(value)))); // biome-ignore format: one fact a line
    note('Japanese', /[日次ガ集計]/.test(text));
  }

  afterAll(() => {
    console.log(
      `csv: ${RUNS} cases a law; ${[...tally].map(([fact, times]) => `${fact} ${times}`).join(', ')}`,
    );
  });
});

function valuesWith(own: readonly string[], changes: CellChanges | undefined): string[] {
  const changed = own.slice();
  for (const [column, value] of changes ?? []) {
    while (changed.length <= column) changed.push('');
    changed[column] = value;
  }
  return changed;
}

function keptAround({ rows }: Dialect, index: number, changes: CellChanges) {
  const { cells, lineEnd } = rows[index]!;
  const raw = cells.map((cell) => cell.raw);
  const columns = [...changes.keys()];
  const first = Math.min(...columns);
  const last = Math.max(...columns);
  const before = raw.slice(0, first);
  const behind = raw.slice(last + 1);
  return {
    before: before.map((cell) => `${cell},`).join(''),
    behind: behind.map((cell) => `,${cell}`).join('') + lineEnd,
  };
}
