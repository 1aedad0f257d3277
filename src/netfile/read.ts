/** A net's file as a sheet: decoded, parsed, checked. */
import { readFileSync } from 'node:fs';
import { readSheet, type SheetResult } from '../core/sheet.js';
import { decodeBytes } from './encoding.js';

/** Reads and checks a net's file. Throws what the system says when it cannot be read at all. */
export function readNetFile(file: string): SheetResult {
  return sheetOf(readFileSync(file));
}

export function sheetOf(file: Buffer): SheetResult {
  const decoded = decodeBytes(file);
  if (decoded.kind !== 'text') return { kind: 'bad', problems: [{ code: 'encoding', found: decoded.kind }] };
  return readSheet(decoded.text, decoded.bytes);
}
