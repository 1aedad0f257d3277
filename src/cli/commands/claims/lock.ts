/** `jobnet lock run` and `break`. */
import { addCompanion } from '../../../claim/bid.js';
import { lookAt } from '../../../claim/claim.js';
import { type CommandEnd, endAs } from '../../../claim/command.js';
import { DISK } from '../../../claim/disk.js';
import { acquireLock } from '../../../claim/lock.js';
import { claimsFolder, nameFolder } from '../../../claim/place.js';
import { runSteps } from '../../../claim/steps.js';
import { userName } from '../../../host/user.js';
import type { Context } from '../../context.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import { visible } from '../../view/visible.js';
import { answering, holderOf } from './answers.js';
import { GRACE_MS, needCommand, runUnder } from './under-claim.js';

export interface LockRunOptions {
  readonly dir?: string;
  readonly nonblock: boolean;
  /** Milliseconds; undefined: for ever. */
  readonly wait?: number;
  readonly conflictExitCode: number;
}

export async function lockRun(
  context: Context,
  name: string,
  argv: readonly string[],
  options: LockRunOptions,
): Promise<number> {
  needCommand(context, argv);
  const m = context.m.claims;
  const { dir, nonblock, wait, conflictExitCode } = options;
  const waitMs = nonblock ? 0 : (wait ?? Number.POSITIVE_INFINITY);
  const folder = claimsFolder(dir, context.environment);
  const onWait = (found: Parameters<typeof holderOf>[1]) => {
    const own = nameFolder(folder, name);
    const holder = holderOf(own, found);
    if (holder && waitMs > 0) context.err(visible(m.waiting(name, holder, own)));
  };
  return await answering(
    context,
    folder,
    async () => {
      const lock = await acquireLock(name, { dir: folder, waitMs, onWait });
      let end: CommandEnd;
      try {
        end = await runUnder(context, argv, { ...lock, loss: lock.signal, graceMs: GRACE_MS });
      } finally {
        lock.release();
      }
      // It may end this process.
      return endAs(end);
    },
    conflictExitCode,
  );
}

export async function lockBreak(
  context: Context,
  name: string,
  options: { dir?: string; reason: string },
): Promise<number> {
  const m = context.m.claims;
  const folder = nameFolder(claimsFolder(options.dir, context.environment), name);
  return await answering(context, folder, async () => {
    const found = lookAt(folder);
    if (found.kind !== 'held') throw new CommandError(EXIT.wrongState, [visible(m.notHeld(name, folder))]);
    const holder = holderOf(folder, found);
    if (holder && holder.life !== 'dead') context.err(visible(m.breaksLiving(holder, folder)));
    const note = { by: whoAmI(), reason: options.reason, at: Date.now() };
    runSteps(addCompanion(folder, found.number, 'released', note), DISK);
    context.out(visible(m.broken(name, found.number, folder)));
    return EXIT.settled;
  });
}

export function whoAmI(): string {
  try {
    return userName();
  } catch {
    // A user id without a name, as in containers.
    return String(process.getuid?.() ?? '');
  }
}
