/** The local executor with real scripts and processes in a temporary folder. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { LauncherIdentity, Report } from '../../src/core/words.js';
import type { Executor } from '../../src/engine/ports.js';
import { systemClock } from '../../src/engine/system-clock.js';
import { exitsFolder } from '../../src/executor/attempts.js';
import { createLocalExecutor, type LocalOptions } from '../../src/executor/local.js';
import { findMarked } from '../../src/host/marked.js';
import { createGate, exists, kill, script, tempFolder, until } from './support.js';

export interface LocalRig {
  readonly executor: Executor;
  /** Working folder of the jobs. */
  readonly folder: string;
  readonly runFolder: string;
  readonly marker: { readonly run: string; readonly file: string };
  readonly launchers: LauncherIdentity[];
  /** What was reported, the newest last. */
  /** In full; `endOf` leaves out the version of the script. */
  readonly reports: { readonly job: string; readonly attempt: number; readonly report: Report }[];
  script(job: string, text: string): void;
  /** A job that notes its start, waits, notes its end and exits with the code that `end` gives it. */
  steered(job: string): void;
  history(): string[];
  end(job: string, attempt: number, code: number): void;
  launch(job: string, attempt?: number): void;
  /** The last report on an attempt that is over. */
  endOf(job: string, attempt?: number): Report | undefined;
  log(job: string, attempt?: number): string;
}

let runs = 0;

export function createLocalRig(options: Partial<LocalOptions> = {}): LocalRig {
  const folder = tempFolder();
  const runFolder = path.join(folder, '.jobnet', 'run 1');
  const marker = { run: `test-${process.pid}-${++runs}`, file: path.join(folder, 'jobnet.csv') };
  const gates = new Map<string, ReturnType<typeof createGate>>();
  const launchers: LauncherIdentity[] = [];
  const reports: LocalRig['reports'] = [];
  const executor = createLocalExecutor({
    folder,
    runFolder,
    ...marker,
    epoch: 7,
    slots: 2,
    commands: new Map(),
    environment: { PATH: process.env['PATH']! },
    shell: '/bin/sh',
    clock: systemClock,
    ...options,
  });
  executor.listen({
    report: (job, attempt, report) => reports.push({ job, attempt, report }),
    launcher: (identity) => {
      launchers.push(identity);
      executor.admit(identity.launcher);
    },
  });
  onTestFinished(async () => {
    await executor.close();
    for (const { pid } of findMarked(marker)) kill(pid, 'SIGKILL');
  });

  const historyFile = path.join(folder, 'history');
  return {
    executor,
    folder,
    runFolder,
    marker,
    launchers,
    reports,
    script: (job, text) => void script(path.join(folder, 'jobs', job), text),
    steered: (job) => {
      gates.set(job, createGate(path.join(folder, `${job}.gate`)));
      const own = '$JOBNET_JOB.$JOBNET_ATTEMPT';
      const lines = [
        `echo "start ${own}" >>history`,
        'read -r code <"$JOBNET_JOB.gate"',
        `echo "end ${own}" >>history`,
      ];
      script(path.join(folder, 'jobs', job), `#!/bin/sh\n${lines.join('\n')}\nexit "$code"\n`);
    },
    history: () => (exists(historyFile) ? readFileSync(historyFile, 'utf8').trimEnd().split('\n') : []),
    end: (job, _attempt, code) => gates.get(job)!.open(String(code)),
    launch: (job, attempt = 1) => {
      executor.inspect(job);
      executor.ensure({ job, attempt });
    },
    endOf: (job, attempt = 1) => {
      const end = reports.findLast(
        (one) => one.job === job && one.attempt === attempt && one.report.kind !== 'running',
      )?.report;
      if (end?.kind !== 'exited') return end;
      const { script: _, ...rest } = end;
      return rest;
    },
    log: (job, attempt = 1) => {
      const attempts = path.join(runFolder, 'attempts');
      const shards = readdirSync(attempts).map((shard) =>
        path.join(attempts, shard, `${job}.${attempt}.log`),
      );
      return readFileSync(shards.find(exists)!, 'utf8');
    },
  };
}

/** Launches an attempt and waits until it is over. */
export async function run(rig: LocalRig, job: string, attempt = 1): Promise<Report> {
  rig.launch(job, attempt);
  return until(() => rig.endOf(job, attempt), `the end of ${job}.${attempt}`);
}

/** What a launcher has recorded. */
export function recordsOf({ runFolder }: LocalRig, launcher: string): string {
  return readFileSync(path.join(exitsFolder(runFolder), launcher), 'utf8');
}
