/** Text in columns: Japanese characters count as two cells. */
import width from 'fast-string-width';

/** Cut to so many cells, with `…` in the last one where something is missing. */
export function cut(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  if (cells < 1) return '';
  let taken = '';
  let used = 0;
  for (const { segment } of segments(text)) {
    const own = width(segment);
    if (used + own > cells - 1) break;
    taken += segment;
    used += own;
  }
  return `${taken}…`;
}

let segmenter: Intl.Segmenter | null = null;

/** Made when it is needed: it costs as much as half the start of Node. */
function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** Filled with blanks up to so many cells. */
export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - width(text)));
}

/** Rows of cells as aligned columns, two blanks apart; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
