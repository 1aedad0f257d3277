/** The shells that launchers must work with, and one launcher driven by hand. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { LAUNCHER_SCRIPT, LINE_HEAD, SEPARATOR } from '../../src/executor/launcher-script.js';
import { RECORDS_BYTES } from '../../src/executor/records.js';
import { findProgram, isLinux, isRoot, startChild, tempFolder } from './support.js';

export interface Shell {
  readonly name: string;
  /** Null: not on this machine. */
  readonly program: string | null;
  /** What it is called; bash behaves differently when that is `sh`. */
  readonly argv0: string;
  readonly args: readonly string[];
}

export const SHELLS: readonly Shell[] = [
  shell('dash', 'dash', 'sh'),
  shell('bash as sh', 'bash', 'sh'),
  // Without --norc bash takes a socket on its standard input for a remote login, and reads ~/.bashrc.
  shell('bash', 'bash', 'bash', '--norc'),
  shell('busybox sh', 'busybox', 'busybox', 'sh'),
];

function shell(name: string, program: string, argv0: string, ...args: string[]): Shell {
  return { name, program: findProgram(program), argv0, args };
}

/** A user of its own: the limit counts all processes of a user, and root has none. */
const LONELY_UID = '64321';

/** Runs a program that cannot fork; null: not to be had here. */
export const FORKLESS: readonly string[] | null = forkless();

function forkless(): readonly string[] | null {
  if (!isLinux || !findProgram('bash') || (isRoot && !findProgram('setpriv'))) return null;
  const lonely = ['setpriv', `--reuid=${LONELY_UID}`, `--regid=${LONELY_UID}`, '--clear-groups'];
  return [...(isRoot ? lonely : []), 'bash', '-c', 'ulimit -u 1 && exec "$0" "$@"'];
}

/** The shell of this machine, as the product uses it. */
export const SH: Shell = { name: 'sh', program: '/bin/sh', argv0: 'sh', args: [] };

export const SHARD = '5f';

export interface HandLauncher {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The folder of the run, and working folder of its jobs. */
  readonly folder: string;
  readonly name: string;
  readonly recordsFile: string;
  readonly lifeline: string;
  /** Gives it a job; bytes go as they are. */
  feed(job: string, attempt: number, ...argv: (string | Buffer)[]): void;
  /** The next answer, without its line end. */
  answer(): Promise<string | undefined>;
  /** Feeds a job and waits for its answer. */
  run(job: string, ...argv: (string | Buffer)[]): Promise<string | undefined>;
  logPath(job: string, attempt?: number): string;
  log(job: string, attempt?: number): string;
  records(): string;
  /** Resolves with the code and the signal it ended with. */
  readonly left: Promise<[number | null, NodeJS.Signals | null]>;
}

export interface HandOptions {
  readonly name?: string;
  readonly folder?: string;
  readonly records?: string;
  readonly shard?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A program that changes limits or users, and becomes the shell. */
  readonly wrapper?: readonly string[];
}

/** Starts a launcher as the product does, with its pipes in the hands of the test. */
export function startByHand({ program, argv0, args }: Shell, options: HandOptions = {}): HandLauncher {
  const { folder = tempFolder(), name = '7-1', shard = SHARD } = options;
  const exits = path.join(folder, 'exits');
  const attempts = path.join(folder, 'attempts');
  const recordsFile = options.records ?? path.join(exits, name);
  const lifeline = path.join(exits, `${name}.life`);
  mkdirSync(path.join(attempts, shard), { recursive: true });
  mkdirSync(exits, { recursive: true });
  if (!options.records) writeFileSync(recordsFile, ' '.repeat(RECORDS_BYTES));
  execFileSync('mkfifo', [lifeline]);
  if (options.wrapper) {
    openToAll(
      path.dirname(folder),
      folder,
      exits,
      recordsFile,
      lifeline,
      attempts,
      path.join(attempts, shard),
    );
  }
  const words = [...args, '-c', LAUNCHER_SCRIPT, 'jobnet', recordsFile, attempts, lifeline];
  const [file, ...rest] = [...(options.wrapper ?? []), program!, ...words, SEPARATOR, LINE_HEAD];
  const child = startChild(file!, rest, {
    cwd: folder,
    detached: true,
    ...(options.wrapper ? {} : { argv0 }),
    env: { PATH: process.env['PATH'], ...options.environment },
  });
  child.stdin!.on('error', () => {
    // It has left; tests look at its answers.
  });
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const answer = async (): Promise<string | undefined> => (await answers.next()).value;
  const feed: HandLauncher['feed'] = (job, attempt, ...argv) => {
    const fields = [LINE_HEAD, job, String(attempt), shard, ...argv].map((field) => Buffer.from(field));
    const joined = fields.flatMap((field) => [field, Buffer.from(SEPARATOR)]).slice(0, -1);
    child.stdin!.write(Buffer.concat([...joined, Buffer.from('\n')]));
  };
  const logPath = (job: string, attempt = 1) => path.join(attempts, shard, `${job}.${attempt}.log`);
  return {
    child,
    pid: child.pid!,
    folder,
    name,
    recordsFile,
    lifeline,
    feed,
    answer,
    run: (job, ...argv) => {
      feed(job, 1, ...argv);
      return answer();
    },
    logPath,
    log: (job, attempt) => readFileSync(logPath(job, attempt), 'utf8'),
    records: () => readFileSync(recordsFile, 'utf8'),
    left: once(child, 'close') as HandLauncher['left'],
  };
}

/** The wrapper may run it as another user. */
function openToAll(...files: readonly string[]): void {
  for (const file of files) chmodSync(file, 0o777);
}

/** A launcher that has said that it is ready. */
export async function readyByHand(shell: Shell, options: HandOptions = {}): Promise<HandLauncher> {
  const launcher = startByHand(shell, options);
  const first = await launcher.answer();
  if (first !== `R ${launcher.pid} `) throw new Error(`not ready: ${first}`);
  return launcher;
}
