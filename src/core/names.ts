/** What may be the name of a job, and which known name a misspelled one is nearest to. */

/** The one trimming rule for headers, names and all other cells; it takes U+3000 and U+00A0 as well. */
export function trimCell(cell: string): string {
  return cell.trim();
}

/** Names are compared after trimming and in Unicode form NFC. */
export function normalName(cell: string): string {
  const trimmed = cell.trim();
  // Almost every name is plain ASCII, which is its own normal form.
  return PLAIN.test(trimmed) ? trimmed : trimmed.normalize('NFC');
}

const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Names that differ only in case would share a script and a log on some file systems. Upper case first: `ß` and `SS`,
 * the two small sigmas and the long s are told apart by toLowerCase alone.
 */
export function foldedName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

export const START = 'Start';
export const NAME_BYTES_MAX = 200;

export type NameFault =
  | { readonly kind: 'invisible'; readonly codePoint: string }
  | { readonly kind: 'slash' }
  | { readonly kind: 'first-character'; readonly character: string }
  | { readonly kind: 'too-long'; readonly bytes: number }
  | { readonly kind: 'reserved' };

// Control characters, format characters, line and paragraph separators, and whatever else is drawn as nothing
// (fillers, variation selectors): two names that look the same must be the same.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The first fault of a name that is already normal, or null. */
export function nameFault(name: string): NameFault | null {
  if (SIMPLE.test(name)) return name === START ? { kind: 'reserved' } : null;
  const invisible = INVISIBLE.exec(name);
  if (invisible) return { kind: 'invisible', codePoint: codePointName(invisible[0]) };
  if (name.includes('/')) return { kind: 'slash' };
  const first = name.charAt(0);
  if ('-.=+@'.includes(first)) return { kind: 'first-character', character: first };
  const bytes = utf8Length(name);
  if (bytes > NAME_BYTES_MAX) return { kind: 'too-long', bytes };
  return null;
}

const SIMPLE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/;

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * The known name nearest to a misspelled one: equal but for case and width, else within a third of its length in
 * edits (a swap of neighbours is one edit, and something of the name must be left), else null.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const folded = foldedName(name.normalize('NFKC'));
  let best: string | null = null;
  let bestDistance = Math.min(Math.max(1, Math.floor(folded.length / 3)) + 1, folded.length);
  for (const candidate of known) {
    const other = foldedName(PLAIN.test(candidate) ? candidate : candidate.normalize('NFKC'));
    if (other === folded) return candidate;
    if (Math.abs(other.length - folded.length) >= bestDistance) continue;
    const distance = editDistance(folded, other, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/** Optimal string alignment distance; gives up with `limit` once it cannot get below it. */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, before[column - 2]! + 1);
      }
      current.push(cost);
    }
    if (Math.min(...current) >= limit) return limit;
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
