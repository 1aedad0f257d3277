/** Attempts that no launcher answers for any more: evidence decides what became of them, as after a crash. */
import type { LauncherIdentity, Report } from '../core/words.js';
import type { Clock, Launch } from '../engine/ports.js';
import type { Marker } from '../host/marked.js';
import { type Judged, judgeAttempts, voidAttempt } from './evidence.js';
import { notStarted, unlessRefused } from './shortage.js';

/** How often they are looked for. */
const LOOK_MS = 500;
const CAUSE = 'its launcher died before it started the job';

export interface OrphansOptions {
  readonly runFolder: string;
  readonly epoch: number;
  readonly marker: Marker;
  readonly clock: Clock;
  readonly onFound: (launch: Launch, report: Report) => void;
}

export interface Orphans {
  /** @param identity the launcher that had the attempt in hand */
  add(orphan: Orphan): void;
  close(): void;
}

export interface Orphan {
  readonly launch: Launch;
  readonly identity: LauncherIdentity;
  /** Whether it was reported as running. */
  isConfirmed: boolean;
}

export function createOrphans({ clock, ...options }: OrphansOptions): Orphans {
  const orphans = new Set<Orphan>();
  let cancelLook: (() => void) | null = null;

  function add(orphan: Orphan): void {
    orphans.add(orphan);
    look();
  }

  function look(): void {
    cancelLook?.();
    const known = [...orphans];
    const launchers = new Map(known.map(({ identity }) => [identity.launcher, identity]));
    const launches = known.map(({ launch }) => launch);
    const judged = unlessRefused(() => judgeAttempts({ ...options, launchers }, launches));
    judged?.forEach((one, index) => {
      settle(known[index]!, one);
    });
    cancelLook = orphans.size > 0 ? clock.after(LOOK_MS, look) : null;
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

  return { add, close: () => cancelLook?.() };
}
