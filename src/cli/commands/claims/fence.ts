/** `jobnet fence write`: standard input becomes the file, unless a higher token has written it. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fencedWrite } from '../../../claim/fence.js';
import type { Context } from '../../context.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import { answering } from './answers.js';

export async function fenceWrite(
  context: Context,
  given: string,
  options: { token?: number },
): Promise<number> {
  const token = options.token ?? tokenOf(context);
  const target = path.resolve(context.folder, given);
  return await answering(context, path.dirname(target), async () => {
    // Beside the target: what was read must fit there, and is nobody else's to see.
    const spool = mkdtempSync(path.join(path.dirname(target), `.${path.basename(target)}.`));
    try {
      const file = path.join(spool, 'content');
      await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
      await fencedWrite(target, token, { file });
      return EXIT.settled;
    } finally {
      rmSync(spool, { recursive: true, force: true });
    }
  });
}

function tokenOf({ environment, m }: Context): number {
  const token = environment['JOBNET_TOKEN'];
  if (token && /^\d{1,15}$/.test(token) && Number(token) > 0) return Number(token);
  throw new CommandError(EXIT.wrongUse, [m.claims.noToken]);
}
