/** Whether a terminal controls this process: what closing a window, or logging out, sends HUP to. */
import { closeSync, constants, openSync } from 'node:fs';

/** Standard output may lead elsewhere (`| tee`), so it is not asked. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}
