/** The commands on claims: lock, once, lease, fence. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { PERIODS } from '../claim/period.js';
import { claimsFolder, leasesFolder } from '../claim/place.js';
import { parseTime } from '../core/times.js';
import type { Context } from './context.js';
import type { Messages } from './messages/index.js';
import { choice, number, styled, time } from './options.js';

/** Options as commander collected them; each command declares which of them it takes. */
// biome-ignore lint/suspicious/noExplicitAny: commander knows option names only at run time.
type Given = any;

type Run = (options: Given, args: readonly string[]) => Promise<number>;

export function addClaimCommands(
  program: Command,
  context: Context,
  onDone: (exitCode: number) => void,
): void {
  const { m } = context;
  const { help } = m.claims;

  /** A command below a group, or a group itself. */
  function add(parent: Command, name: string, text: string): Command {
    return styled(parent.command(name), m)
      .description(text)
      .allowExcessArguments(false)
      .addOption(choice('--lang <language>', m.help.lang, ['en', 'ja'], m));
  }

  function does(command: Command, run: Run): void {
    command.action(async () => onDone(await run(command.opts(), command.args)));
  }

  const named = (command: Command) => command.argument('<name>', help.name);
  const withCommand = (command: Command) => named(command).argument('<command...>', help.command);
  const inFolder = (command: Command) => command.option('--dir <folder>', help.dir);
  const inLeaseFolder = (command: Command) => command.option('--dir <folder>', help.leaseDir);

  const lock = add(program, 'lock', help.lock);
  does(
    inFolder(withCommand(add(lock, 'run', help.lockRun)))
      .option('-n, --nonblock', help.nonblock, false)
      .addOption(time('-w, --wait <time>', help.wait, m))
      .addOption(exitCode('-E, --conflict-exit-code <code>', help.conflictCode, m).default(11)),
    async (options, [name = '', ...argv]) =>
      (await import('./commands/claims/lock.js')).lockRun(context, name, argv, options),
  );
  does(inFolder(add(lock, 'list', help.lockList)).option('--json', m.help.json, false), async (options) => {
    const folder = claimsFolder(options.dir, context.environment);
    return (await import('./commands/claims/list.js')).claimsList(context, folder, null, options);
  });
  does(
    inFolder(named(add(lock, 'break', help.lockBreak))).requiredOption('--reason <text>', help.reason),
    async (options, [name = '']) =>
      (await import('./commands/claims/lock.js')).lockBreak(context, name, options),
  );
  does(
    add(lock, 'selftest', help.lockSelftest).argument('<folder>', help.testedFolder),
    async (_, [folder = '']) => (await import('./commands/claims/selftest.js')).lockSelftest(context, folder),
  );

  const keyed = (command: Command) =>
    inFolder(command)
      .addOption(choice('--per <period>', help.per, PERIODS, m))
      .option('--key <key>', help.key)
      .option('--zone <zone>', help.zone);
  const once = keyed(withCommand(add(program, 'once', help.once)))
    .option('--again-if-failed', help.againIfFailed, false)
    .option('--again-if-lost', help.againIfLost, false)
    .addOption(time('--keep <time>', help.keep, m).default(7 * DAY_MS, '7d'));
  does(once, async ({ keep: keepMs, ...options }, [name = '', ...argv]) =>
    (await import('./commands/claims/once.js')).once(context, name, argv, { ...options, keepMs }),
  );
  does(
    keyed(named(add(once, 'forget', help.onceForget))).requiredOption('--reason <text>', help.reason),
    async (options, [name = '']) =>
      (await import('./commands/claims/once.js')).onceForget(context, name, options),
  );

  const ttl = (otherwise?: number) => time('--ttl <time>', help.ttl, m).default(ttlOf(context) ?? otherwise);
  const token = () =>
    number('--token <number>', help.token, m, Number.MAX_SAFE_INTEGER).makeOptionMandatory();
  const lease = add(program, 'lease', help.lease);
  does(
    inLeaseFolder(named(add(lease, 'acquire', help.leaseAcquire)))
      .addOption(ttl(120_000))
      .option('--wait', help.leaseWait, false),
    async (options, [name = '']) =>
      (await import('./commands/claims/lease.js')).leaseAcquire(context, name, options),
  );
  does(
    inLeaseFolder(named(add(lease, 'renew', help.leaseRenew)))
      .addOption(token())
      .addOption(ttl()),
    async (options, [name = '']) =>
      (await import('./commands/claims/lease.js')).leaseRenew(context, name, options),
  );
  does(
    inLeaseFolder(named(add(lease, 'release', help.leaseRelease))).addOption(token()),
    async (options, [name = '']) =>
      (await import('./commands/claims/lease.js')).leaseRelease(context, name, options),
  );
  does(
    inLeaseFolder(add(lease, 'list', help.leaseList)).option('--json', m.help.json, false),
    async (options) => {
      const folder = leasesFolder(options.dir, context.environment);
      return (await import('./commands/claims/list.js')).claimsList(context, folder, 'lease', options);
    },
  );
  does(
    inLeaseFolder(withCommand(add(lease, 'run', help.leaseRun)))
      .addOption(ttl(120_000))
      .option('--wait', help.leaseWait, false)
      .addOption(time('--grace <time>', help.grace, m).default(10_000, '10s')),
    async (options, [name = '', ...argv]) =>
      (await import('./commands/claims/lease.js')).leaseRun(context, name, argv, options),
  );

  const fence = add(program, 'fence', help.fence);
  does(
    add(fence, 'write', help.fenceWrite)
      .argument('<target>', help.target)
      .addOption(number('--token <number>', help.fenceToken, m, Number.MAX_SAFE_INTEGER)),
    async (options, [target = '']) =>
      (await import('./commands/claims/fence.js')).fenceWrite(context, target, options),
  );
}

const DAY_MS = 86_400_000;

function exitCode(flags: string, help: string, m: Messages): Option {
  return new Option(flags, help).argParser((value) => {
    if (/^\d{1,3}$/.test(value) && Number(value) <= 255) return Number(value);
    throw new InvalidArgumentError(m.usage.badValue(flags, value, m.claims.exitCode));
  });
}

/** TTL_SEC of the old scripts is the default. */
function ttlOf({ environment }: Context): number | undefined {
  return parseTime(environment['TTL_SEC'] ?? '') ?? undefined;
}
