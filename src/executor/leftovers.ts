/** Processes that a job has left behind: named on its result, by one scan for all jobs that end at about the same time. */
import type { Leftover } from '../core/words.js';
import type { Clock, Launch } from '../engine/ports.js';
import { findMarked, type Marker } from '../host/marked.js';
import { listProcesses } from '../host/processes.js';
import { unlessRefused } from './shortage.js';

/** What ends within this time after its job, as the last child of a pipeline does, is nothing that was left. */
const SETTLE_MS = 50;

export interface Leftovers {
  /** Calls back with what lives of an attempt that is over; never from within the call. */
  find(launch: Launch, onFound: (left: readonly Leftover[]) => void): void;
  close(): void;
}

interface Sought {
  readonly launch: Launch;
  readonly onFound: (left: readonly Leftover[]) => void;
}

export function createLeftovers(marker: Marker, clock: Clock): Leftovers {
  let sought: Sought[] = [];
  let cancel: (() => void) | null = null;

  function find(launch: Launch, onFound: (left: readonly Leftover[]) => void): void {
    sought.push({ launch, onFound });
    cancel ??= clock.after(SETTLE_MS, scan);
  }

  function scan(): void {
    cancel = null;
    const all = sought;
    sought = [];
    const marked = unlessRefused(() => findMarked(marker)) ?? [];
    const names = marked.length > 0 ? namesByPid() : new Map<number, string>();
    for (const { launch, onFound } of all) {
      const own = marked.filter((one) => one.job === launch.job && one.attempt === launch.attempt);
      onFound(own.map(({ pid }) => ({ pid, name: names.get(pid) ?? '?' })));
    }
  }

  return { find, close: () => cancel?.() };
}

function namesByPid(): Map<number, string> {
  const processes = unlessRefused(listProcesses) ?? [];
  return new Map(processes.map(({ pid, name }) => [pid, name]));
}
