/** The engine with fakes, driven by lines of text and answering in lines of text. */
import { blockersOf, runState } from '../../src/core/project.js';
import { replay } from '../../src/core/replay.js';
import { attemptsInFlight, createState, type State } from '../../src/core/state.js';
import type { Event, Report, Verdict } from '../../src/core/words.js';
import { createEngine, type Engine, type UntimedInput } from '../../src/engine/engine.js';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { createFakeExecutor, type FakeExecutor } from '../../src/engine/fakes/executor.js';
import { createFakeJournal, type FakeJournal } from '../../src/engine/fakes/journal.js';
import { createFakeNetFile } from '../../src/engine/fakes/net-file.js';
import { DiskFault, EpochLost } from '../../src/engine/ports.js';
import { netOf } from '../core/nets.js';

const GONE: Verdict = { kind: 'shortage', shortage: { kind: 'folder-gone', path: 'jobs' } };
const REFUSED: Verdict = { kind: 'refused', problem: { kind: 'empty', path: './jobs/x' } };

export interface Rig {
  /** Carries out one line and returns what became visible. */
  say(line: string): Promise<string[]>;
}

/** `a; b < a; c < a b`: jobs with their predecessors, named a, b, c in this order. */
export function createRig(text: string): Rig {
  const rows = text.split(';').map((row) => row.trim().split(/\s*<\s*/));
  const names = rows.map(([job]) => job!);
  const anonymous = netOf(
    rows.map(([, before]) =>
      (before ?? '')
        .split(/\s+/)
        .filter(Boolean)
        .map((one) => names.indexOf(one)),
    ),
  );
  const net = { ...anonymous, names, indexes: new Map(names.map((name, index) => [name, index])) };
  const clock = createFakeClock(1000);
  let lines: string[] = [];
  let limit = 2;
  let keepGoing = false;
  let state: State;
  let journal: FakeJournal;
  let executor: FakeExecutor;
  let engine: Engine;
  let launched = 0;

  function begin(from: State, before: FakeJournal | null, inputs: UntimedInput[]): void {
    state = from;
    journal = createFakeJournal(() => {
      if (isOvertaken) throw new EpochLost(1, 2);
    });
    if (before)
      journal.append(
        before.durable.map(({ event }) => event),
        clock.now(),
      );
    executor = createFakeExecutor(limit);
    launched = 0;
    const netFile = createFakeNetFile(names);
    engine = createEngine({ state, fileNet: state.net, journal, executor, netFile, clock, onShown, onFault });
    executor.listen({
      report: (job, attempt, report) => engine.submit({ type: 'report', job, attempt, report }),
      launcher: (identity) => engine.submit({ type: 'launcher', identity }),
    });
    engine.closed.then(
      (end) => lines.push(`closed ${end}; ${rowsOf(netFile)}`),
      (error) => lines.push(`stops: ${error.message}`),
    );
    engine.submit(...inputs);
  }

  let isOvertaken = false;

  function onFault(fault: DiskFault | null): void {
    lines.push(fault ? `the journal cannot be written: ${fault.code}` : 'the journal can be written again');
  }

  function onShown(event: Event): void {
    switch (event.type) {
      case 'ended':
        lines.push(`${event.job} ended`);
        return;
      case 'abended': {
        const { reason } = event;
        lines.push(
          `${event.job} abended (${reason.kind === 'exit' ? `exit ${reason.code}` : reason.kind})${blocked()}`,
        );
        return;
      }
      case 'running':
      case 'kept':
      case 'rerun':
        lines.push(`${event.job} ${event.type}`);
        return;
      case 'not-started':
        lines.push(`${event.job} not started (${event.cause})`);
        return;
      case 'paused':
        lines.push(`paused: ${event.shortage.kind}`);
        return;
      case 'unpaused':
      case 'stopping':
        lines.push(event.type);
        return;
      default:
    }
  }

  function blocked(): string {
    const jobs = [...blockersOf(state).keys()].map((index) => names[index]);
    return jobs.length > 0 ? `; blocked: ${jobs.join(', ')}` : '';
  }

  function rowsOf(netFile: ReturnType<typeof createFakeNetFile>): string {
    return [...netFile.rows].map(([job, cells]) => `${job} ${cells.status}`).join(', ');
  }

  function report(job: string, attempt: number, found: Report): void {
    executor.report(job, attempt, found);
  }

  function carryOut(line: string): void {
    const [verb, ...words] = line.split(' ');
    const [job = '', number = '1'] = (words[0] ?? '').split('#');
    const attempt = Number(number);
    switch (verb) {
      case 'limit':
        limit = Number(words[0]);
        return;
      case 'keep-going':
        keepGoing = true;
        return;
      case 'start':
        return begin(createState(net), null, [{ type: 'begin', mode: 'start', limit, keepGoing }]);
      case 'exit':
        return report(job, attempt, { kind: 'exited', code: Number(words[1] ?? 0) });
      case 'confirm':
        return report(job, attempt, { kind: 'running' });
      case 'lost':
        return report(job, attempt, { kind: 'lost' });
      case 'fork-failed':
        return report(job, attempt, {
          kind: 'not-started',
          cause: 'fork',
          shortage: { kind: 'resources', message: 'fork' },
        });
      case 'script':
        return executor.judge(job, words[1] === 'gone' ? GONE : words[1] === 'empty' ? REFUSED : startable());
      case 'stop':
        return engine.submit({ type: 'stop', by: 'TERM' });
      case 'wait':
        return clock.advance(Number(words[0]) * 1000);
      case 'disk':
        return disk(words.join(' '));
      case 'overtaken':
        isOvertaken = true;
        return;
      case 'crash':
        return crash();
      default:
        throw new Error(`what is "${line}"?`);
    }
  }

  function disk(word: string): void {
    switch (word) {
      case 'hangs':
        return journal.hold();
      case 'goes on':
        return journal.letGo();
      case 'full':
        return journal.refuse(faultOf('ENOSPC'));
      case 'read-only':
        return journal.refuse(faultOf('EROFS'));
      case 'fails once':
        return journal.failNext(faultOf('EIO'));
      case 'faulty by our fault':
        return journal.failNext(new Error('bad descriptor'));
      case 'works':
        return journal.mend();
      default:
        throw new Error(`what is a disk that "${word}"?`);
    }
  }

  /** Only what was durable is left; attempts in flight are what the last line of the block says of them. */
  function crash(): void {
    const before = journal;
    const from = replay(net, before.durable);
    const started = new Set(executor.started().map((one) => `${one.job}.${one.attempt}`));
    const reports = attemptsInFlight(from).map(({ job, attempt }): UntimedInput => {
      const wasStarted = started.has(`${job}.${attempt}`);
      const found: Report = wasStarted
        ? { kind: 'exited', code: 0 }
        : { kind: 'not-started', cause: 'voided' };
      return { type: 'report', job, attempt, report: found };
    });
    const reruns = from.jobs.flatMap((own, index): UntimedInput[] =>
      own.status === 'abended' ? [{ type: 'rerun', job: names[index]! }] : [],
    );
    begin(from, before, [{ type: 'begin', mode: 'resume', limit, keepGoing }, ...reports, ...reruns]);
  }

  async function say(line: string): Promise<string[]> {
    lines = [];
    carryOut(line);
    await settled();
    const news = (executor as FakeExecutor | undefined)?.ensured.slice(launched) ?? [];
    launched += news.length;
    const isOver = state?.run.closed !== null;
    const told = [...lines, ...news.map((launch) => `launch ${launch.job}#${launch.attempt}`)];
    return told.length === 0 && !isOver && state ? [`(${runState(state)})`] : told;
  }

  return { say };
}

function faultOf(code: string): DiskFault {
  return new DiskFault(Object.assign(new Error(code), { code }));
}

function startable(): Verdict {
  return { kind: 'startable', script: 'abc', interpreter: null };
}

/** Turns of the event loop in which every commit that may end has ended. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}
