/** `jobnet check`: everything that can be said about a net before it runs. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { topologicalOrder } from '../../core/net.js';
import type { Sheet } from '../../core/sheet.js';
import type { ScriptProblem } from '../../core/words.js';
import { createInspector, type Startable } from '../../executor/inspect.js';
import { readNetFile } from '../../netfile/read.js';
import { type NoteCode, notesOnName, notesOnScript } from '../check/notes.js';
import type { Context } from '../context.js';
import { codeOf } from '../error-code.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, loadSheet, type NetOptions, type Place } from '../place.js';
import { visible } from '../view/visible.js';

export interface CheckOptions extends NetOptions {
  readonly json: boolean;
}

interface Note {
  readonly code: NoteCode;
  readonly job: string;
}

const JOBS_NAMED_MAX = 10;

/** 0: it can run; 1: some job cannot be started; 3: the file has problems. */
export function check(context: Context, options: CheckOptions): number {
  const place = findPlace(context, options);
  if (options.json) return checkAsJson(context, place);
  const { m } = context;
  const sheet = loadSheet(context, place);
  for (const warning of sheet.warnings) context.out(visible(`${m.warningWord}: ${m.warning(warning)}`));
  const { refused, notes } = inspectAll(context, place, sheet);
  for (const { job, problem } of refused)
    context.out(visible(`${m.errorWord}: ${job}: ${m.scriptProblem(problem)}`));
  for (const [code, jobs] of byCode(notes)) {
    const more = jobs.length > JOBS_NAMED_MAX ? `, ${m.moreRunning(jobs.length - JOBS_NAMED_MAX)}` : '';
    context.out(
      visible(`${m.noteWord}: ${m.checkNote(code)}: ${jobs.slice(0, JOBS_NAMED_MAX).join(', ')}${more}`),
    );
  }
  const depth = topologicalOrder(sheet.net).waves.reduce((deepest, wave) => Math.max(deepest, wave + 1), 0);
  context.out(m.checked(visible(place.shown), sheet.net.names.length, depth, refused.length));
  return refused.length > 0 ? EXIT.abended : EXIT.settled;
}

function checkAsJson(context: Context, place: Place): number {
  let result: ReturnType<typeof readNetFile>;
  try {
    result = readNetFile(place.file);
  } catch (error) {
    throw new CommandError(EXIT.cannotRun, [context.m.unreadableFile(visible(place.shown), codeOf(error))]);
  }
  if (result.kind === 'bad') {
    context.out(JSON.stringify({ file: place.given, ok: false, problems: result.problems }));
    return EXIT.badNet;
  }
  const { refused, notes } = inspectAll(context, place, result.sheet);
  const ok = refused.length === 0;
  const jobs = result.sheet.net.names.length;
  context.out(
    JSON.stringify({ file: place.given, ok, jobs, warnings: result.sheet.warnings, scripts: refused, notes }),
  );
  return ok ? EXIT.settled : EXIT.abended;
}

function inspectAll({ m }: Context, place: Place, { net }: Sheet) {
  const inspector = createInspector(place.folder, net.commands);
  const refused: { job: string; problem: ScriptProblem }[] = [];
  const notes: Note[] = [];
  for (const job of net.names) {
    for (const code of notesOnName(job)) notes.push({ code, job });
    if (net.commands.has(job)) continue;
    const found = inspector.inspect(job);
    switch (found.kind) {
      case 'refused':
        refused.push({ job, problem: found.problem });
        break;
      case 'startable':
        for (const code of scriptNotes(place, found)) notes.push({ code, job });
        break;
      case 'shortage':
        throw new CommandError(EXIT.cannotRun, [visible(m.shortage(found.shortage))]);
    }
  }
  return { refused, notes };
}

function scriptNotes(place: Place, { argv, interpreter }: Startable): NoteCode[] {
  const file = path.join(place.folder, argv[0]!);
  const notes: NoteCode[] = [];
  if (
    lstatSync(file).isSymbolicLink() &&
    !realpathSync(file).startsWith(`${realpathSync(place.folder)}${path.sep}`)
  ) {
    notes.push('link-outside');
  }
  if (interpreter !== null) notes.push(...notesOnScript(readFileSync(file, 'utf8'), interpreter));
  return notes;
}

function byCode(notes: readonly Note[]): Map<NoteCode, string[]> {
  const grouped = new Map<NoteCode, string[]>();
  for (const { code, job } of notes) grouped.set(code, [...(grouped.get(code) ?? []), job]);
  return grouped;
}
