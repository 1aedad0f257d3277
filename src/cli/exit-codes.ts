/** Exit codes: what a script or a supervisor can rely on (docs/cli.md). */
import type { RunEnd, StopSignal } from '../core/words.js';

export const EXIT = {
  settled: 0,
  abended: 1,
  wrongUse: 2,
  badNet: 3,
  cannotRun: 4,
  noController: 5,
  wrongState: 6,
  held: 11,
  lost: 12,
  fenced: 13,
  /** A fault of jobnet itself (EX_SOFTWARE of sysexits.h). */
  internal: 70,
} as const;

/** 128 + the number of the signal, as a shell reports it. */
export const STOPPED: Record<StopSignal, number> = { INT: 130, TERM: 143, operator: 143 };

export function exitCodeOf(end: RunEnd, stoppedBy: StopSignal | null): number {
  switch (end) {
    case 'ended':
      return EXIT.settled;
    case 'abended':
      return stoppedBy ? STOPPED[stoppedBy] : EXIT.abended;
    case 'stopped':
    case 'abandoned':
      return stoppedBy ? STOPPED[stoppedBy] : EXIT.abended;
  }
}

/** An error that is an answer: the user is told, in plain words, and the command ends with this code. */
export class CommandError extends Error {
  constructor(
    readonly exitCode: number,
    readonly lines: readonly string[],
  ) {
    super(lines.join('\n'));
    this.name = 'CommandError';
  }
}
