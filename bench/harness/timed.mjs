/** One command, from its start to its end, on the clock. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { WrongResult } from './failures.mjs';
import { watchForeignCores } from './quiet.mjs';

const TAIL_CHARACTERS = 2000;

/**
 * Small and the same for everybody: npm and make add names to ours, each start of a job copies them all, and a
 * `MAKEFLAGS` or `JOBNET_STATE` of an outer command would change what is measured.
 */
const ENVIRONMENT = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C' };

/**
 * Runs a command with its output in a file; returns the milliseconds that it took, and the cores that other work had.
 * @throws WrongResult when it does not end with `exitCode`
 */
export async function timed([command, ...args], { cwd, output, signal, exitCode = 0 }) {
  const fd = openSync(output, 'w');
  const foreign = watchForeignCores();
  const began = performance.now();
  const child = spawn(command, args, { cwd, env: ENVIRONMENT, stdio: ['ignore', fd, fd] });
  closeSync(fd);
  const end = await endOf(child, signal);
  const ms = performance.now() - began;
  const foreignCores = foreign();
  signal.throwIfAborted();
  if (end === exitCode) return { ms, foreignCores };
  const tail = readFileSync(output, 'utf8').slice(-TAIL_CHARACTERS);
  throw new WrongResult(`"${[command, ...args].join(' ')}" ended with ${end}, not ${exitCode}\n${tail}`);
}

/** The exit code, or the name of the signal. An interrupt is passed on, and the end is waited for. */
function endOf(child, signal) {
  return new Promise((resolve, reject) => {
    const pass = () => child.kill('SIGTERM');
    signal.addEventListener('abort', pass);
    child.once('error', reject);
    child.once('exit', (code, by) => {
      signal.removeEventListener('abort', pass);
      resolve(code ?? by);
    });
  });
}
