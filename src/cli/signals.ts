/** Exit codes above 128 read as signals: a hint, as `exit 137` and death by KILL look the same to a shell. */
import { constants } from 'node:os';

/** The name without SIG, or null when the code stands for no signal. */
export function signalAfter(code: number): string | null {
  for (const [name, number] of Object.entries(constants.signals)) {
    if (number === code - 128) return name.slice('SIG'.length);
  }
  return null;
}
