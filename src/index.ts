/** jobnet as a library: never twice, for any program. Each of these is also a command. */
export { ClaimHeld, ClaimLost, FenceRefused, OnceLost } from './claim/errors.js';
export { type FencedContent, fencedWrite } from './claim/fence.js';
export { acquireLease, type Lease, type LeaseOptions } from './claim/held-lease.js';
export { type Lock, type LockOptions, withLock } from './claim/lock.js';
export { type OnceOptions, type OnceResult, once } from './claim/once.js';
export type { Period } from './claim/period.js';
export { WrongName } from './claim/place.js';
export { DamagedClaim } from './claim/record.js';
