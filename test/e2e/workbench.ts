/** Real nets in temporary folders, run by the real command line with real processes. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = path.join(ROOT, 'dist/cli/main.js');

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly finished: Promise<Finished>;
  out(): string;
  /** Resolves when the text has been printed. */
  said(text: string): Promise<void>;
}

export interface NetBench {
  readonly folder: string;
  readonly file: string;
  script(name: string, text: string, mode?: number): void;
  /** A job that says when it has started and ends when the test says so. */
  steered(name: string): Steered;
  csv(text: string): void;
  read(): string;
  /** Status cells by job. */
  statuses(): Record<string, string>;
  run(...args: string[]): Finished;
  start(...args: string[]): Running;
  startWith(options: { env?: Record<string, string> }, ...args: string[]): Running;
  /** The command on a terminal of its own, made by `script` of util-linux. */
  terminal(args: string): Running & { type(text: string): void };
  /** Lines that jobs wrote to the side-effect file. */
  effects(): string[];
  statusJson(): StatusJson;
}

export interface Steered {
  /** Resolves when the job waits for its end. */
  started(): Promise<void>;
  exit(code: number): Promise<void>;
}

export interface StatusJson {
  file: string;
  run: { id: string; state: string; startedAt: string; endedAt: string | null } | null;
  controller: { state: string; pid: number; host: string; epoch: number } | null;
  counts: Record<string, number>;
  csv: { state: string; watching: string | null; notices: { type: string }[] };
  jobs: {
    job: string;
    csv: string;
    status: string;
    attempt: number;
    exit: { code: number; signal?: string } | null;
    reason: string | null;
    startedAt: string | null;
    endedAt: string | null;
    left: { pid: number; name: string }[];
    scriptChanged: boolean;
    durationMs: number | null;
    predecessors: string[];
    blockedBy: string[];
  }[];
}

/** A script that only notes that it ran. */
export const NOTED = `#!/bin/sh\nprintf '%s\\n' "$JOBNET_JOB" >>effects.txt\n`;

/** A script that notes that it ran and ends with a code. */
export function ending(code: number): string {
  return `${NOTED}exit ${code}\n`;
}

export interface BenchOptions {
  readonly name?: string;
  readonly jobs?: readonly string[];
  /** Where its folder is made. */
  readonly within?: string;
}

export function createBench(csv: string, options: BenchOptions = {}): NetBench {
  const parent = mkdtempSync(path.join(options.within ?? tmpdir(), 'jobnet-e2e-'));
  const folder = path.join(parent, options.name ?? 'net');
  mkdirSync(path.join(folder, 'jobs'), { recursive: true });
  const file = path.join(folder, 'jobnet.csv');
  const children = new Set<ChildProcess>();
  onTestFinished(() => {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    }
    endJobsOf(file);
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  function script(name: string, text: string, mode = 0o755): void {
    const file = path.join(folder, 'jobs', name);
    writeFileSync(file, text);
    // Whatever the mask of the system is.
    chmodSync(file, mode);
  }

  writeFileSync(file, csv);
  for (const name of options.jobs ?? []) script(name, NOTED);

  function steered(name: string): Steered {
    const up = path.join(folder, `${name}.up`);
    const down = path.join(folder, `${name}.down`);
    execFileSync('mkfifo', [up, down]);
    script(name, `${NOTED}echo up >'${name}.up'\nread code <'${name}.down'\nexit $code\n`);
    return {
      started: () => readLine(up),
      exit: async (code) => {
        const fd = await openWhenRead(down);
        writeSync(fd, `${code}\n`);
      },
    };
  }

  const environment = (extra: Record<string, string> = {}) => {
    const { LANG: _, LC_ALL: __, JOBNET_STATE: ___, ...rest } = process.env;
    return { ...rest, LC_ALL: 'C.UTF-8', ...extra };
  };

  function run(...args: string[]): Finished {
    const result = spawnSync(process.execPath, [MAIN, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 28,
    });
    return { code: result.status, out: result.stdout, err: result.stderr };
  }

  function startWith({ env }: { env?: Record<string, string> }, ...args: string[]): Running {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    return watch(child);
  }

  function terminal(args: string): Running & { type(text: string): void } {
    const child = spawn('script', ['-qec', `'${process.execPath}' '${MAIN}' ${args}`, '/dev/null'], {
      cwd: folder,
      env: environment({ TERM: 'xterm' }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.add(child);
    return { ...watch(child), type: (text) => child.stdin.write(text) };
  }

  return {
    folder,
    file,
    script,
    steered,
    csv: (text) => writeFileSync(file, text),
    read: () => readFileSync(file, 'utf8'),
    statuses: () => statusesIn(readFileSync(file, 'utf8')),
    run,
    start: (...args) => startWith({}, ...args),
    startWith,
    terminal,
    effects: () => {
      const effects = path.join(folder, 'effects.txt');
      return existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : [];
    },
    statusJson: () => {
      const { code, out, err } = run('status', '--json');
      if (code !== 0) throw new Error(`status --json ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
  };
}

export function watch(child: ChildProcess): Running {
  let out = '';
  let err = '';
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
  };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text;
    wake();
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    err += text;
    wake();
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, out, err });
      wake();
    });
  });
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (out.includes(text) || err.includes(text)) {
          waiting.delete(look);
          resolve();
        } else if (child.exitCode !== null || child.signalCode !== null) {
          waiting.delete(look);
          reject(new Error(`ended without saying "${text}":\n${out}${err}`));
        }
      };
      waiting.add(look);
      look();
    });
  return { child, pid: child.pid!, finished, out: () => out, said };
}

/** The first line that somebody writes to a FIFO. */
async function readLine(fifo: string): Promise<void> {
  const child = spawn('head', ['-n', '1', fifo], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.on('close', resolve));
}

/** Opens a FIFO for writing once a reader has it; opening it at once would block this process. */
async function openWhenRead(fifo: string): Promise<number> {
  return await until(() => {
    try {
      return openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      return null;
    }
  });
}

const PATIENCE_MS = 30_000;

/** Waits until something holds: for what sends no event. */
export async function until<T>(look: () => T | null | false | undefined): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = look();
    if (found !== null && found !== false && found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`did not come true: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Ends what a test that failed has left waiting: processes that carry the marker of its net. */
function endJobsOf(file: string): void {
  for (const name of existsSync('/proc/self') ? readdirSync('/proc') : []) {
    try {
      const environment = readFileSync(`/proc/${Number(name)}/environ`, 'utf8').split('\0');
      if (environment.includes(`JOBNET_FILE=${file}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // Not a process, gone, or somebody else's.
    }
  }
}

export function statusesIn(csv: string): Record<string, string> {
  const rows = csv.trim().split(/\r?\n/).slice(1);
  return Object.fromEntries(rows.map((row) => row.split(',').slice(0, 2)));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** A net from its rows: job, then its predecessors. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const width = Math.max(2, ...rows.map((row) => row.length - 1));
  const columns = Array.from({ length: width }, (_, index) => `prev${index + 1}`);
  const lines = rows.map(([job, ...before]) =>
    [job, '9', '', '', ...columns.map((_, index) => before[index] ?? '')].join(','),
  );
  return `${['job,status,stime,etime', ...columns].join(',')}\n${lines.join('\n')}\n`;
}

/** The twelve jobs of the article that the product comes from. */
export const SEED_ROWS = [
  ['J01', 'Start'],
  ['J02', 'J01'],
  ['J03', 'J01'],
  ['J04', 'J02', 'J03'],
  ['J05', 'J04'],
  ['J06', 'J04'],
  ['J07', 'J05', 'J06'],
  ['J08', 'J05', 'J06'],
  ['J09', 'J07'],
  ['J10', 'J08'],
  ['J11', 'J10'],
  ['J12', 'J09', 'J11'],
] as const;

export const SEED_JOBS = SEED_ROWS.map(([job]) => job);
