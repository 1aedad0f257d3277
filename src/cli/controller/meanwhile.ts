/** What was edited in the CSV while no controller ran: the same edits as during a run, found at resume. */
import { reasonToHold } from '../../core/edits.js';
import { cellsOf } from '../../core/project.js';
import type { Sheet } from '../../core/sheet.js';
import { jobState, type State } from '../../core/state.js';
import { editsBetween, isSameRow, rowTexts } from '../../core/versions.js';
import type { Edits, HoldReason, Millis } from '../../core/words.js';
import { localTime } from '../../netfile/localtime.js';
import { mergeCells, textsOf } from '../../netfile/merge.js';
import type { Context } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { lastGoodSheet, type Place } from '../place.js';
import { visible } from '../view/visible.js';

/** Edits since the version that was last written or taken; `state` is what the journal knows. */
export function editsMeanwhile(place: Place, sheet: Sheet, state: State, began: Millis): Edits {
  return editsBetween(lastGoodSheet(place) ?? sheetByState(sheet, state), sheet, {
    now: (job) => {
      const own = jobState(state, job);
      return own ? textsOf(cellsOf(own), rowTexts(sheet, job)) : null;
    },
    began: localTime(began),
  });
}

/** Whether the rows say what the state does: a controller may have died before it wrote the last of it. */
export function isFileCurrent(sheet: Sheet, state: State): boolean {
  return sheet.net.names.every((job) => {
    const row = rowTexts(sheet, job);
    return row !== null && isSameRow(row, textsOf(cellsOf(jobState(state, job)!), row));
  });
}

/** A new run takes any net, but not one that was cut off or whose names a spreadsheet has changed. */
export function refuseDamaged(context: Context, place: Place, sheet: Sheet): void {
  const known = lastGoodSheet(place);
  if (!known) return;
  const why = reasonToHold(editsBetween(known, sheet, { now: () => null, began: '' }));
  if (why && why.kind !== 'rows-gone') throw doubtful(context, place, why, 'start');
}

export function doubtful(
  { m }: Context,
  place: Place,
  why: HoldReason,
  command: 'start' | 'resume',
): CommandError {
  const lines = [m.doubtful(place.shown, why), m.acceptDoubtful(command), m.lastGood(place.state.lastGood)];
  return new CommandError(EXIT.badNet, lines.map(visible));
}

/** The file as it would be if nobody had edited it: with it only the rows can be compared, not who is in them. */
function sheetByState(sheet: Sheet, state: State): Sheet {
  const all = new Map(sheet.net.names.map((job, index) => [job, cellsOf(state.jobs[index]!)]));
  return { ...sheet, table: mergeCells(sheet, all) };
}
