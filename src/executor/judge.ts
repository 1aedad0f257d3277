/** What became of an attempt that nobody watched: from evidence only (docs/protocols.md, "After a restart"). */

export interface Evidence {
  /** The launcher that started it, or else the newest one, is of this boot of this machine. */
  readonly isSameBoot: boolean;
  /** What records of all launchers of the run say of the attempt. */
  readonly records: {
    readonly exitCode: number | null;
    /** S, and nothing of that launcher behind it. */
    readonly hasStarted: boolean;
    /** F, N or X is the last word of a launcher: that one did not start it. */
    readonly wasTurnedAway: boolean;
  };
  /** `void`: a controller took the claim itself, so that the attempt never starts. */
  readonly log: 'none' | 'void' | 'present';
  /** The launcher that started it lives; or, when none has, any launcher that might still do so. */
  readonly isLauncherAlive: boolean;
  /** Its lifeline is held, or a process with its marker lives. */
  readonly isAnybodyLeft: boolean;
}

export type Finding =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'not-started' }
  /** It runs; `knowsEnd` says whether a launcher will record how it ends. */
  | { readonly kind: 'living'; readonly knowsEnd: boolean }
  /** A launcher has it in hand: a record follows in a moment. */
  | { readonly kind: 'undecided' }
  /** No trace: whoever creates the log first decides whether it ever starts. */
  | { readonly kind: 'unclaimed' }
  | { readonly kind: 'lost' };

export function judge({ isSameBoot, records, log, isLauncherAlive, isAnybodyLeft }: Evidence): Finding {
  if (records.exitCode !== null) return { kind: 'exited', code: records.exitCode };
  if (!isSameBoot) return { kind: 'lost' };
  if (records.hasStarted && isLauncherAlive) return { kind: 'living', knowsEnd: true };
  // Life is proof, whatever the records say: what lives is never started a second time.
  if (isAnybodyLeft) return { kind: 'living', knowsEnd: false };
  if (records.hasStarted) return { kind: 'lost' };
  if (records.wasTurnedAway || log === 'void') return { kind: 'not-started' };
  if (log === 'none') return { kind: 'unclaimed' };
  return isLauncherAlive ? { kind: 'undecided' } : { kind: 'not-started' };
}
