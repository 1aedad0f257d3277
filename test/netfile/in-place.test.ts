/** Where a rename cannot serve: written in place, with a copy kept first, and said. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writingFault } from '../../src/netfile/replace.js';
import { ENDED, RUNNING } from '../contract/net-file.js';
import { tempFolder } from '../contract/temp-folder.js';
import { createRig, type Rig, rigOn } from './rig.js';

const TEXT = 'job,status,memo\na,9,\nb,9,\n';
const WRITTEN = 'job,status,memo\na,0,\nb,9,\n';
const isSuperuser = process.getuid?.() === 0;

async function showAndFlush(rig: Rig): Promise<void> {
  rig.netFile.show('a', ENDED);
  await rig.flush();
}

function hardLinked(): Rig {
  const folder = tempFolder();
  writeFileSync(path.join(folder, 'jobnet.csv'), TEXT);
  linkSync(path.join(folder, 'jobnet.csv'), path.join(folder, 'other.csv'));
  return rigOn(path.join(folder, 'jobnet.csv'));
}

function withoutFolder(): Rig {
  return createRig(TEXT, { hasOutFolder: false });
}

/** Mounts the file on itself, as a container does with a single file. */
function mounted(): Rig {
  const folder = tempFolder();
  const file = path.join(folder, 'jobnet.csv');
  const outside = path.join(tempFolder(), 'outside.csv');
  writeFileSync(outside, TEXT);
  writeFileSync(file, '');
  execFileSync('mount', ['--bind', outside, file]);
  onTestFinished(() => void execFileSync('umount', [file]));
  return rigOn(file);
}

const canMount = isSuperuser && tryToMount();

function tryToMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount --bind /etc/hostname /etc/hostname'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const USER = 12_345;

/** Files are asked for as somebody who may not give them away. */
async function asUser(rig: Rig, outMode: number, work: () => Promise<void>): Promise<void> {
  chmodSync(rig.outFolder, outMode);
  chmodSync(path.dirname(rig.lastGood), 0o777);
  process.setegid!(USER);
  process.seteuid!(USER);
  try {
    await work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}

describe('a file with several names', () => {
  test('keeps them', async () => {
    const rig = hardLinked();
    await showAndFlush(rig);
    expect(readFileSync(path.join(rig.folder, 'other.csv'), 'utf8')).toBe(WRITTEN);
  });

  test('is said to be written in place, once', async () => {
    const rig = hardLinked();
    await showAndFlush(rig);
    rig.netFile.show('b', ENDED);
    await rig.flush();
    expect(rig.events).toEqual([{ type: 'written', inPlace: 'hard-links' }]);
  });

  test('has its old bytes kept beside it', async () => {
    const rig = hardLinked();
    await showAndFlush(rig);
    expect(readFileSync(rig.backup, 'utf8')).toBe(TEXT);
  });
});

describe('a file for which no folder could be made', () => {
  test('is written in place', async () => {
    const rig = withoutFolder();
    const before = rig.inode();
    await showAndFlush(rig);
    expect([rig.text(), rig.inode(), rig.events]).toEqual([
      WRITTEN,
      before,
      [{ type: 'written', inPlace: 'folder' }],
    ]);
  });

  test('gets shorter as well as longer', async () => {
    const rig = createRig('job,status,stime,etime\na,9,,\n', { hasOutFolder: false });
    await showAndFlush(rig);
    rig.netFile.show('a', { status: '9', startedAt: null, endedAt: null });
    await rig.flush();
    expect(rig.text()).toBe('job,status,stime,etime\na,9,,\n');
  });

  test('keeps the version before the last write', async () => {
    const rig = withoutFolder();
    await showAndFlush(rig);
    rig.netFile.show('b', RUNNING);
    await rig.flush();
    expect(readFileSync(rig.backup, 'utf8')).toBe(WRITTEN);
  });

  test('is not touched when the copy cannot be kept', async () => {
    const rig = withoutFolder();
    mkdirSync(rig.backup);
    await showAndFlush(rig);
    expect([rig.text(), rig.events]).toEqual([TEXT, [{ type: 'unwritten', code: 'EISDIR' }]]);
  });

  test('is not touched by a controller that another one has followed', async () => {
    const rig = withoutFolder();
    rig.follow();
    await showAndFlush(rig);
    expect(rig.text()).toBe(TEXT);
  });

  test('has edits of others merged as ever', async () => {
    const rig = withoutFolder();
    rig.save('job,status,memo\na,9,mine\nb,9,\n');
    await showAndFlush(rig);
    expect(rig.text()).toBe('job,status,memo\na,0,mine\nb,9,\n');
  });
});

describe('STA-08 a file that is a mount point', () => {
  test.skipIf(!canMount)('is written in place, behind the mount', async () => {
    const rig = mounted();
    await showAndFlush(rig);
    expect([rig.text(), rig.events]).toEqual([WRITTEN, [{ type: 'written', inPlace: 'mount-point' }]]);
  });

  test.skipIf(!canMount)('leaves no pile of temporary files', async () => {
    const rig = mounted();
    for (const cells of [RUNNING, ENDED, RUNNING, ENDED]) {
      rig.netFile.show('a', cells);
      await rig.flush();
    }
    expect(rig.leftOver()).toEqual([]);
  });
});

describe('STA-08 whether a file can be written at all', () => {
  const fault = (rig: Rig) => writingFault(rig.file, rig.outFolder);

  test('is known before anything starts: it can', async () => {
    const rig = createRig(TEXT);
    expect([await fault(rig), await writingFault(rig.file, null), rig.text()]).toEqual([null, null, TEXT]);
  });

  test.skipIf(!canMount)('is known of a mount point', async () => {
    const rig = mounted();
    expect([await fault(rig), rig.text()]).toEqual([null, TEXT]);
  });

  test.skipIf(!canMount)('is known of a mount point for reading only', async () => {
    const rig = mounted();
    execFileSync('mount', ['-o', 'remount,ro,bind', rig.file]);
    expect(await fault(rig)).toBe('EROFS');
  });

  test('is known of a file that cannot be opened for it', async () => {
    const rig = createRig(TEXT);
    expect(await writingFault(rig.folder, null)).toBe('EISDIR');
  });

  test('is known of a file for reading only that can be replaced', async () => {
    const rig = createRig(TEXT);
    chmodSync(rig.file, 0o444);
    expect(await fault(rig)).toBe(null);
  });
});

describe('a file of somebody else', () => {
  test.skipIf(!isSuperuser)('is written in place when its owner could not be kept', async () => {
    const rig = createRig(TEXT);
    chmodSync(rig.folder, 0o777);
    chmodSync(rig.file, 0o666);
    await asUser(rig, 0o777, () => showAndFlush(rig));
    expect([rig.text(), statSync(rig.file).uid, rig.events]).toEqual([
      WRITTEN,
      0,
      [{ type: 'written', inPlace: 'owner' }],
    ]);
  });

  test.skipIf(!isSuperuser)('is said to be closed to us when it cannot be written at all', async () => {
    const rig = createRig(TEXT);
    chmodSync(rig.folder, 0o777);
    chmodSync(rig.file, 0o644);
    await asUser(rig, 0o777, () => showAndFlush(rig));
    expect([rig.text(), rig.events, rig.leftOver()]).toEqual([
      TEXT,
      [{ type: 'unwritten', code: 'EACCES' }],
      [],
    ]);
  });

  test.skipIf(!isSuperuser)('is written in place when its folder is closed to us', async () => {
    const rig = createRig(TEXT);
    chownSync(rig.file, USER, USER);
    chmodSync(rig.folder, 0o555);
    await asUser(rig, 0o777, () => showAndFlush(rig));
    expect([rig.text(), rig.events]).toEqual([WRITTEN, [{ type: 'written', inPlace: 'folder' }]]);
  });

  test.skipIf(!isSuperuser)('is written in place when the folder beside it is closed to us', async () => {
    const rig = createRig(TEXT);
    chownSync(rig.file, USER, USER);
    chmodSync(rig.folder, 0o755);
    await asUser(rig, 0o755, () => showAndFlush(rig));
    expect([rig.text(), rig.events]).toEqual([WRITTEN, [{ type: 'written', inPlace: 'folder' }]]);
  });
});
