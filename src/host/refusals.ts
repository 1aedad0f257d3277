/** What the system refuses at one moment and may grant at another: room, rights, descriptors, an answer of the disk. */
import { hasCode } from './durable.js';

const PASSING = [
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'ESTALE',
] as const;

/** Whether the same call may succeed later; anything else is a bug of ours, or stands for good. */
export function isPassing(error: unknown): error is NodeJS.ErrnoException {
  return hasCode(error, ...PASSING);
}

/** Whether the system said no to something; anything else is a bug of ours. */
export function isOfTheSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** For what only tidies up: it may as well stay undone. */
export function unlessOfTheSystem(tidy: () => void): void {
  try {
    tidy();
  } catch (error) {
    if (!isOfTheSystem(error)) throw error;
  }
}
