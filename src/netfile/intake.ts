/**
 * Versions that somebody else writes: which of them is whole enough to be offered, and when.
 * A version is looked at again until it has not changed for a moment; one that looks cut off, that has problems or
 * takes rows away, for longer: somebody may be in the middle of writing it.
 */
import type { Problem } from '../core/problems.js';
import type { Sheet, SheetResult } from '../core/sheet.js';
import { type Around, editsBetween, endsOpen } from '../core/versions.js';
import type { Edits, FileEvent, Millis } from '../core/words.js';
import { sheetOf } from './read.js';
import { isMisread } from './transplant.js';

/** How long a version must stay as it is before it is offered. */
export const STABLE_MS = 100;
/** The same for a version that may be half-written. */
export const PATIENT_MS = 2000;

/** What a look at the file comes to. */
export type Look =
  /** The known version, or what was refused or held already. */
  | { readonly kind: 'nothing-new' }
  /** The known version is back, after another one was refused or held, or nothing could be read. */
  | { readonly kind: 'restored' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'refused'; readonly event: FileEvent }
  | { readonly kind: 'good'; readonly sheet: Sheet; readonly edits: Edits };

export interface Intake {
  /** A look at what the file has now. */
  look(content: Content, now: Millis): Look;
  /** A good version that was not taken: it is not offered again by itself. */
  hold(form: string): void;
  /** Whatever was found to be of no use is judged once more. */
  reconsider(): void;
  /** There is no file to be read: whatever comes next is news. */
  forget(): void;
}

export interface Content {
  readonly bytes: Buffer;
  /** The same with a character for each byte. */
  readonly form: string;
}

/** @param known the version that was dealt with last */
export function createIntake(known: () => Sheet, around: Around): Intake {
  let candidate: { readonly form: string; since: Millis; result: SheetResult | null } | null = null;
  /** Refused or held: what the file says is known to be of no use. */
  let useless: string | null = null;
  let isTroubled = false;

  function look({ bytes, form }: Content, at: Millis): Look {
    if (form === known().table.text) {
      const wasTroubled = isTroubled;
      clear();
      return { kind: wasTroubled ? 'restored' : 'nothing-new' };
    }
    if (form === useless) return { kind: 'nothing-new' };
    if (candidate?.form !== form) candidate = { form, since: at, result: null };
    // The clock of the machine may be set back.
    candidate.since = Math.min(candidate.since, at);
    const age = at - candidate.since;
    if (age < STABLE_MS) return { kind: 'wait', ms: STABLE_MS - age };
    candidate.result ??= sheetOf(bytes);
    return judge(candidate.result, form, age);
  }

  function judge(result: SheetResult, form: string, age: Millis): Look {
    if (result.kind === 'good') return judgeGood(result.sheet, form, age);
    if (age < PATIENT_MS) return { kind: 'wait', ms: PATIENT_MS - age };
    return refuse(form, result.problems);
  }

  function judgeGood(sheet: Sheet, form: string, age: Millis): Look {
    const edits = editsBetween(known(), sheet, around);
    if (age < PATIENT_MS && mayBeHalfWritten(known(), sheet, edits))
      return { kind: 'wait', ms: PATIENT_MS - age };
    if (isMisread(known(), sheet, edits)) return refuse(form, [{ code: 'encoding', found: 'unknown' }]);
    clear();
    return { kind: 'good', sheet, edits };
  }

  function refuse(form: string, problems: readonly Problem[]): Look {
    hold(form);
    const [first] = problems;
    const event: FileEvent = {
      type: 'version',
      outcome: 'refused',
      problems: problems.length,
      first: first!,
    };
    return { kind: 'refused', event };
  }

  function hold(form: string): void {
    candidate = null;
    useless = form;
    isTroubled = true;
  }

  function clear(): void {
    reconsider();
    isTroubled = false;
  }

  function reconsider(): void {
    candidate = null;
    useless = null;
  }

  function forget(): void {
    reconsider();
    isTroubled = true;
  }

  return { look, hold, reconsider, forget };
}

function mayBeHalfWritten(known: Sheet, next: Sheet, edits: Edits): boolean {
  return edits.isCutOff || edits.removed.length > 0 || (endsOpen(next) && !endsOpen(known));
}
