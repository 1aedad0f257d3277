/** A table in Markdown, as lines that are readable without a renderer as well. */

/** The first column is text, the others are numbers. */
export function markdownTable(header, rows) {
  const whole = [header, ...rows];
  const widths = header.map((_, column) => Math.max(3, ...whole.map((row) => row[column].length)));
  const lineOf = (row) => {
    const cells = row.map((cell, column) => {
      return column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
    });
    return `| ${cells.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [lineOf(header), `| ${rule.join(' | ')} |`, ...rows.map(lineOf)];
}

/** A number with two decimals, or a dash where there is none. */
export function twoDecimals(value) {
  return value === null ? '-' : value.toFixed(2);
}
