/** A look at a script before it is started: what is wrong with it is found here, not guessed from an exit code. */
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { JobName, Millis, ScriptProblem, Verdict } from '../core/words.js';
import { hasCode } from '../host/durable.js';
import { isOfTheSystem, shortageOf } from './shortage.js';

/** What is started, with a slash in it, so that no name is ever an option or a builtin. */
export interface Startable {
  readonly kind: 'startable';
  readonly argv: readonly string[];
  /** A text without `#!`: given to the shell by name, so that the same one runs it everywhere, with its marker. */
  readonly needsShell: boolean;
  readonly script: string;
  readonly interpreter: string | null;
}

type Look = Startable | Exclude<Verdict, { kind: 'startable' }>;

/** Jobs that run a command instead of a script; the net may change while it runs. */
export type Commands = Pick<ReadonlyMap<JobName, string>, 'get'>;

export interface Inspector {
  inspect(job: JobName): Look;
  /**
   * The version of a job's script that is in place now; null: it is gone.
   * @param endedAt the attempt in question ended then: what was changed later says nothing of it
   * @returns undefined: it has no script, or nobody can say which version it had
   */
  versionOf(job: JobName, endedAt?: Millis): string | null | undefined;
}

/** Scripts up to this size are hashed whole; of a larger one this much, and its size. */
const HASHED_BYTES_MAX = 1024 * 1024;
export const SHELL = '/bin/sh';

/**
 * Looks for scripts in `folder`/jobs, then in `folder`; paths in verdicts are relative to `folder`.
 * @param commands jobs that run a command instead of a script
 */
export function createInspector(folder: string, commands: Commands): Inspector {
  const jobsFolder = path.join(folder, 'jobs');
  const hadJobsFolder = isFolder(jobsFolder);
  /** By what identifies a version of a file; many names may be links to one file: it is read once. */
  const contents = new Map<string, Content>();

  function inspect(job: JobName): Look {
    const command = commands.get(job);
    if (command !== undefined) {
      if (!isFolder(folder)) return gone(folder);
      const argv = [SHELL, '-c', command];
      return { kind: 'startable', argv, needsShell: false, script: hashOf(command), interpreter: SHELL };
    }
    let isFirst = true;
    for (const candidate of placesOf(job)) {
      const found = lookUnlessRefused(candidate) ?? (isFirst ? goneFolder() : null);
      if (found) return found;
      isFirst = false;
    }
    return refused({ kind: 'missing', paths: [`./jobs/${job}`, `./${job}`] });
  }

  /** Asked only when a script is not in its place: with the folder gone another one must not be found instead. */
  function goneFolder(): Look | null {
    if (!isFolder(folder)) return gone(folder);
    return hadJobsFolder && !isFolder(jobsFolder) ? gone(jobsFolder) : null;
  }

  function lookUnlessRefused(candidate: string): Look | null {
    try {
      return look(candidate);
    } catch (error) {
      if (!isOfTheSystem(error)) throw error;
      const shortage = shortageOf(error);
      if (shortage) return { kind: 'shortage', shortage };
      return refused({ kind: 'unreachable', path: candidate, code: error.code ?? '' });
    }
  }

  /** Null: nothing has this name. */
  function look(candidate: string): Look | null {
    const absolute = path.join(folder, candidate);
    const stat = statOf(absolute);
    // Behind a link that leads nowhere another script may be found, but that is not the one that was meant.
    if (!stat) return isLink(absolute) ? refused({ kind: 'missing', paths: [candidate] }) : null;
    const problem = problemOfFile(absolute, candidate, stat);
    if (problem) return refused(problem);
    const { fault, interpreter, isText, script } = contentOf(absolute, stat);
    if (fault) return refused({ kind: fault, path: candidate });
    // The folder is where the job will run, so a relative interpreter is found from there.
    if (interpreter !== null && !isExecutable(path.resolve(folder, interpreter))) {
      return refused({ kind: 'interpreter-missing', path: candidate, interpreter });
    }
    const needsShell = interpreter === null && isText;
    return {
      kind: 'startable',
      argv: [candidate],
      needsShell,
      script,
      interpreter: needsShell ? SHELL : interpreter,
    };
  }

  function versionOf(job: JobName, endedAt = Number.POSITIVE_INFINITY): string | null | undefined {
    if (commands.get(job) !== undefined) return undefined;
    try {
      for (const candidate of placesOf(job)) {
        const absolute = path.join(folder, candidate);
        const stat = statOf(absolute);
        if (stat) return Math.round(stat.ctimeMs) > endedAt ? undefined : contentOf(absolute, stat).script;
      }
      return goneFolder() || endedAt < Number.POSITIVE_INFINITY ? undefined : null;
    } catch {
      return undefined;
    }
  }

  function contentOf(absolute: string, stat: Stats): Content {
    const key = [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(':');
    const content = contents.get(key) ?? readContent(absolute, stat.size);
    contents.set(key, content);
    return content;
  }

  return { inspect, versionOf };
}

/** A script copied from a Mac may have its name in the decomposed Unicode form: the second try. */
function* placesOf(job: JobName): Iterable<string> {
  yield `./jobs/${job}`;
  yield `./${job}`;
  const decomposed = job.normalize('NFD');
  if (decomposed === job) return;
  yield `./jobs/${decomposed}`;
  yield `./${decomposed}`;
}

function gone(folder: string): Look {
  return { kind: 'shortage', shortage: { kind: 'folder-gone', path: folder } };
}

function refused(problem: ScriptProblem): Look {
  return { kind: 'refused', problem };
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null: there is no such file. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return false;
  }
}

function problemOfFile(absolute: string, candidate: string, stat: Stats): ScriptProblem | null {
  if (!stat.isFile()) {
    return { kind: 'not-a-file', path: candidate, found: stat.isDirectory() ? 'folder' : 'other' };
  }
  if (!isExecutable(absolute)) {
    const mode = (stat.mode & 0o7777).toString(8).padStart(3, '0');
    return { kind: 'not-executable', path: candidate, mode };
  }
  return stat.size === 0 ? { kind: 'empty', path: candidate } : null;
}

/** What the bytes of a file say. */
interface Content {
  readonly script: string;
  /** What its `#!` names. */
  readonly interpreter: string | null;
  /** A program has a NUL near its start, a script has none. */
  readonly isText: boolean;
  readonly fault: 'carriage-return' | 'byte-order-mark' | null;
}

/** A program may be executable and not readable: the system can start it, we only cannot name its version. */
const UNREADABLE: Content = { script: 'unreadable', interpreter: null, isText: false, fault: null };

function readContent(file: string, size: number): Content {
  let bytes: Buffer;
  try {
    bytes = readStart(file, Math.min(size, HASHED_BYTES_MAX));
  } catch (error) {
    if (hasCode(error, 'EACCES')) return UNREADABLE;
    throw error;
  }
  const end = bytes.indexOf(0x0a);
  const firstLine = bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end, 4096));
  return {
    script: size > HASHED_BYTES_MAX ? hashOf(`${hashOf(bytes)} ${size}`) : hashOf(bytes),
    interpreter: /^#![ \t]*([^ \t\r\0]+)/.exec(firstLine)?.[1] ?? null,
    isText: !bytes.subarray(0, 256).includes(0),
    fault: faultOf(firstLine),
  };
}

function faultOf(firstLine: string): Content['fault'] {
  if (firstLine.startsWith('\xef\xbb\xbf')) return 'byte-order-mark';
  return firstLine.endsWith('\r') && !firstLine.includes('\0') ? 'carriage-return' : null;
}

/** The first bytes of a file. */
export function readStart(file: string, bytesMax: number): Buffer {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(bytesMax);
    return buffer.subarray(0, readSync(fd, buffer, 0, bytesMax, 0));
  } finally {
    closeSync(fd);
  }
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
