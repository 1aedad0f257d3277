/**
 * FIFOs that a job and its children hold open: the cheapest proof that something of a job still lives (0.8 us),
 * and the only one that needs no pid. A process can close it, so it never proves death.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { hasCode } from '../host/durable.js';

export interface Lifeline {
  readonly path: string;
  /** Whether any process has it open. */
  isHeld(): boolean;
  close(): void;
}

/** Opens the reading end of an existing FIFO; does not wait for anybody. */
export function openLifeline(fifo: string): Lifeline {
  const fd = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const byte = Buffer.alloc(1);
  return {
    path: fifo,
    isHeld: () => {
      try {
        // 0: end of file, nobody has the other end. A job that writes to it holds it.
        return readSync(fd, byte, 0, 1, null) > 0;
      } catch (error) {
        if (hasCode(error, 'EAGAIN')) return true;
        throw error;
      }
    },
    close: () => closeSync(fd),
  };
}

export interface LifelineStock {
  take(): Promise<Lifeline>;
  /** Back for the next launcher, if nobody holds it; else it is left to those who do. */
  giveBack(lifeline: Lifeline): void;
  /** Never given to another launcher; its name stays. */
  drop(lifeline: Lifeline): void;
  close(): void;
}

/** Makes FIFOs in `folder` as they are needed, `batch` at a time: each call of mkfifo is a process. */
export function createLifelineStock(folder: string, prefix: string, batch: number): LifelineStock {
  const free: Lifeline[] = [];
  const taken = new Set<Lifeline>();
  let made = 0;
  let making: Promise<void> | null = null;

  async function make(): Promise<void> {
    const paths = Array.from({ length: batch }, (_, index) =>
      path.join(folder, `${prefix}-${made + index + 1}.life`),
    );
    made += batch;
    await execa('mkfifo', paths, { stdin: 'ignore' });
    free.push(...paths.map(openLifeline));
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
    for (const lifeline of [...free, ...taken]) lifeline.close();
  }

  return { take, giveBack, drop, close };
}
