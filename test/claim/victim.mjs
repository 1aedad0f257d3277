/** Takes a claim and keeps it until it is killed. */
import { acquireClaim } from '../../dist/claim/claim.js';

process.on('message', (folder) => process.send(acquireClaim(folder, 0).kind));
