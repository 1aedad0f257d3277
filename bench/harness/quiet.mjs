/**
 * Other work on this machine: waited for before a measurement, noticed beside it, and then measured again. A
 * disturbance while the limit is measured would make jobnet look better than it is, so a median is not enough.
 * Linux only; elsewhere nothing is ever noticed.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is left of this are kernel threads that write for us. */
const FOREIGN_CORES_MAX = 0.15;
const WINDOW_MS = 500;
/** All waiting and measuring again of one bench; on a machine that is never quiet it is spent, and remarked upon. */
const PATIENCE_MS = 180_000;
const TRIES_MAX = 3;
/** Hz of the counters in /proc, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** In less time the ticks say nothing. */
const WATCHED_SECONDS_LEAST = 0.4;

/**
 * A function that measures until nothing disturbed it, as long as patience lasts; the last try counts in any case.
 * What it is given measures once, and returns `{ value, foreignCores }`.
 */
export function createQuietMeasure(signal) {
  let patienceMs = PATIENCE_MS;

  async function waitForQuiet() {
    while ((await foreignCoresNow(signal)) > FOREIGN_CORES_MAX && patienceMs > 0) patienceMs -= WINDOW_MS;
  }

  return async (measure) => {
    for (let tries = 1; ; tries++) {
      await waitForQuiet();
      const began = performance.now();
      const { value, foreignCores } = await measure(tries);
      const foreign = Math.max(foreignCores ?? 0, await foreignCoresNow(signal));
      const isDisturbed = foreign > FOREIGN_CORES_MAX;
      if (!isDisturbed || tries === TRIES_MAX || patienceMs <= 0) return { value, isDisturbed };
      patienceMs -= performance.now() - began;
      console.error(`  disturbed by other work (${foreign.toFixed(2)} cores): once more`);
    }
  };
}

async function foreignCoresNow(signal) {
  const watch = watchForeignCores();
  await sleep(WINDOW_MS, undefined, { signal });
  return watch() ?? 0;
}

/**
 * Begins to watch; what it returns tells, once the commands started since have ended, how many cores were busy with
 * anything but this process and them. Null where that cannot be known.
 */
export function watchForeignCores() {
  const before = readClocks();
  const began = performance.now();
  return () => {
    const after = readClocks();
    const seconds = (performance.now() - began) / 1000;
    if (!before || !after || seconds < WATCHED_SECONDS_LEAST) return null;
    return Math.max(0, (after.machine - before.machine - (after.own - before.own)) / seconds);
  };
}

/** CPU seconds so far: of the whole machine; of this process and all that it, or a child of its, has waited for. */
function readClocks() {
  try {
    const [user, nice, system] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 4).slice(1).map(Number);
    // The second field is a name in brackets, which may hold blanks.
    const own = readFileSync('/proc/self/stat', 'utf8')
      .split(') ')
      .at(-1)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return {
      machine: (user + nice + system) / TICKS_PER_SECOND,
      own: own.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND,
    };
  } catch {
    return null;
  }
}
