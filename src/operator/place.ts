/** Where the socket of a controller is: a folder that only its user can enter, and a name nobody else has. */

import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../host/durable.js';

/** The shortest limit of the systems we run on (macOS), with its end mark. */
const SOCKET_PATH_BYTES_MAX = 103;

/** A path for a new socket; null when no folder is safe or short enough. */
export function newSocketPath(environment: Readonly<Record<string, string | undefined>>): string | null {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const candidates = [
    ...(runtime ? [path.join(runtime, 'jobnet')] : []),
    path.join('/tmp', `jobnet-${process.getuid!()}`),
  ];
  const name = `${randomBytes(8).toString('hex')}.sock`;
  for (const folder of candidates) {
    const socket = path.join(folder, name);
    if (Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX && isOwnFolder(folder)) return socket;
  }
  return null;
}

/** Made by us now, or before: a folder of somebody else, or one that others may enter, is not used. */
function isOwnFolder(folder: string): boolean {
  try {
    makeFolder(folder, 0o700);
    const stat = lstatSync(folder);
    return stat.isDirectory() && stat.uid === process.getuid!() && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
