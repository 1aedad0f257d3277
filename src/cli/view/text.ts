/** Text for terminals: control codes are shown, not obeyed; widths count Japanese characters as two cells. */
import width from 'fast-string-width';

// Control characters, and the format characters that turn the direction of text.
const DANGEROUS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text from names, logs and errors as it may be printed on one line. */
export function visible(text: string): string {
  return text.replace(DANGEROUS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return `^${String.fromCharCode(code + 64)}`;
    if (code === 0x7f) return '^?';
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

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
