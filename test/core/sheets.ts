/** Short forms for reading a file's text in tests. */
import type { Problem } from '../../src/core/problems.js';
import { readSheet, type Sheet } from '../../src/core/sheet.js';

/** The sheet of a text without problems. */
export function good(text: string): Sheet {
  const result = readSheet(text);
  if (result.kind === 'bad') throw new Error(`refused: ${JSON.stringify(result.problems)}`);
  return result.sheet;
}

/** All problems of a text; none for a good one. */
export function problemsOf(text: string): readonly Problem[] {
  const result = readSheet(text);
  return result.kind === 'bad' ? result.problems : [];
}

/** Lines of a file with the usual header. */
export function csv(...rows: string[]): string {
  return `${['job,status,stime,etime,prev1,prev2', ...rows].join('\n')}\n`;
}

/** Names of the predecessors of each job. */
export function predecessorsOf({ net }: Sheet): Record<string, string[]> {
  const { offsets, targets } = net.predecessors;
  return Object.fromEntries(
    net.names.map((name, index) => [
      name,
      Array.from(targets.subarray(offsets[index], offsets[index + 1]), (target) => net.names[target]!),
    ]),
  );
}
