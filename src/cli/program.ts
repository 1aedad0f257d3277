/** The command line: every command with its options and help. What a command does is loaded only when it is called. */
import { Command } from 'commander';
import { GRACE_MS } from '../core/kill.js';
import { nearestName } from '../core/names.js';
import { LOG_BYTES_MAX, LOG_CAP_BYTES_MIN } from '../executor/log-limits.js';
import { defaultParallelism } from '../host/limits.js';
import { addClaimCommands } from './claims-program.js';
import type { Context } from './context.js';
import { CommandError, EXIT } from './exit-codes.js';
import type { Messages } from './messages/index.js';
import { choice, count, number, signal, size, styled, time } from './options.js';
import { packageVersion } from './version.js';
import { visible } from './view/visible.js';

/** Options as commander collected them; each command declares which of them it takes. */
// biome-ignore lint/suspicious/noExplicitAny: commander knows option names only at run time.
type Given = any;

interface CommandSpec {
  readonly name:
    | 'start'
    | 'resume'
    | 'status'
    | 'check'
    | 'plan'
    | 'graph'
    | 'logs'
    | 'reset'
    | 'accept'
    | 'report'
    | 'kill'
    | 'stop';
  readonly options: (command: Command, m: Messages) => Command;
  readonly run: (context: Context, options: Given, args: readonly string[]) => Promise<number>;
}

const SPECS: readonly CommandSpec[] = [
  {
    name: 'start',
    options: runOptions,
    run: async (context, options) => {
      if (options.background) return inBackground(context, options);
      return (await import('./commands/start.js')).start(context, withParallelism(options));
    },
  },
  {
    name: 'resume',
    options: (command, m) => runOptions(command, m).option('--rerun-lost', m.help.rerunLost, false),
    run: async (context, options) => {
      if (options.background) return inBackground(context, options);
      return (await import('./commands/resume.js')).resume(context, withParallelism(options));
    },
  },
  {
    name: 'status',
    options: (command, m) =>
      command
        .option('--all', m.help.all, false)
        .option('--exit-status', m.help.exitStatus, false)
        .option('--json', m.help.json, false),
    run: async (context, options) => (await import('./commands/status.js')).status(context, options),
  },
  {
    name: 'check',
    options: (command, m) => command.option('--json', m.help.json, false),
    run: async (context, options) => (await import('./commands/check.js')).check(context, options),
  },
  {
    name: 'plan',
    options: (command, m) => command.option('--json', m.help.json, false),
    run: async (context, options) => (await import('./commands/plan.js')).plan(context, options),
  },
  {
    name: 'graph',
    options: (command, m) =>
      command
        .addOption(choice('--format <format>', m.help.format, ['text', 'mermaid', 'dot'], m).default('text'))
        .option('--around <job>', m.help.around),
    run: async (context, options) => (await import('./commands/graph.js')).graph(context, options),
  },
  {
    name: 'logs',
    options: (command, m) =>
      command
        .argument('<job>', m.help.job)
        .option('-f, --follow', m.help.follow, false)
        .addOption(count('-n, --lines <number>', m.help.lines, m))
        .addOption(number('--attempt <number>', m.help.attempt, m))
        .option('--no-head', m.help.noHead)
        .addOption(choice('--encoding <name>', m.help.encoding, ['utf-8', 'cp932'], m)),
    run: async (context, options, [job = '']) =>
      (await import('./commands/logs.js')).logs(context, job, options),
  },
  {
    name: 'accept',
    options: (command, m) =>
      command.option('--show', m.help.show, false).option('--json', m.help.json, false),
    run: async (context, options) => (await import('./commands/accept.js')).accept(context, options),
  },
  {
    name: 'report',
    options: (command, m) =>
      command.argument('<status>', m.help.reportStatus).option('--job <job>', m.help.reportJob),
    run: async (context, options, [status = '']) =>
      (await import('./commands/report.js')).report(context, status, options),
  },
  {
    name: 'kill',
    options: (command, m) =>
      command
        .argument('<job...>', m.help.killJobs)
        .addOption(signal('--signal <name>', m.help.signal, m).default('TERM'))
        .addOption(time('--grace <time>', m.help.grace, m).default(GRACE_MS))
        .option('--json', m.help.json, false),
    run: async (context, options, jobs) => (await import('./commands/kill.js')).kill(context, jobs, options),
  },
  {
    name: 'stop',
    options: (command, m) =>
      command
        .option('--kill', m.help.stopKill, false)
        .addOption(time('--grace <time>', m.help.grace, m).default(GRACE_MS))
        .option('--json', m.help.json, false),
    run: async (context, options) => (await import('./commands/stop.js')).stop(context, options),
  },
  {
    name: 'reset',
    options: (command) => command,
    run: async (context, options) => (await import('./commands/reset.js')).reset(context, options),
  },
];

/** The program; `onDone` gets the exit code of the command that ran. */
export function createProgram(context: Context, onDone: (exitCode: number) => void): Command {
  const { m } = context;
  const program = styled(new Command('jobnet'), m)
    .description(m.help.program)
    .version(packageVersion(), '-V, --version', m.help.version)
    .helpCommand('help [command]', m.help.helpCommand)
    .enablePositionalOptions()
    .allowExcessArguments()
    .showSuggestionAfterError(false);
  netOptions(program, m).action(async (options: Given) => {
    onDone(await withoutCommand(context, program, options));
  });
  for (const spec of SPECS) {
    const command = styled(program.command(spec.name), m)
      .description(m.help[spec.name])
      .allowExcessArguments(false);
    netOptions(spec.options(command, m), m).action(async () => {
      onDone(await spec.run(context, optionsOf(program, command), command.args));
    });
  }
  addClaimCommands(program, context, onDone);
  return program;
}

/** -f, --state and --lang may stand before the command and behind it; behind wins. */
function optionsOf(program: Command, command: Command): Given {
  return { file: 'jobnet.csv', ...program.opts(), ...command.opts() };
}

async function withoutCommand(context: Context, program: Command, options: Given): Promise<number> {
  const [word] = program.args;
  if (word !== undefined) {
    const known = program.commands.map((command) => command.name());
    const { usage } = context.m;
    throw new CommandError(EXIT.wrongUse, [
      usage.unknownCommand(visible(word), nearestName(word, known)),
      usage.seeHelp,
    ]);
  }
  if (!context.isTerminal || !process.stdin.isTTY) program.help({ error: true });
  return (await import('./commands/menu.js')).menu(context, { file: 'jobnet.csv', ...options });
}

async function inBackground(context: Context, options: Given): Promise<number> {
  const { startInBackground } = await import('./controller/background.js');
  const { findPlace } = await import('./place.js');
  const argv = process.argv.slice(2).filter((word) => word !== '--background');
  return startInBackground(context, findPlace(context, options), argv);
}

function netOptions(command: Command, m: Messages): Command {
  const hasFollow = command.options.some((option) => option.short === '-f');
  return command
    .option(hasFollow ? '--file <file>' : '-f, --file <file>', m.help.file)
    .option('--state <folder>', m.help.state)
    .addOption(choice('--lang <language>', m.help.lang, ['en', 'ja'], m));
}

/** What this machine bears is found out only by those who run jobs. */
function withParallelism(options: Given): Given {
  return { parallel: defaultParallelism(), ...options };
}

function runOptions(command: Command, m: Messages): Command {
  return command
    .addOption(number('-j, --parallel <number>', m.help.parallel, m))
    .option('--keep-going', m.help.keepGoing, false)
    .option('--fail-fast', m.help.failFast, false)
    .option('--dry-run', m.help.dryRun, false)
    .addOption(choice('--watch <mode>', m.help.watch, ['auto', 'poll'], m).default('auto'))
    .addOption(size('--log-max <size>', m.help.logMax, LOG_CAP_BYTES_MIN, m).default(LOG_BYTES_MAX))
    .option('--accept', m.help.acceptOption, false)
    .option('--background', m.help.background, false);
}
