#!/usr/bin/env node
/** The entry of the command `jobnet`: language, program, and one place where every end becomes an exit code. */
import { CommanderError } from 'commander';
import { type Context, createContext } from './context.js';
import { announceEnd } from './controller/first-word.js';
import { CommandError, EXIT } from './exit-codes.js';
import { languageOf } from './messages/index.js';
import { createProgram } from './program.js';
import { visible } from './view/visible.js';

const context = createContext(languageOf(chosenLanguage(process.argv), process.env));
process.exitCode = await run(context);
announceEnd(process.exitCode);
await Promise.all([process.stdout, process.stderr].map(drained));
// Launchers that are on their way out hold nothing up.
process.exit();

/** What was said has left this process: a pipe takes it piece by piece, and exit would cut it off. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}

/** Needed before the program exists, as its help is in this language. */
function chosenLanguage(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  return at < 0 ? undefined : (argv[at]!.split('=')[1] ?? argv[at + 1]);
}

async function run({ m, err }: Context): Promise<number> {
  if (process.platform === 'win32') {
    err(m.windows);
    return EXIT.cannotRun;
  }
  let exitCode: number = EXIT.settled;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync();
    return exitCode;
  } catch (error) {
    if (error instanceof CommandError) {
      for (const line of error.lines) err(line);
      return error.exitCode;
    }
    if (error instanceof CommanderError) return sayUsage(context, error);
    err(m.internalError(visible(error instanceof Error ? (error.stack ?? error.message) : String(error))));
    return EXIT.internal;
  }
}

/** Help and version are ends as well; everything else is wrong use. */
function sayUsage({ m, err }: Context, error: CommanderError): number {
  if (error.exitCode === 0) return EXIT.settled;
  const shown = visible(/'([^']*)'/.exec(error.message)?.[1] ?? '');
  switch (error.code) {
    case 'commander.help':
      break;
    case 'commander.unknownOption':
      err(m.usage.unknownOption(shown));
      break;
    case 'commander.missingArgument':
      err(m.usage.missingArgument(shown));
      break;
    case 'commander.optionMissingArgument':
      err(m.usage.missingValue(shown));
      break;
    case 'commander.excessArguments':
      err(m.usage.tooManyArguments);
      break;
    default:
      err(visible(error.message.replace(/^error: .*? is invalid\. /, '')));
  }
  err(m.usage.seeHelp);
  return EXIT.wrongUse;
}
