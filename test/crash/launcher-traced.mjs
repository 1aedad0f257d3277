/** Starts processes as execa does, the first of them under strace. */
import { execa as start } from 'execa';

const [strace, ...options] = JSON.parse(process.env.LAUNCHER_STRACE);
let isFirst = true;

export function execa(file, args, settings) {
  if (!isFirst) return start(file, args, settings);
  isFirst = false;
  return start(strace, [...options, file, ...args], settings);
}
