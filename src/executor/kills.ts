/** Attempts that are being ended: those of our own launchers, and those whose launchers answer to nobody any more. */
import type { LauncherIdentity, Report } from '../core/words.js';
import type { Clock, KillOrder, Launch } from '../engine/ports.js';
import type { Marker } from '../host/marked.js';
import { createJudge, voidAttempt } from './evidence.js';
import { type Killing, startKilling } from './killing.js';

export interface KillsOptions {
  readonly runFolder: string;
  readonly epoch: number;
  readonly marker: Marker;
  readonly launchers: ReadonlyMap<string, LauncherIdentity>;
  /** Whether an attempt of an earlier controller may have been given to this launcher. */
  readonly mayBeWith: (launcher: string) => boolean;
  readonly clock: Clock;
  readonly onOver: (launch: Launch, report: Report) => void;
}

export interface Kills {
  /** @param launcher ours, that has it in hand; null: it is one of an earlier controller, or its launcher died */
  start(launch: Launch, order: KillOrder, launcher: LauncherIdentity | null): void;
  /** Its launcher has answered, or is gone; false: nobody asked that it end. */
  answered(launch: Launch, code: number | null): boolean;
  close(): void;
}

interface Kill {
  readonly killing: Killing;
  /** The code with which it ended, as soon as that is known. */
  code: number | null;
  isAnswered: boolean;
}

export function createKills(options: KillsOptions): Kills {
  const { clock } = options;
  const kills = new Map<string, Kill>();

  function start(launch: Launch, order: KillOrder, launcher: LauncherIdentity | null): void {
    const id = idOf(launch);
    const known = kills.get(id);
    if (known) return known.killing.hasten(order);
    const evidence = launcher ? null : evidenceOf(options, launch);
    const killing = startKilling({
      launch,
      order,
      marker: options.marker,
      launcher: launcher ?? evidence!.launcher,
      isAnswered: () => kill.isAnswered || (evidence !== null && isOver(evidence)),
      clock,
      onOver: (survivors) => {
        kills.delete(id);
        options.onOver(launch, { kind: 'killed', code: kill.code, survivors });
      },
    });
    const kill: Kill = { killing, code: null, isAnswered: false };
    kills.set(id, kill);

    function isOver({ look }: Evidence): boolean {
      const found = look();
      if (found) kill.code = found.code;
      return found !== null;
    }
  }

  function answered(launch: Launch, code: number | null): boolean {
    const kill = kills.get(idOf(launch));
    if (!kill) return false;
    kill.code = code;
    kill.isAnswered = true;
    kill.killing.wake();
    return true;
  }

  function close(): void {
    for (const { killing } of kills.values()) killing.close();
  }

  return { start, answered, close };
}

interface Evidence {
  /** The one that started it. */
  readonly launcher: LauncherIdentity | null;
  /** Null: somebody may still start it, or record its end. */
  look(): { readonly code: number | null } | null;
}

function evidenceOf(
  { runFolder, epoch, marker, launchers, mayBeWith }: KillsOptions,
  launch: Launch,
): Evidence {
  const judgeAttempts = createJudge(runFolder);
  const judged = () => judgeAttempts({ runFolder, marker, launchers }, [{ ...launch, mayBeWith }])[0]!;
  return {
    launcher: launchers.get(judged().launcher ?? '') ?? null,
    look: () => {
      const { finding } = judged();
      switch (finding.kind) {
        case 'exited':
          return { code: finding.code };
        case 'lost':
        case 'not-started':
          return { code: null };
        case 'unclaimed':
          return voidAttempt(runFolder, launch, epoch) ? { code: null } : null;
        case 'living':
        case 'undecided':
          return null;
      }
    },
  };
}

function idOf({ job, attempt }: Launch): string {
  return `${job}.${attempt}`;
}
