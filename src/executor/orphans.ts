/** Attempts that no launcher answers for any more: evidence decides what became of them, as after a crash. */
import type { LauncherIdentity, Report } from '../core/words.js';
import type { Clock, Launch } from '../engine/ports.js';
import type { Marker } from '../host/marked.js';
import { createJudge, isGone, type Judged, voidAttempt } from './evidence.js';
import { notStarted, unlessRefused } from './shortage.js';

/** How often they are looked for. */
const LOOK_MS = 500;
const CAUSE = 'its launcher died before it started the job';

export interface OrphansOptions {
  readonly runFolder: string;
  readonly epoch: number;
  readonly marker: Marker;
  readonly launchers: ReadonlyMap<string, LauncherIdentity>;
  readonly clock: Clock;
  readonly onFound: (launch: Launch, report: Report) => void;
}

export interface Orphans {
  add(orphan: Orphan): void;
  /** Somebody else sees to it. */
  remove(launch: Launch): void;
  close(): void;
}

export interface Orphan {
  readonly launch: Launch;
  /**
   * Whether it may have been given to this launcher: another one that happens to be idle must not keep it from being
   * judged.
   */
  readonly mayBeWith: (launcher: string) => boolean;
  /** Whether it was reported as running. */
  isConfirmed: boolean;
}

export function createOrphans({ clock, ...options }: OrphansOptions): Orphans {
  const orphans = new Set<Orphan>();
  const gone = new Set<string>();
  const judgeAttempts = createJudge(options.runFolder);
  let cancelLook: (() => void) | null = null;

  function add(orphan: Orphan): void {
    orphans.add(orphan);
    look();
  }

  function look(): void {
    cancelLook?.();
    const known = [...orphans];
    const sought = known.map(({ launch, mayBeWith }) => ({ ...launch, mayBeWith }));
    const judged = unlessRefused(() => judgeAttempts({ ...options, launchers: thoseLeft() }, sought));
    judged?.forEach((one, index) => {
      settle(known[index]!, one);
    });
    cancelLook = orphans.size > 0 ? clock.after(LOOK_MS, look) : null;
  }

  /** A long run has had many launchers; those that are gone have nothing more to tell than their records. */
  function thoseLeft(): Map<string, LauncherIdentity> {
    const left = new Map<string, LauncherIdentity>();
    for (const [name, identity] of options.launchers) {
      if (gone.has(name)) continue;
      if (isGone(identity)) gone.add(name);
      else left.set(name, identity);
    }
    return left;
  }

  function settle(orphan: Orphan, { finding, writtenAt }: Judged): void {
    const { launch } = orphan;
    switch (finding.kind) {
      case 'exited':
        return found(orphan, { ...finding, endedAt: writtenAt! });
      case 'lost':
        return found(orphan, finding);
      case 'not-started':
        return found(orphan, notStarted(CAUSE));
      case 'unclaimed':
        // Whoever is faster has left a trace by the next look.
        if (unlessRefused(() => voidAttempt(options.runFolder, launch, options.epoch))) {
          found(orphan, notStarted(CAUSE));
        }
        return;
      case 'living':
        if (!orphan.isConfirmed) options.onFound(launch, { kind: 'running' });
        orphan.isConfirmed = true;
        return;
      case 'undecided':
        return;
    }
  }

  function found(orphan: Orphan, report: Report): void {
    orphans.delete(orphan);
    options.onFound(orphan.launch, report);
  }

  function remove({ job, attempt }: Launch): void {
    for (const orphan of orphans) {
      if (orphan.launch.job === job && orphan.launch.attempt === attempt) orphans.delete(orphan);
    }
  }

  return { add, remove, close: () => cancelLook?.() };
}
