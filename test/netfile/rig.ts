/** A jobnet.csv on disk with everything around it, and a run that answers as the test says. */

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Cells } from '../../src/core/project.js';
import type { Sheet } from '../../src/core/sheet.js';
import type { FileEvent, JobName } from '../../src/core/words.js';
import { createFakeClock, type FakeClock } from '../../src/engine/fakes/clock.js';
import type { Clock, NetFile, Version, VersionAnswer } from '../../src/engine/ports.js';
import { createNetFile } from '../../src/netfile/netfile.js';
import { sheetOf } from '../../src/netfile/read.js';
import { tempFolder } from '../contract/temp-folder.js';

export interface Rig {
  readonly folder: string;
  readonly file: string;
  readonly outFolder: string;
  readonly backup: string;
  readonly lastGood: string;
  readonly clock: FakeClock;
  readonly netFile: NetFile;
  /** What was said of the file, in order, but for how it is watched. */
  readonly events: FileEvent[];
  /** Versions that were offered, in order. */
  readonly versions: Version[];
  /** What a row is to say by the state of the run. */
  readonly now: Map<JobName, Cells>;
  /** What versions are answered from now on; at first each is taken. An accepted one always is. */
  answer(answer: VersionAnswer): void;
  /** What an edit of the job comes to when it is taken. */
  obey(job: JobName, cells: Cells): void;
  /** From now on edits that were taken are not on record before `record`. */
  hangDisk(): void;
  /** Another controller takes over. */
  follow(): void;
  /** Shows, as the engine does when an edit is on record, the rows of all edits as the run has them. */
  record(): void;
  text(): string;
  bytes(): Buffer;
  /** Somebody else saves a version of the file in place. */
  save(text: string | Buffer): void;
  saveByRename(text: string | Buffer): void;
  /** Which file stands under the name: another one after every write by replacement. */
  inode(): bigint;
  /** Names of files that were left to be renamed. */
  leftOver(): string[];
  /** A flush that gets the time that it asks for. */
  flush(): Promise<boolean>;
  /** A person accepts what is held. */
  accept(): Promise<void>;
  /** Lets time pass; what falls due does its work on the disk before time goes on. */
  pass(ms: number): Promise<void>;
}

export interface RigOptions {
  /** No: a command that only writes, and looks at nothing. */
  readonly listens?: boolean;
  /** No: no folder could be made beside the file. */
  readonly hasOutFolder?: boolean;
}

export const BEGAN = new Date(2026, 10, 30, 12, 0, 0).getTime();

export function createRig(
  text: string | Buffer,
  { listens = true, hasOutFolder = true }: RigOptions = {},
): Rig {
  const folder = tempFolder();
  const file = path.join(folder, 'jobnet.csv');
  writeFileSync(file, text);
  return rigOn(file, { listens, hasOutFolder });
}

/** @param file exists */
export function rigOn(file: string, { listens = true, hasOutFolder = true }: RigOptions = {}): Rig {
  const folder = path.dirname(file);
  const state = path.join(folder, 'state');
  const outFolder = path.join(folder, 'out');
  mkdirSync(outFolder);
  mkdirSync(state);
  const clock = createFakeClock(BEGAN);
  const { tracking, settled, patiently } = trackWork(clock);
  const events: FileEvent[] = [];
  const versions: Version[] = [];
  const now = new Map<JobName, Cells>();
  const unrecorded = new Set<JobName>();
  const obeyed = new Map<JobName, Cells>();
  let answer: VersionAnswer = 'taken';
  let isDiskHanging = false;
  let isFollowed = false;
  const backup = path.join(state, 'backup.csv');
  const lastGood = path.join(state, 'last-good.csv');
  const netFile = createNetFile({
    file,
    sheet: sheetIn(readFileSync(file)),
    outFolder: hasOutFolder ? outFolder : null,
    backup,
    lastGood,
    began: BEGAN,
    watch: 'poll',
    isCurrent: () => !isFollowed,
    clock: tracking,
  });
  onTestFinished(() => netFile.close());
  if (listens) {
    netFile.listen({
      version: (version) => {
        versions.push(version);
        const given = version.isAccepted ? 'taken' : answer;
        if (given === 'taken') for (const { job } of version.edits.rows) take(job);
        if (!isDiskHanging) queueMicrotask(record);
        return given;
      },
      event: (event) => {
        if (event.type !== 'watching') events.push(event);
      },
      cells: (job) => now.get(job) ?? null,
    });
  }
  function take(job: JobName): void {
    unrecorded.add(job);
    const cells = obeyed.get(job);
    if (cells) now.set(job, cells);
    obeyed.delete(job);
  }

  function record(): void {
    for (const job of unrecorded) {
      const cells = now.get(job);
      if (cells) netFile.show(job, cells);
    }
    unrecorded.clear();
  }

  async function pass(ms: number): Promise<void> {
    const end = clock.now() + ms;
    for (let due = clock.dueTimes()[0]; due !== undefined && due <= end; due = clock.dueTimes()[0]) {
      clock.advance(Math.max(0, due - clock.now()));
      await settled();
    }
    clock.advance(end - clock.now());
    await settled();
  }

  return {
    folder,
    file,
    outFolder,
    backup,
    lastGood,
    clock,
    netFile,
    events,
    versions,
    now,
    answer: (next) => {
      answer = next;
    },
    obey: (job, cells) => void obeyed.set(job, cells),
    follow: () => {
      isFollowed = true;
    },
    hangDisk: () => {
      isDiskHanging = true;
    },
    record,
    text: () => readFileSync(file, 'utf8'),
    bytes: () => readFileSync(file),
    save: (version) => writeFileSync(file, version),
    saveByRename: (version) => {
      writeFileSync(path.join(folder, 'saved'), version);
      renameSync(path.join(folder, 'saved'), file);
    },
    inode: () => statSync(file, { bigint: true }).ino,
    flush: () => patiently(() => netFile.flush()),
    accept: async () => {
      netFile.acceptHeld();
      await pass(0);
    },
    leftOver: () => (existsSync(outFolder) ? readdirSync(outFolder) : []),
    pass,
  };
}

/** What a timer has begun is known, so that a test can wait until it is over. */
function trackWork(clock: FakeClock) {
  const works = new Set<unknown>();
  const asked = new AsyncLocalStorage<true>();
  /** The last timer that was set by what the test asked for: until it has fired nothing goes on. */
  let waitsFor: () => boolean = () => false;

  const tracking: Clock = {
    now: clock.now,
    after: (ms, callback: () => unknown) => {
      const timer = { hasFired: false };
      if (asked.getStore()) waitsFor = () => !timer.hasFired;
      return clock.after(ms, () => {
        timer.hasFired = true;
        const work = asked.exit(callback);
        works.add(work);
        void Promise.resolve(work).finally(() => works.delete(work));
      });
    },
  };

  async function settled(): Promise<void> {
    while (works.size > 0) await Promise.all(works);
  }

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    let isOver = false;
    waitsFor = () => false;
    const done = asked.run(true, work).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise(setImmediate);
      if (isOver || !waitsFor()) continue;
      clock.advance(Math.max(0, clock.dueTimes()[0]! - clock.now()));
      await settled();
    }
    return await done;
  }

  return { tracking, settled, patiently };
}

/** The sheet of a version without problems. */
export function sheetIn(version: string | Buffer): Sheet {
  const result = sheetOf(typeof version === 'string' ? Buffer.from(version) : version);
  if (result.kind === 'bad') throw new Error(`refused: ${JSON.stringify(result.problems)}`);
  return result.sheet;
}

/** Waits for what the disk does in its own time. */
export function until(condition: () => boolean): Promise<true> {
  return vi.waitUntil(condition, { timeout: 20_000, interval: 2 });
}
