/** `jobnet lock selftest`. */
import path from 'node:path';
import { DISK } from '../../../claim/disk.js';
import { CONTENDERS, testFolder } from '../../../claim/selftest.js';
import type { Files } from '../../../claim/steps.js';
import type { Context } from '../../context.js';
import { CommandError, EXIT } from '../../exit-codes.js';
import { visible } from '../../view/visible.js';
import { answering } from './answers.js';

/** One line that says whether a folder can be trusted, and for what. */
export async function lockSelftest(context: Context, given: string, files: Files = DISK): Promise<number> {
  const m = context.m.claims;
  const folder = path.resolve(context.folder, given);
  return await answering(context, folder, async () => {
    const { faults, skewMs } = await testFolder(folder, files);
    if (faults.length > 0) throw new CommandError(EXIT.abended, [visible(m.distrusted(folder, faults))]);
    context.out(visible(m.trusted(folder, CONTENDERS, m.skew(skewMs))));
    context.err(m.sharedNote);
    return EXIT.settled;
  });
}
