/** Putting new bytes in the place of a file: as a whole where that can be, else in place with a copy kept first. */
import { type BigIntStats, renameSync, statSync } from 'node:fs';
import { access, constants, type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { InPlaceReason } from '../core/words.js';
import { hasCode, syncFolder } from '../host/durable.js';

/** What identifies a version of a file on disk, and what a new one must have as well. */
export interface Fingerprint {
  readonly inode: bigint;
  readonly size: bigint;
  /** Of content, name or mode: unlike the time of the content nobody can set it. */
  readonly changedAt: bigint;
  readonly links: bigint;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export async function fingerprint(file: string): Promise<Fingerprint> {
  return fingerprintOf(await stat(file, { bigint: true }));
}

export function fingerprintOf({ ino, size, ctimeNs, nlink, mode, uid, gid }: BigIntStats): Fingerprint {
  return {
    inode: ino,
    size,
    changedAt: ctimeNs,
    links: nlink,
    mode: Number(mode) & 0o7777,
    uid: Number(uid),
    gid: Number(gid),
  };
}

export function isSameVersion(a: Fingerprint, b: Fingerprint): boolean {
  return a.inode === b.inode && a.size === b.size && a.changedAt === b.changedAt;
}

export interface Replacement {
  readonly file: string;
  /** A path on the same file system for the new version; null: there is none. */
  readonly temporary: string | null;
  /** Where the old bytes are kept while the file is written in place. */
  readonly backup: string;
  readonly bytes: Buffer;
  readonly old: Buffer;
  /** What the file was when `old` was read: another version is not written over. */
  readonly before: Fingerprint;
  /** Nobody has followed this controller: asked before a write in place, which nothing else keeps back. */
  readonly isCurrent: () => boolean;
}

export type Replaced =
  | { readonly kind: 'replaced' }
  | { readonly kind: 'written-in-place'; readonly why: InPlaceReason }
  /** Somebody changed the file since it was read, or may now; nothing was written. */
  | { readonly kind: 'changed' };

export async function replaceFile(replacement: Replacement): Promise<Replaced> {
  const { file, temporary, before } = replacement;
  if (before.links > 1n) return await writeInPlace(replacement, 'hard-links');
  if (temporary === null) return await writeInPlace(replacement, 'folder');
  try {
    await writeLike(before, temporary, replacement.bytes);
    // Nothing comes between these two: what somebody saves there would be lost.
    const isChanged = !isSameVersion(before, fingerprintOf(statSync(file, { bigint: true })));
    if (isChanged) return { kind: 'changed' };
    renameSync(temporary, file);
  } catch (error) {
    const why = reasonForInPlace(error, temporary);
    if (why) return await writeInPlace(replacement, why);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  syncFolder(path.dirname(file));
  return { kind: 'replaced' };
}

/** ENOENT is none: a folder that a successor took away must not let its predecessor write after all. */
function reasonForInPlace(error: unknown, temporary: string): InPlaceReason | null {
  if (hasCode(error, 'EBUSY', 'EXDEV')) return 'mount-point';
  if (hasCode(error, 'EPERM') && error.syscall === 'fchown') return 'owner';
  const isRefused = hasCode(error, 'EACCES', 'EPERM', 'EROFS');
  // The folder of the file may be closed to us although the one beside it is ours.
  if (isRefused && error.syscall === 'rename') return 'folder';
  return isRefused && error.syscall === 'open' && error.path === temporary ? 'folder' : null;
}

/**
 * Tries, without changing the file, whether a new version could be written: beside it, or in place.
 * @returns the system's word for what stands against it, or null
 */
export async function writingFault(file: string, folder: string | null): Promise<string | null> {
  try {
    if (folder !== null) {
      const probe = path.join(folder, 'probe');
      await writeLike(await fingerprint(file), probe, Buffer.alloc(0));
      await rm(probe);
      // A mount of its own cannot be replaced, and may be for reading only.
      if (!(await isReadOnly(file))) return null;
    }
  } catch {
    // Then in place, if that can be.
  }
  try {
    await (await open(file, 'r+')).close();
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Whether its file system takes no writes; a mode that closes it to us is no matter for a replacement. */
async function isReadOnly(file: string): Promise<boolean> {
  return await access(file, constants.W_OK).then(
    () => false,
    (error) => hasCode(error, 'EROFS'),
  );
}

/** A durable file with the owner and the mode of another. */
async function writeLike({ mode, uid, gid }: Fingerprint, file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'w', mode);
  try {
    // Only where it differs: some file systems refuse even what changes nothing.
    const own = await handle.stat();
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
    await handle.chmod(mode);
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeInPlace(
  { file, backup, bytes, old, before, isCurrent }: Replacement,
  why: InPlaceReason,
): Promise<Replaced> {
  await keepCopy(backup, old);
  const handle = await open(file, 'r+');
  try {
    const isSame = isSameVersion(before, await fingerprint(file)) && old.equals(await readFile(file));
    if (!isSame || !isCurrent()) return { kind: 'changed' };
    await writeAll(handle, bytes).catch(async (error) => {
      // A full disk in the middle: half of each version would be no version at all.
      await writeAll(handle, old);
      throw error;
    });
  } finally {
    await handle.close();
  }
  return { kind: 'written-in-place', why };
}

async function keepCopy(backup: string, bytes: Buffer): Promise<void> {
  const handle = await open(backup, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** The system's word for an error. What is none of the system's is a bug, and goes on up. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
}
