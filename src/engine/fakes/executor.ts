/** An executor without processes: it keeps what it was asked, and the test says what becomes of an attempt. */
import type { JobName, Report, Verdict } from '../../core/words.js';
import type { Executor, ExecutorListener, KillOrder, Launch } from '../ports.js';

export interface FakeExecutor extends Executor {
  /** Every call of `ensure`, also those without effect. */
  readonly ensured: readonly Launch[];
  /** Attempts that have started or were adopted, and are not over. */
  started(): Launch[];
  /** Every call of `kill`; the test reports what becomes of it. */
  readonly killed: readonly (Launch & KillOrder)[];
  /** What a look at the job says from now on; until then every job is startable. */
  judge(job: JobName, verdict: Verdict): void;
  /** Reports on an attempt that was asked for; any report but `running` ends it and frees its launcher. */
  report(job: JobName, attempt: number, report: Report): void;
}

const STARTABLE: Verdict = { kind: 'startable', script: '0123456789abcdef', interpreter: '/bin/sh' };

export function createFakeExecutor(slots: number): FakeExecutor {
  const ensured: Launch[] = [];
  const killed: (Launch & KillOrder)[] = [];
  const verdicts = new Map<JobName, Verdict>();
  /** By JOB.ATTEMPT: those that wait for a launcher, and those that one has started. */
  const queued = new Map<string, Launch>();
  const started = new Map<string, Launch>();
  const adopted = new Map<string, Launch>();
  /** Launchers that were made known, and those of them that may be given jobs. */
  const known = new Set<string>();
  const admitted = new Set<string>();
  let listener: ExecutorListener | null = null;
  let isClosed = false;

  function ensure({ job, attempt }: Launch): void {
    const id = `${job}.${attempt}`;
    ensured.push({ job, attempt });
    if (isClosed || queued.has(id) || started.has(id)) return;
    queued.set(id, { job, attempt });
    dispatch();
    // As with processes, nothing is reported from within a call.
    queueMicrotask(startLauncher);
  }

  /** As one that was started long ago: it has no launcher of ours. */
  function adopt({ job, attempt }: Launch): void {
    adopted.set(`${job}.${attempt}`, { job, attempt });
  }

  function dispatch(): void {
    for (const [id, launch] of queued) {
      if (started.size >= admitted.size) return;
      queued.delete(id);
      started.set(id, launch);
    }
  }

  function startLauncher(): void {
    const coming = known.size - admitted.size;
    if (isClosed || known.size === slots || queued.size <= coming) return;
    const launcher = `1-${known.size + 1}`;
    known.add(launcher);
    const pid = 1000 + known.size;
    listener!.launcher({ launcher, pid, startTime: '0', bootId: 'fake', lifeline: `/fake/${launcher}.life` });
  }

  function admit(launcher: string): void {
    if (known.has(launcher)) admitted.add(launcher);
    if (!isClosed) dispatch();
  }

  function report(job: JobName, attempt: number, what: Report): void {
    if (isClosed) return;
    const id = `${job}.${attempt}`;
    if (!queued.has(id) && !started.has(id) && !adopted.has(id))
      throw new Error(`${id} was not asked for, or is over`);
    if (what.kind !== 'running') {
      queued.delete(id);
      started.delete(id);
      adopted.delete(id);
    }
    listener!.report(job, attempt, what);
    dispatch();
  }

  return {
    ensured,
    killed,
    started: () => [...adopted.values(), ...started.values()],
    judge: (job, verdict) => void verdicts.set(job, verdict),
    report,
    inspect: (job) => verdicts.get(job) ?? STARTABLE,
    ensure,
    adopt,
    kill: ({ job, attempt }, order) => void killed.push({ job, attempt, ...order }),
    admit,
    listen: (to) => {
      listener = to;
    },
    close: async () => {
      isClosed = true;
    },
  };
}
