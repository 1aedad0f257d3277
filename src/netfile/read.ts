/** The text of a net's file. */
import { readFileSync } from 'node:fs';
import { readSheet, type SheetResult } from '../core/sheet.js';

/** UTF-8, strictly: null when a byte does not fit. A byte-order mark stays in the text. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reads and checks a net's file. Throws what the system says when it cannot be read at all. */
export function readNetFile(file: string): SheetResult {
  const text = decodeText(readFileSync(file));
  return text === null ? { kind: 'bad', problems: [{ code: 'encoding' }] } : readSheet(text);
}
