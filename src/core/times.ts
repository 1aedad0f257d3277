/** Lengths of time as people write them in cells and options. */
import type { Millis } from './words.js';

const UNITS: Readonly<Record<string, Millis>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `500ms`, `30s`, `1.5m`, `2h`, `7d`; a plain number counts seconds. Null: no such time. */
export function parseTime(text: string): Millis | null {
  const match = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Math.round(Number(match[1]) * UNITS[match[2] ?? 's']!) : null;
}

/** The same as a cell: whole, not zero, and with its unit, so that nobody takes minutes for seconds. */
export function parseLimit(text: string): Millis | null {
  return /^[1-9]\d*(?:s|m|h|d)$/.test(text) ? parseTime(text) : null;
}
