/** Which net a command is about: the path as given, the real file behind it, the state that belongs to it. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Sheet } from '../core/sheet.js';
import { hasCode } from '../host/durable.js';
import { type StateFolder, stateFolderOf } from '../journal/statefolder.js';
import { readNetFile } from '../netfile/read.js';
import type { Context } from './context.js';
import { codeOf } from './error-code.js';
import { CommandError, EXIT } from './exit-codes.js';
import { controllerOf, mayWork } from './holder.js';
import { visible } from './view/visible.js';

export interface NetOptions {
  readonly file: string;
  readonly state?: string;
}

export interface Place {
  /** As the user wrote it, for messages. */
  readonly shown: string;
  /** Absolute, links not resolved; its folder is where jobs run. */
  readonly given: string;
  readonly folder: string;
  /** The real file: state and locks belong to it. */
  readonly file: string;
  readonly state: StateFolder;
  /** The folder that was chosen for state, absolute; jobs get it, so that jobnet works inside them. */
  readonly chosenState: string | null;
}

/** Finds the net of a command. */
export function findPlace(context: Context, options: NetOptions): Place {
  const given = path.resolve(context.folder, options.file);
  let file: string;
  try {
    file = realpathSync(given);
  } catch (error) {
    throw cannotRead(context, options.file, error);
  }
  const chosen = options.state ?? context.environment['JOBNET_STATE'];
  const chosenState = chosen ? path.resolve(context.folder, chosen) : null;
  const state = stateFolderOf(file, chosenState);
  return { shown: options.file, given, folder: path.dirname(given), file, state, chosenState };
}

/** How many problems of a file are printed; `check --json` has all. */
const PROBLEMS_MAX = 50;

/** The checked net of a file; with problems all of them are said and the command ends. */
export function loadSheet(context: Context, place: Place): Sheet {
  const { m } = context;
  let result: ReturnType<typeof readNetFile>;
  try {
    result = readNetFile(place.file);
  } catch (error) {
    throw cannotRead(context, place.shown, error);
  }
  if (result.kind === 'good') return result.sheet;
  const { problems } = result;
  const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => `  ${visible(m.problem(problem))}`);
  if (problems.length > PROBLEMS_MAX) lines.push(`  ${m.more(problems.length - PROBLEMS_MAX)}`);
  if (lastGoodSheet(place)) lines.push(m.lastGood(visible(place.state.lastGood)));
  throw new CommandError(EXIT.badNet, [m.refused(visible(place.shown), problems.length), ...lines]);
}

/**
 * The net as its controller knows it, for commands that only look: while one may be at work, the version it took last; else the
 * file, or, when that has problems, the last good version. Ends the command only when there is neither.
 */
export function knownSheet(context: Context, place: Place): Sheet {
  const known = lastGoodSheet(place);
  if (known && mayWork(controllerOf(place.state))) return known;
  try {
    return loadSheet(context, place);
  } catch (error) {
    if (!known || !(error instanceof CommandError)) throw error;
    for (const line of error.lines) context.err(line);
    return known;
  }
}

/** The version that was last written or taken; null when it was never kept, or did not survive. */
export function lastGoodSheet({ state }: Place): Sheet | null {
  try {
    const result = readNetFile(state.lastGood);
    return result.kind === 'good' ? result.sheet : null;
  } catch (error) {
    // A state folder that cannot be one is for whoever needs it to say.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

function cannotRead(context: Context, shown: string, error: unknown): CommandError {
  const { m } = context;
  if (hasCode(error, 'ENOENT')) return new CommandError(EXIT.badNet, [m.noFile(visible(shown))]);
  return new CommandError(EXIT.cannotRun, [m.unreadableFile(visible(shown), codeOf(error))]);
}
