/** Claim folders written by hand. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ClaimRecord } from '../../src/claim/record.js';
import { ownIdentity } from '../../src/host/identity.js';

/** A record of this very process, changed where the test says. */
export function recordOf(changes: Partial<ClaimRecord> = {}): ClaimRecord {
  return {
    format: 1,
    kind: 'process',
    ...ownIdentity(),
    id: 'another',
    claimedAt: 0,
    ttlMs: null,
    socket: null,
    ...changes,
  };
}

/** A process that is no more: pids are not given out again within a test, start times never. */
export const DEAD: Partial<ClaimRecord> = { startTime: '1' };

export function writeRecord(folder: string, name: string, record: unknown): void {
  writeFileSync(path.join(folder, name), JSON.stringify(record));
}

export function namesOf(folder: string): string[] {
  return readdirSync(folder).sort();
}
