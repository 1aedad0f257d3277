/** `jobnet lease acquire`, `renew`, `release` and `run`. */
import { type CommandEnd, endAs } from '../../../claim/command.js';
import { acquireLease, type LeaseOptions, TTL_MIN_MS, wooLease } from '../../../claim/held-lease.js';
import { leasePlace, releaseLease, renewLease, ttlNow } from '../../../claim/lease.js';
import { ttlOf } from '../../../claim/lease-steps.js';
import { leasesFolder, nameFolder } from '../../../claim/place.js';
import type { Context } from '../../context.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import { visible } from '../../view/visible.js';
import { answering } from './answers.js';
import { needCommand, runUnder } from './under-claim.js';

export interface LeaseCommandOptions {
  readonly dir?: string;
  /** Milliseconds. */
  readonly ttl: number;
  readonly wait: boolean;
}

export async function leaseAcquire(
  context: Context,
  name: string,
  options: LeaseCommandOptions,
): Promise<number> {
  const dir = leasesFolder(options.dir, context.environment);
  return await answering(context, dir, async () => {
    const { number } = await wooLease(name, 'time', wishOf(context, name, dir, options));
    context.out(String(number));
    return EXIT.settled;
  });
}

export async function leaseRenew(
  context: Context,
  name: string,
  options: { dir?: string; ttl?: number; token: number },
): Promise<number> {
  const dir = leasesFolder(options.dir, context.environment);
  return await answering(context, dir, async () => {
    const place = leasePlace(dir, name);
    const ttlMs =
      options.ttl === undefined ? ttlNow(place, options.token) : Math.max(options.ttl, TTL_MIN_MS);
    if (ttlMs === null || !renewLease(place, options.token, ttlMs))
      throw notYours(context, place, options.token);
    return EXIT.settled;
  });
}

export async function leaseRelease(
  context: Context,
  name: string,
  options: { dir?: string; token: number },
): Promise<number> {
  const dir = leasesFolder(options.dir, context.environment);
  return await answering(context, dir, async () => {
    const place = leasePlace(dir, name);
    if (!releaseLease(place, options.token)) throw notYours(context, place, options.token);
    return EXIT.settled;
  });
}

export async function leaseRun(
  context: Context,
  name: string,
  argv: readonly string[],
  options: LeaseCommandOptions & { grace: number },
): Promise<number> {
  needCommand(context, argv);
  const dir = leasesFolder(options.dir, context.environment);
  return await answering(context, dir, async () => {
    const lease = await acquireLease(name, wishOf(context, name, dir, options));
    const { folder, token: number, signal: loss } = lease;
    let end: CommandEnd;
    try {
      end = await runUnder(context, argv, { name, folder, number, loss, graceMs: options.grace });
    } finally {
      await lease.release();
    }
    // It may end this process.
    return endAs(end);
  });
}

function wishOf(
  context: Context,
  name: string,
  dir: string,
  { ttl, wait }: LeaseCommandOptions,
): LeaseOptions {
  return {
    dir,
    ttlMs: Math.max(ttl, TTL_MIN_MS),
    waitMs: wait ? Number.POSITIVE_INFINITY : 0,
    onWatch: (look) => {
      if (look.kind !== 'watching') return;
      const seconds = Math.ceil(ttlOf(look.found.owner, look.watch.beat) / 1000);
      context.err(visible(context.m.claims.watching(name, seconds, nameFolder(dir, name))));
    },
  };
}

function notYours(context: Context, place: { name: string; claims: string }, token: number): CommandError {
  return new CommandError(EXIT.lost, [visible(context.m.claims.notYours(place.name, token, place.claims))]);
}
