/** `jobnet once` and `jobnet once forget`. */
import { endAs } from '../../../claim/command.js';
import {
  beginOnce,
  endOnce,
  forgetOnce,
  type OnceBegun,
  type OnceOptions,
  onceKey,
} from '../../../claim/once.js';
import { claimsFolder, keyFolder } from '../../../claim/place.js';
import type { DoneRecord } from '../../../claim/record.js';
import { localTime } from '../../../netfile/localtime.js';
import type { Context } from '../../context.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import { visible } from '../../view/visible.js';
import { answering } from './answers.js';
import { whoAmI } from './lock.js';
import { GRACE_MS, needCommand, runUnder } from './under-claim.js';

export async function once(
  context: Context,
  name: string,
  argv: readonly string[],
  options: OnceOptions,
): Promise<number> {
  needCommand(context, argv);
  checkZone(context, options.zone);
  const m = context.m.claims;
  const dir = claimsFolder(options.dir, context.environment);
  return await answering(context, dir, async () => {
    const begun = beginOnce(name, { ...options, dir });
    if (begun.kind === 'done') {
      const { done, key, folder } = begun;
      const at = localTime(done.endedAt);
      context.err(visible(m.doneAlready(name, key, at, endText(context, done), folder)));
      return EXIT.settled;
    }
    context.err(visible(m.begins(name, begun.key, begun.folder)));
    return await runBegun(context, name, argv, begun);
  });
}

async function runBegun(
  context: Context,
  name: string,
  argv: readonly string[],
  begun: Extract<OnceBegun, { kind: 'begun' }>,
): Promise<number> {
  const { folder, number } = begun;
  const under = { name, folder, number, loss: new AbortController().signal, graceMs: GRACE_MS };
  const end = await runUnder(context, argv, under);
  endOnce(begun, { ...end, endedAt: Date.now() });
  return endAs(end);
}

function endText({ m }: Context, { code, signal }: DoneRecord): string {
  return signal === null ? m.claims.exit(code ?? 0) : m.claims.signal(signal);
}

function checkZone(context: Context, zone: string | undefined): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new CommandError(EXIT.wrongUse, [visible(context.m.claims.wrongZone(zone ?? ''))]);
  }
}

export async function onceForget(
  context: Context,
  name: string,
  options: OnceOptions & { reason: string },
): Promise<number> {
  checkZone(context, options.zone);
  const m = context.m.claims;
  const dir = claimsFolder(options.dir, context.environment);
  return await answering(context, dir, async () => {
    const key = onceKey(options, Date.now());
    const folder = keyFolder(dir, name, key);
    if (!forgetOnce(folder, options.reason, whoAmI())) {
      throw new CommandError(EXIT.wrongState, [visible(m.nothingToForget(name, key, folder))]);
    }
    context.out(visible(m.forgotten(name, key, folder)));
    return EXIT.settled;
  });
}
