/** Which folders may be changed from other machines. */
import { statfsSync } from 'node:fs';

/** Types of statfs(2) whose changes may be made on another machine, which no event of this one shows. */
const NETWORK_TYPES = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x786f4256, 'VirtualBox'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);

/** Its name; null: it is local, or nobody can tell. */
export function networkFileSystem(folder: string): string | null {
  try {
    return NETWORK_TYPES.get(statfsSync(folder).type) ?? null;
  } catch {
    return null;
  }
}
