/** Environments of commands that believe to be on another host, after another boot, or at another time. */
import { fileURLToPath } from 'node:url';

const ELSEWHERE = fileURLToPath(new URL('elsewhere.cjs', import.meta.url));

export interface Elsewhere {
  readonly host?: string | undefined;
  /** Linux only. */
  readonly boot?: string | undefined;
  readonly shiftMs?: number | undefined;
  /** A file in which the time stands. */
  readonly clock?: string | undefined;
}

export function elsewhere({ host, boot, shiftMs, clock }: Elsewhere): Record<string, string> {
  return {
    // Quoted: the folder of the tests may have a blank in its name.
    NODE_OPTIONS: `--require="${ELSEWHERE.replace(/["\\]/g, '\\$&')}"`,
    ...(host === undefined ? {} : { JOBNET_TEST_HOST: host }),
    ...(boot === undefined ? {} : { JOBNET_TEST_BOOT: boot }),
    ...(shiftMs === undefined ? {} : { JOBNET_TEST_SHIFT_MS: String(shiftMs) }),
    ...(clock === undefined ? {} : { JOBNET_TEST_CLOCK: clock }),
  };
}
