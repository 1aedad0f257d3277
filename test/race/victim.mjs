/** Takes a claim as it is told to, and keeps it without renewing it until it is killed. */
import { acquireClaim } from '../../dist/claim/claim.js';
import { createSuitor, leasePlace } from '../../dist/claim/lease.js';

process.on('message', async ({ kind, parent, name, ttlMs }) => {
  const place = leasePlace(parent, name);
  const taken =
    kind === 'lock' ? acquireClaim(place.claims, 0) : await createSuitor(place, 'time', ttlMs).look();
  process.send(taken.kind);
});
