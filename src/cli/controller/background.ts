/** `--background`: the controller goes on without the terminal; the prompt comes back once it has begun. */
import { fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { prepareStateFolder } from '../../journal/statefolder.js';
import type { Context } from '../context.js';
import { codeOf } from '../error-code.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Place } from '../place.js';
import { visible } from '../view/visible.js';
import { BACKGROUND_MARK, isFirstWord } from './first-word.js';
import { LOG_FILE_LIMITS, rotateWhenLarge } from './log-file.js';

/** Starts the same command once more, detached; its output goes to a file in the state folder. */
export async function startInBackground(
  context: Context,
  place: Place,
  argv: readonly string[],
): Promise<number> {
  const { m } = context;
  const output = path.join(place.state.path, 'background.log');
  let fd: number;
  let before: number;
  try {
    prepareStateFolder(place.state);
    rotateWhenLarge(output, LOG_FILE_LIMITS);
    fd = openSync(output, 'a');
    before = fstatSync(fd).size;
  } catch (error) {
    throw new CommandError(EXIT.cannotRun, [m.stateUnwritable(visible(place.state.path), codeOf(error))]);
  }
  const child = execa(process.execPath, [...process.execArgv, process.argv[1]!, ...argv], {
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    ipc: true,
    stdin: 'ignore',
    // The declarations of execa name single digits only; it takes any descriptor.
    stdout: fd as 1,
    stderr: fd as 1,
    env: { [BACKGROUND_MARK]: '1' },
  });
  const first = await Promise.race([child.getOneMessage() as Promise<unknown>, child]);
  if (!isFirstWord(first)) throw new CommandError(EXIT.internal, [m.backgroundFailed(visible(output))]);
  if (first.kind === 'over') {
    const said = readFileSync(output).subarray(before).toString('utf8').trimEnd();
    (first.exitCode === EXIT.settled ? context.out : context.err)(said);
    return first.exitCode;
  }
  context.out(m.background(child.pid!, first.run, visible(output)));
  child.disconnect?.();
  child.unref();
  return EXIT.settled;
}
