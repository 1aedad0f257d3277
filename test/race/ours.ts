/** Our protocols from the first operation to the last, as one contender runs them. */
import { writeFileSync } from 'node:fs';
import { type Bid, bid, prepare } from '../../src/claim/bid.js';
import { isOver } from '../../src/claim/claim.js';
import { DISK } from '../../src/claim/disk.js';
import { type Fenced, type FencedWrite, fenceFolder, tryFencedWrite } from '../../src/claim/fence-steps.js';
import { confirm, type LeaseRound, tryLease, type Watch } from '../../src/claim/lease-steps.js';
import type { ClaimRecord } from '../../src/claim/record.js';
import type { Files, Moment, Steps } from '../../src/claim/steps.js';
import { makeFolder } from '../../src/host/durable.js';
import { ownIdentity } from '../../src/host/identity.js';
import { recordOf } from '../claim/records.js';

/** Takes a lock or finds it held. */
export function* takeLock(folder: string, changes: Partial<ClaimRecord> = {}): Steps<Bid> {
  const me = yield* prepare(folder, recordOf(changes));
  for (;;) {
    const made = yield* bid(me, isOver);
    if (made !== 'again') return made;
  }
}

/** One that wants a lease, on a host with a clock of its own; its watch is kept between looks. */
export interface Candidate {
  look(): Steps<LeaseRound>;
  confirm(number: number): Steps<LeaseRound | 'again'>;
}

export function candidate(folder: string, ttlMs: number, changes: Partial<ClaimRecord> = {}): Candidate {
  let watch: Watch | null = null;
  const record = recordOf({ kind: 'time', ttlMs, host: 'other', ...changes });
  return {
    *look() {
      const me = yield* prepare(folder, record);
      for (;;) {
        const round = yield* tryLease(me, ttlMs, watch);
        if (round === 'again') continue;
        if (round.kind === 'watching') watch = round.watch;
        return round;
      }
    },
    *confirm(number) {
      const me = yield* prepare(folder, record);
      return yield* confirm(me, number, ttlMs);
    },
  };
}

/** Writes under a token until it is written or refused. */
export function* writeFenced(target: string, token: number, content: string): Steps<Fenced> {
  makeFolder(fenceFolder(target));
  const write: FencedWrite = {
    target,
    token,
    writer: ownIdentity(),
    // biome-ignore lint/correctness/useYield: preparing is one action
    content: function* (file) {
      writeFileSync(file, content, { flag: 'wx' });
    },
  };
  for (;;) {
    const made = yield* tryFencedWrite(write);
    if (made !== 'again') return made;
  }
}

/** A host of its own: clocks that the test sets, in milliseconds, on the real file system. */
export interface Host {
  readonly files: Files;
  /** Time passes for who is awake. */
  pass(ms: number): void;
  /** The machine sleeps. */
  sleep(ms: number): void;
  /** Its clock is set. */
  jump(ms: number): void;
}

export function createHost(unix = 0, changes: Partial<Files> = {}): Host {
  let at: Moment = { steady: 1000, awake: 5000, unix };
  const move = (by: Partial<Moment>) => {
    at = {
      steady: at.steady + (by.steady ?? 0),
      awake: at.awake + (by.awake ?? 0),
      unix: at.unix + (by.unix ?? 0),
    };
  };
  return {
    files: { ...DISK, now: () => at, ...changes },
    pass: (ms) => move({ steady: ms, awake: ms, unix: ms }),
    sleep: (ms) => move({ awake: ms, unix: ms }),
    jump: (ms) => move({ unix: ms }),
  };
}
