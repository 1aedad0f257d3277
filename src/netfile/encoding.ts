/** Which characters the bytes of a net's file stand for: byte-order mark, then strict UTF-8, then CP932. No guessing. */
import iconv from 'iconv-lite';

export type Decoded =
  | {
      readonly kind: 'text';
      readonly encoding: 'utf-8' | 'cp932';
      readonly text: string;
      readonly bytes: string;
    }
  | { readonly kind: 'utf-16' }
  | { readonly kind: 'zeros' }
  | { readonly kind: 'unknown' };

/**
 * Decodes a file. A byte-order mark stays in the text. Nothing is ever encoded again: writing copies bytes, so a
 * character with two codes in CP932 (㈱, 髙) keeps the one it has.
 */
export function decodeBytes(file: Buffer): Decoded {
  if (isUtf16(file)) return { kind: 'utf-16' };
  // What a power cut leaves of data that had not reached the disk.
  if (file[0] === 0 || file.at(-1) === 0) return { kind: 'zeros' };
  const bytes = file.toString('latin1');
  const utf8 = decodeUtf8(file);
  if (utf8 !== null) return { kind: 'text', encoding: 'utf-8', text: utf8, bytes };
  // A mark says UTF-8: what is not is damaged, and CP932 would make another text of it.
  if (bytes.startsWith(UTF8_MARK)) return { kind: 'unknown' };
  const text = iconv.decode(file, 'cp932', { stripBOM: false });
  return text.includes('\ufffd') ? { kind: 'unknown' } : { kind: 'text', encoding: 'cp932', text, bytes };
}

const UTF8_MARK = '\xef\xbb\xbf';

/** A mark, or the NULs that every ASCII character has in UTF-16. */
function isUtf16(file: Buffer): boolean {
  const [first, second] = file;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return file.length >= 4 && (first === 0) !== (second === 0) && (file[2] === 0) !== (file[3] === 0);
}

function decodeUtf8(file: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    return null;
  }
}
