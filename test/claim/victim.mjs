/** Takes a claim and keeps it until it is killed; as another user when one is given. */
import { acquireClaim } from '../../dist/claim/claim.js';

if (process.env['AS_USER']) process.setuid(Number(process.env['AS_USER']));
process.on('message', (folder) => process.send(acquireClaim(folder, 0).kind));
