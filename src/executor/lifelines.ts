/**
 * FIFOs that a job and its children hold open: the cheapest proof that something of a job still lives (0.8 us),
 * and the only one that needs no pid. A process can close it, so it never proves death.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { hasCode } from '../host/durable.js';
import { probeDescriptors } from './shortage.js';

export interface Lifeline {
  readonly path: string;
  /** Whether any process has it open. */
  isHeld(): boolean;
  close(): void;
}

/** What a pipe holds at most, so that one read empties it. */
const PIPE_BYTES = 64 * 1024;
const drain = Buffer.alloc(PIPE_BYTES);

/** Opens the reading end of an existing FIFO; does not wait for anybody. */
export function openLifeline(fifo: string): Lifeline {
  const fd = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  return {
    path: fifo,
    // What a job wrote before it ended is still there; whoever fills the pipe a second time lives.
    isHeld: () => isOpenElsewhere(fd) && isOpenElsewhere(fd),
    close: () => closeSync(fd),
  };
}

function isOpenElsewhere(fd: number): boolean {
  try {
    // 0: end of file, nobody has the other end.
    return readSync(fd, drain, 0, PIPE_BYTES, null) > 0;
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return true;
    throw error;
  }
}

export interface LifelineStock {
  /** @throws what the system says when no FIFO can be made */
  take(): Promise<Lifeline>;
  /** Back for the next launcher, if nobody holds it; else it is left to those who do. */
  giveBack(lifeline: Lifeline): void;
  /** Never given to another launcher; its name stays. */
  drop(lifeline: Lifeline): void;
  /** Drops all; to be called when no `take` is left without an answer. */
  close(): void;
}

/** Each call of mkfifo is a process, so it makes some at a time. */
const BATCH = 16;

/** Makes FIFOs in `folder` as they are needed, for up to `size` users at once. */
export function createLifelineStock(folder: string, prefix: string, size: number): LifelineStock {
  const free: Lifeline[] = [];
  const taken = new Set<Lifeline>();
  let made = 0;
  let making: Promise<void> | null = null;

  async function make(): Promise<void> {
    const paths = Array.from({ length: Math.min(size, BATCH) }, () =>
      path.join(folder, `${prefix}-${++made}.life`),
    );
    probeDescriptors();
    const { failed, stderr, originalMessage } = await execa('mkfifo', paths, {
      stdin: 'ignore',
      stdout: 'ignore',
      reject: false,
    });
    if (failed) throw new Error(stderr.split('\n')[0] || originalMessage);
    for (const fifo of paths) free.push(openLifeline(fifo));
  }

  async function take(): Promise<Lifeline> {
    while (free.length === 0) {
      making ??= make().finally(() => {
        making = null;
      });
      await making;
    }
    const lifeline = free.pop()!;
    taken.add(lifeline);
    return lifeline;
  }

  function giveBack(lifeline: Lifeline): void {
    if (lifeline.isHeld()) return drop(lifeline);
    taken.delete(lifeline);
    free.push(lifeline);
  }

  function drop(lifeline: Lifeline): void {
    taken.delete(lifeline);
    lifeline.close();
  }

  function close(): void {
    for (const lifeline of [...free.splice(0), ...taken]) drop(lifeline);
  }

  return { take, giveBack, drop, close };
}
