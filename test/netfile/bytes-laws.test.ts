/** What must always hold of writing: in any file only the cells that were meant differ, byte for byte. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Cells } from '../../src/core/project.js';
import type { JobName, StatusCode } from '../../src/core/words.js';
import { localTime } from '../../src/netfile/localtime.js';
import { mergeCells } from '../../src/netfile/merge.js';
import { type FileModel, type FileRow, files, formOf, rawRow } from './files.js';
import { createRig, sheetIn } from './rig.js';

const RUNS = 2500;
const RUNS_ON_DISK = 150;

const bytesOf = (form: string) => Buffer.from(form, 'latin1');
const times = fc.constantFrom<(number | null | undefined)[]>(
  null,
  undefined,
  0,
  86_400_000,
  1_796_040_000_000,
);
const cells: fc.Arbitrary<Cells> = fc.record({
  status: fc.constantFrom<StatusCode[]>('0', '1', '2', '9'),
  startedAt: times,
  endedAt: times,
});

/** Files with new cells for some of their jobs. */
const edits = files.chain((file) => {
  const jobs = file.rows.flatMap(({ job }) => (job === null ? [] : [job]));
  return fc.tuple(
    fc.constant(file),
    fc
      .array(fc.tuple(fc.constantFrom(...jobs, 'no such job'), cells), { maxLength: 4 })
      .map((pairs) => new Map<JobName, Cells>(pairs)),
  );
});

/** The file as it must be afterwards, made from its cells. */
function expectedForm(file: FileModel, batch: ReadonlyMap<JobName, Cells>): string {
  const rows = file.rows.map((row) => {
    const own = row.job === null ? undefined : batch.get(row.job);
    return own ? rawWith(row, file.columns, own) : rawRow(row);
  });
  return file.mark + rawRow(file.header) + rows.join('');
}

function rawWith(row: FileRow, columns: FileModel['columns'], own: Cells): string {
  const raw = row.cells.map((cell) => cell.raw);
  const set = (column: number, value: string | undefined) => {
    if (column < 0 || value === undefined || (row.cells[column]?.plain ?? '') === value) return;
    while (raw.length <= column) raw.push('');
    raw[column] = raw[column]!.startsWith('"') ? `"${value}"` : value;
  };
  set(columns.status, own.status);
  set(columns.stime, timeText(own.startedAt));
  set(columns.etime, timeText(own.endedAt));
  return raw.join(',') + row.lineEnd;
}

function timeText(at: number | null | undefined): string | undefined {
  return at === undefined ? undefined : at === null ? '' : localTime(at);
}

const tally = new Map<string, number>();
const note = (fact: string, isSo: boolean) => tally.set(fact, (tally.get(fact) ?? 0) + (isSo ? 1 : 0));

describe('a file of any dialect', () => {
  test(`differs after a write only in the cells that were meant (${RUNS} files)`, () => {
    fc.assert(
      fc.property(edits, ([file, batch]) => {
        noteFile(file, batch);
        const merged = mergeCells(sheetIn(bytesOf(formOf(file))), batch);
        expect(merged.text).toBe(expectedForm(file, batch));
      }),
      { numRuns: RUNS },
    );
  });

  test(`says what was meant when it is read back, and nothing is left to write (${RUNS} files)`, () => {
    fc.assert(
      fc.property(edits, ([file, batch]) => {
        const before = sheetIn(bytesOf(formOf(file)));
        const merged = mergeCells(before, batch);
        const after = sheetIn(bytesOf(merged.text));
        expect(after.net.names).toEqual(before.net.names);
        expect(after.table.records).toEqual(merged.records);
        expect(mergeCells(after, batch)).toBe(after.table);
      }),
      { numRuns: RUNS },
    );
  });

  test(`is read back from a disk with the same bytes (${RUNS_ON_DISK} files)`, async () => {
    await fc.assert(
      fc.asyncProperty(edits, async ([file, batch]) => {
        const rig = createRig(bytesOf(formOf(file)), { listens: false });
        for (const [job, own] of batch) rig.netFile.show(job, own);
        expect(await rig.flush()).toBe(true);
        expect(rig.bytes().equals(bytesOf(expectedForm(file, batch)))).toBe(true);
      }),
      { numRuns: RUNS_ON_DISK },
    );
  });

  test('was tried in every dialect', () => {
    for (const [fact, count] of tally) expect(count, fact).toBeGreaterThan(RUNS / 25);
  });

  function noteFile(file: FileModel, batch: ReadonlyMap<JobName, Cells>): void {
    const form = formOf(file);
    const lineEnds = new Set([file.header, ...file.rows].map(({ lineEnd }) => lineEnd));
    note('UTF-8', file.encoding === 'utf-8');
    note('byte-order mark', file.mark !== '');
    note('CP932', file.encoding === 'cp932' && /[\x80-\xff]/.test(form));
    note('mixed line ends', lineEnds.size > 2);
    note('no final line end', file.rows.at(-1)!.lineEnd === '');
    note('quoted cells', form.includes('"'));
    note('blank or comma-only rows', file.rows.some(({ job }) => job === null)); // biome-ignore format: one fact a line
    note('short rows', file.rows.some(({ job, cells: own }) => job && own.length < file.header.cells.length)); // biome-ignore format: one fact a line
    note('codes of NEC and IBM', /\xee\xe0|\xfb\xfc|\x87\x8a/.test(form));
    note('a second byte of 5C', form.includes('\x95\x5c'));
    note('no columns of times', file.columns.stime < 0 && file.columns.etime < 0);
    note('something written', [...batch.keys()].some((job) => file.rows.some((row) => row.job === job))); // biome-ignore format: one fact a line
  }

  afterAll(() => {
    const facts = [...tally].map(([fact, count]) => `${fact} ${count}`).join(', ');
    console.log(`net file: ${RUNS} files a law; ${facts}`);
  });
});
