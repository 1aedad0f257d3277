/** A command under a lock, a key or a lease: run, stopped when that is lost, its end passed on. */
import { type CommandEnd, runCommand } from '../../../claim/command.js';
import type { Context } from '../../context.js';
import { codeOf } from '../../error-code.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import { visible } from '../../view/visible.js';

export interface Under {
  readonly name: string;
  readonly folder: string;
  readonly number: number;
  readonly loss: AbortSignal;
  readonly graceMs: number;
}

/** How long a command may take to end after TERM when its claim is lost. */
export const GRACE_MS = 10_000;

/** @throws CommandError 12 when the claim was lost meanwhile */
export async function runUnder(context: Context, argv: readonly string[], under: Under): Promise<CommandEnd> {
  const { name, folder, number, loss } = under;
  const m = context.m.claims;
  const environment = { ...context.environment, JOBNET_CLAIM: name, JOBNET_TOKEN: String(number) };
  let end: CommandEnd;
  try {
    end = await runCommand(argv, { ...under, environment });
  } catch (error) {
    throw new CommandError(EXIT.cannotRun, [visible(m.cannotStart(codeOf(error), folder))]);
  }
  if (loss.aborted) throw new CommandError(EXIT.lost, [visible(m.lost(name, number, folder))]);
  return end;
}

export function needCommand(context: Context, argv: readonly string[]): void {
  if (argv.length === 0) throw new CommandError(EXIT.wrongUse, [context.m.claims.noCommand]);
}
