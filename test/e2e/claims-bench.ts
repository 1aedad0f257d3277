/** The commands on claims as scripts meet them: real processes, a folder of claims of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../contract/temp-folder.js';
import { elsewhere } from './elsewhere.js';
import { type Finished, type Running, watch } from './workbench.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended extends Finished {
  readonly signal: NodeJS.Signals | null;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Another host by name. */
  readonly host?: string;
  /** Another time: so much ahead of the true one. */
  readonly shiftMs?: number;
  /** A file that says what time it is. */
  readonly clock?: string;
  /** The administrator of the system as anybody else: what the modes of files forbid is forbidden. */
  readonly isOrdinary?: boolean;
}

export interface Started extends Running {
  readonly ended: Promise<Ended>;
  /** Writes a line to its standard input. */
  type(line: string): void;
  /** The pid of the command that it runs, once it said `up PID`. */
  command(): Promise<number>;
}

export interface ClaimsBench {
  readonly folder: string;
  /** Where the claims are. */
  readonly claims: string;
  /** The entry of the built command. */
  readonly main: string;
  start(args: readonly string[], options?: StartOptions): Started;
  /** Another program in its place. */
  startProgram(argv: readonly string[]): Started;
  /** With nothing, or this, as its standard input. */
  run(args: readonly string[], options?: StartOptions & { input?: string | Buffer }): Promise<Ended>;
  file(name: string, text: string): string;
  read(name: string): string;
  /** What a name's folder of claims holds. */
  claim(name: string): string[];
}

/** Says its pid, waits for a line, and ends with it as its code. */
export const STEERED = ['sh', '-c', 'echo "up $$"; read -r code; exit "$code"'];

/** Of util-linux: root is stopped by modes as others are. */
export const WITHOUT_PRIVILEGES = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-all',
];

export function createClaimsBench(): ClaimsBench {
  const folder = tempFolder();
  const claims = path.join(folder, 'claims');
  onTestFinished(() => endMarked(folder));

  function startProgram(argv: readonly string[], options: StartOptions = {}): Started {
    const isTamed = options.isOrdinary && process.getuid?.() === 0;
    const [program = '', ...args] = isTamed ? [...WITHOUT_PRIVILEGES, ...argv] : argv;
    const child = spawn(program, args, {
      cwd: folder,
      env: environment(folder, claims, options),
      stdio: 'pipe',
    });
    const running = watch(child);
    // It may end before it has read what is typed.
    child.stdin.on('error', () => undefined);
    return {
      ...running,
      ended: running.finished.then((finished) => ({ ...finished, signal: child.signalCode })),
      type: (line) => child.stdin.write(`${line}\n`),
      command: async () => {
        await running.said('up ');
        return Number(/up (\d+)/.exec(running.out())![1]);
      },
    };
  }

  const start = (args: readonly string[], options?: StartOptions) =>
    startProgram([process.execPath, MAIN, ...args], options);

  return {
    folder,
    claims,
    main: MAIN,
    start,
    startProgram,
    run: async (args, options = {}) => {
      const started = start(args, options);
      started.child.stdin?.end(options.input ?? '');
      return await started.ended;
    },
    file: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    read: (name) => readFileSync(path.join(folder, name), 'utf8'),
    claim: (name) => {
      const own = path.join(claims, `${name}.d`);
      return existsSync(own) ? readdirSync(own).sort() : [];
    },
  };
}

function environment(folder: string, claims: string, { env, host, shiftMs, clock }: StartOptions) {
  const { LANG: _, LC_ALL: __, LEASE_DIR: ___, TTL_SEC: ____, ...rest } = process.env;
  const isHere = host === undefined && shiftMs === undefined && clock === undefined;
  return {
    ...rest,
    LC_ALL: 'C.UTF-8',
    JOBNET_LOCK_DIR: claims,
    JOBNET_TEST_FOLDER: folder,
    ...(isHere ? {} : elsewhere({ host, shiftMs, clock })),
    ...env,
  };
}

/** Ends what a test has left waiting, commands as well as wrappers. */
function endMarked(folder: string): void {
  for (const name of existsSync('/proc/self') ? readdirSync('/proc') : []) {
    try {
      const marks = readFileSync(`/proc/${Number(name)}/environ`, 'utf8').split('\0');
      if (marks.includes(`JOBNET_TEST_FOLDER=${folder}`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // Not a process, gone, or somebody else's.
    }
  }
}

/** Kills with -9 and waits until it is gone; what it has started lives on. */
export async function kill({ child }: { child: ChildProcess }): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
