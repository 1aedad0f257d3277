/** What a model of leases is about, and its bounds. */
import type { Mutant } from './mutants.js';

export interface LeasesSetting {
  readonly kind: 'time' | 'both';
  /** For every process its time to live, in ticks. */
  readonly ttls: readonly number[];
  readonly crashes: number;
  /** Higher numbers are not looked at. */
  readonly numbersMax: number;
  readonly releases: boolean;
  /** Whoever waits may give up. */
  readonly givesUp: boolean;
  /** Whoever has lost it, let it go or given up wants it again. */
  readonly comesBack: boolean;
  /** The first process has it already when the model begins. */
  readonly isHeld: boolean;
  /** Whoever has got it tidies what is so far below; absent: nobody tidies. */
  readonly kept?: number;
  /** A planted bug. */
  readonly mutant?: Mutant;
}
