/** A look at a script before it is started: what is wrong with it is found here, not guessed from an exit code. */
import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import type { JobName, ScriptProblem, Verdict } from '../core/words.js';
import { hasCode } from '../host/durable.js';

/** What is started, with a slash in it, so that no name is ever an option or a builtin. */
export interface Startable {
  readonly kind: 'startable';
  readonly argv: readonly string[];
  readonly script: string;
  readonly interpreter: string | null;
}

export interface Inspector {
  inspect(job: JobName): Startable | Exclude<Verdict, { kind: 'startable' }>;
}

/** Scripts up to this size are hashed whole; of a larger one this much, and its size. */
const HASHED_BYTES_MAX = 1024 * 1024;
const SHELL = '/bin/sh';

/** What the content of a file says, kept while the file is the same (inode, size, times). */
type Content =
  | { readonly problem: ScriptProblem }
  | { readonly problem: null; readonly script: string; readonly interpreter: string | null };

/**
 * Looks for scripts in `folder`/jobs, then in `folder`; paths in verdicts are relative to `folder`.
 * @param commands jobs that run a command instead of a script
 */
export function createInspector(folder: string, commands: ReadonlyMap<JobName, string>): Inspector {
  const jobsFolder = path.join(folder, 'jobs');
  const hadJobsFolder = isFolder(jobsFolder);
  const contents = new Map<string, Content>();

  function inspect(job: JobName): ReturnType<Inspector['inspect']> {
    if (!isFolder(folder)) return gone(folder);
    const command = commands.get(job);
    if (command !== undefined) {
      return { kind: 'startable', argv: [SHELL, '-c', command], script: hashOf(command), interpreter: SHELL };
    }
    if (hadJobsFolder && !isFolder(jobsFolder)) return gone(jobsFolder);
    const found = find(job);
    if ('problem' in found) return { kind: 'refused', problem: found.problem };
    const content = contentOf(found.path, found.stat);
    if (content.problem) return { kind: 'refused', problem: content.problem };
    return {
      kind: 'startable',
      argv: [found.path],
      script: content.script,
      interpreter: content.interpreter,
    };
  }

  function find(job: JobName): { path: string; stat: Stats } | { problem: ScriptProblem } {
    const paths = candidates(job);
    for (const candidate of paths) {
      try {
        const stat = statSync(path.join(folder, candidate), { throwIfNoEntry: false });
        if (stat) return { path: candidate, stat };
      } catch (error) {
        if (!hasCode(error, 'ENOTDIR')) {
          return {
            problem: {
              kind: 'unreachable',
              path: candidate,
              code: (error as NodeJS.ErrnoException).code ?? '',
            },
          };
        }
      }
    }
    return { problem: { kind: 'missing', paths: paths.slice(0, 2) } };
  }

  function contentOf(relative: string, stat: Stats): Content {
    if (!stat.isFile()) {
      return {
        problem: { kind: 'not-a-file', path: relative, found: stat.isDirectory() ? 'folder' : 'other' },
      };
    }
    const absolute = path.join(folder, relative);
    if (!isExecutable(absolute)) {
      const mode = (stat.mode & 0o7777).toString(8).padStart(3, '0');
      return { problem: { kind: 'not-executable', path: relative, mode } };
    }
    // Many names may be links to one file: it is read once.
    const key = [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(':');
    const known = contents.get(key);
    if (known && !known.problem) return known;
    const content = readContent(absolute, relative, stat.size);
    contents.set(key, content);
    return content;
  }

  return { inspect };
}

/** A script copied from a Mac may have its name in the decomposed Unicode form: the second try. */
function candidates(job: JobName): string[] {
  const forms = [...new Set([job, job.normalize('NFD')])];
  return forms.flatMap((name) => [`./jobs/${name}`, `./${name}`]);
}

function gone(folder: string): Verdict & { kind: 'shortage' } {
  return { kind: 'shortage', shortage: { kind: 'folder-gone', path: folder } };
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

function readContent(absolute: string, relative: string, size: number): Content {
  if (size === 0) return { problem: { kind: 'empty', path: relative } };
  let bytes: Buffer;
  try {
    bytes = readStart(absolute, Math.min(size, HASHED_BYTES_MAX));
  } catch (error) {
    // A binary may be executable and not readable: the system can start it, we only cannot name its version.
    if (hasCode(error, 'EACCES')) return { problem: null, script: 'unreadable', interpreter: null };
    return {
      problem: { kind: 'unreachable', path: relative, code: (error as NodeJS.ErrnoException).code ?? '' },
    };
  }
  const script = size > HASHED_BYTES_MAX ? hashOf(`${hashOf(bytes)} ${size}`) : hashOf(bytes);
  return firstLineProblem(bytes, relative) ?? { problem: null, script, interpreter: interpreterOf(bytes) };
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

function firstLineProblem(bytes: Buffer, relative: string): { problem: ScriptProblem } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { problem: { kind: 'byte-order-mark', path: relative } };
  }
  const line = firstLine(bytes);
  // A program may have any bytes; a script has no NUL.
  if (line.endsWith('\r') && !line.includes('\0'))
    return { problem: { kind: 'carriage-return', path: relative } };
  const interpreter = interpreterOf(bytes);
  if (interpreter === null || isExecutable(interpreter)) return null;
  return { problem: { kind: 'interpreter-missing', path: relative, interpreter } };
}

/** The program that `#!` names; without `#!` the launcher's shell runs a script, and the system a binary. */
function interpreterOf(bytes: Buffer): string | null {
  const match = /^#![ \t]*([^ \t\r\0]+)/.exec(firstLine(bytes));
  if (match) return match[1]!;
  return bytes.subarray(0, 256).includes(0) ? null : SHELL;
}

function firstLine(bytes: Buffer): string {
  const end = bytes.indexOf(0x0a);
  return bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end, 4096));
}
