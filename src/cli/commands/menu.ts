/** The menu that a terminal gets without arguments: 1 start, 2 resume, 3 status, 9 quit. */
import { LOG_BYTES_MAX } from '../../executor/log-limits.js';
import { defaultParallelism } from '../../host/limits.js';
import { ask } from '../ask.js';
import type { Context } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { NetOptions } from '../place.js';
import { resume } from './resume.js';
import { start } from './start.js';
import { status } from './status.js';

export async function menu(context: Context, options: NetOptions): Promise<number> {
  const { m } = context;
  for (const line of m.menu) context.out(line);
  for (let question = m.menuQuestion; ; ) {
    const choice = await ask(question);
    const run = {
      ...options,
      parallel: defaultParallelism(),
      keepGoing: false,
      failFast: false,
      dryRun: false,
      watch: 'auto' as const,
      logMax: LOG_BYTES_MAX,
      accept: false,
    };
    switch (choice) {
      case '1':
        return await start(context, run);
      case '2':
        return await resume(context, { ...run, rerunLost: false });
      case '3':
        await sayStatus(context, options);
        question = m.menuQuestion;
        break;
      case '9':
      case null:
        return EXIT.settled;
      default:
        question = m.menuAgain;
    }
  }
}

/** A problem of the file is said, and the menu goes on: it can be mended meanwhile. */
async function sayStatus(context: Context, options: NetOptions): Promise<void> {
  try {
    status(context, { ...options, json: false, all: false, exitStatus: false });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    for (const line of error.lines) context.err(line);
  }
}
