/** What people and programs do to the file in a storm, and what must come of it. */
import type { Event } from '../../src/core/words.js';
import type { StormJob, StormNet, Tail } from './storm-net.js';
import { type Change, createSaver, memosIn, type Order, type Saved } from './storm-saves.js';
import { until } from './workbench.js';

/** What must have come of the edits that count. */
export interface Expected {
  readonly settled: string[];
  readonly rerun: string[];
  readonly added: string[];
  /** Further predecessors that rows were given. */
  readonly redefined: Map<string, string>;
  readonly memos: Map<string, string>;
  /** Old copies that were saved: each must be reported. */
  stale: number;
}

export interface Acts {
  readonly expected: Expected;
  /** How often the file was saved, by what it was. */
  readonly tally: Map<string, number>;
  saves(): number;
  /** Whatever comes next. */
  act(openGates: number): Promise<void>;
  /** A job that has failed is mended in the file; waits until the file shows one. False: none is left. */
  mend(): Promise<boolean>;
}

const SPOILERS = ['cut', 'cut', 'quote', 'quote', 'empty', 'zeros'];
/** How long damage stays, if nobody waits until it is reported. */
const SPOILT_MS = 150;
const COPIES_MAX = 40;

export function createActs({ net, jobs, spare }: StormNet, tail: Tail, next: () => number): Acts {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(next() * from.length)];
  const saver = createSaver(net.file, next);
  const expected: Expected = {
    settled: [],
    rerun: [],
    added: [],
    redefined: new Map(),
    memos: new Map(),
    stale: 0,
  };
  const tally = new Map<string, number>();
  /** Jobs whose status somebody has edited: each once, so that every effect has one cause. */
  const edited = new Set<string>();
  /** Copies with the rows and predecessors of now: others would take them back, and rightly so. */
  let copies: string[] = [];
  let openGates = 0;
  let saves = 0;

  async function save(name: string, order: Order): Promise<Saved> {
    const saved = await saver(order);
    if (!saved.isSaved) return saved;
    saves++;
    tally.set(name, (tally.get(name) ?? 0) + 1);
    if (order.kind !== 'restore') copies = [...copies, saved.known].slice(-COPIES_MAX);
    return saved;
  }

  /** Saves an edit, and waits until it is on record. */
  async function edit(name: string, what: Partial<Order>, isRecord: (event: Event) => boolean) {
    const since = tail.look().length;
    const { isSaved } = await save(name, { kind: 'edit', ...what });
    if (isSaved) await recorded(since, isRecord);
    return isSaved;
  }

  const recorded = (since: number, holds: (event: Event) => boolean) =>
    until(() =>
      tail
        .look()
        .slice(since)
        .some(({ event }) => event.type !== 'seal' && holds(event)),
    );

  /** The same damage twice in a row may count as one. */
  function isInTrouble(): boolean {
    const last = tail.look().findLast(({ event }) => event.type === 'version')?.event;
    return last?.type === 'version' && ['refused', 'held'].includes(last.outcome);
  }

  /** Jobs that the file shows with a status, as far as nobody has edited it. */
  function shownAs(status: string, isFrail: boolean): StormJob[] {
    const lines = net.read().split('\n');
    const rows = new Set(lines.map((line) => line.split(',', 2).join()));
    const isShown = ({ name }: StormJob) => !edited.has(name) && rows.has(`${name},${status}`);
    return jobs.filter((job) => job.isFrail === isFrail && isShown(job));
  }

  async function editStatus({ name }: StormJob, from: string, to: '0' | '9'): Promise<void> {
    const change: Change = { job: name, column: 'status', from, to };
    const type = to === '9' ? 'rerun' : 'settled';
    const isRecord = (event: Event) => event.type === type && event.job === name;
    if (!(await edit(`${from} to ${to}`, { changes: [change] }, isRecord))) return;
    edited.add(name);
    expected[type].push(name);
  }

  async function repair(): Promise<void> {
    const job = pick(shownAs('1', true));
    if (job) await editStatus(job, '1', next() < 0.5 ? '0' : '9');
  }

  async function runAgain(): Promise<void> {
    const job = pick(shownAs('0', false));
    if (job && expected.rerun.length < jobs.length / 10) await editStatus(job, '0', '9');
  }

  async function addRow(): Promise<void> {
    const name = spare[expected.added.length];
    if (!name) return;
    const before = pick(jobs)!.name;
    const isRecord = (event: Event) => isTaken(event) && event.added.includes(name);
    if (!(await edit('row added', { rows: [`${name},9,,,${before},,,new`] }, isRecord))) return;
    expected.added.push(name);
    expected.redefined.set(name, before);
    copies = [];
  }

  async function redefine(): Promise<void> {
    // Nothing behind a closed gate can have started.
    const job = pick(jobs.filter(({ name, layer }) => layer >= openGates && !expected.redefined.has(name)));
    const before =
      job && pick(jobs.filter(({ name, layer }) => layer < job.layer && !job.before.includes(name)));
    if (!before) return;
    const change: Change = { job: job.name, column: 'prev3', from: '', to: before.name };
    const isRecord = (event: Event) => isTaken(event) && event.redefined > 0;
    if (!(await edit('predecessor', { changes: [change] }, isRecord))) return;
    expected.redefined.set(job.name, before.name);
    copies = [];
  }

  async function noteMemos(): Promise<void> {
    const names = new Set([pick(jobs)!.name, pick(jobs)!.name]);
    const to = `"m${saves}, ""～"""`;
    const changes = Array.from(names, (job): Change => ({ job, column: 'memo', from: null, to }));
    const { isSaved } = await save('memo', { kind: 'edit', changes });
    if (!isSaved) return;
    for (const job of names) expected.memos.set(job, to);
  }

  async function spoil(): Promise<void> {
    const { before } = await save('spoilt', { kind: 'spoil', spoil: pick(SPOILERS)! });
    const isLong = next() < 0.08;
    if (isLong) await until(isInTrouble);
    else await aWhile(next() * SPOILT_MS);
    await save('restored', { kind: 'restore', base: before });
  }

  async function saveOldCopy(): Promise<void> {
    const base = pick(copies);
    if (base === undefined) return;
    const since = tail.look().length;
    const { isSaved, before } = await save('old copy', { kind: 'stale', base });
    if (!isSaved) return;
    expected.stale++;
    // Memos have no version: an old copy takes them back.
    const memos = memosIn(before);
    for (const [job, memo] of memosIn(base)) if (memos.get(job) !== memo) expected.memos.set(job, memo);
    await recorded(since, (event) => event.type === 'edit' && event.outcome === 'stale');
  }

  const touch = () => save('unchanged', { kind: 'edit' });
  const chances: readonly [act: () => Promise<unknown>, tickets: number][] = [
    [touch, 10],
    [noteMemos, 8],
    [repair, 30],
    [runAgain, 7],
    [addRow, 2],
    [redefine, 2],
    [spoil, 20],
    [saveOldCopy, 21],
  ];
  const tickets = chances.flatMap(([act, count]) => Array.from({ length: count }, () => act));

  async function act(gates: number): Promise<void> {
    openGates = gates;
    await pick(tickets)!();
  }

  async function mend(): Promise<boolean> {
    if (jobs.every(({ name, isFrail }) => !isFrail || edited.has(name))) return false;
    await until(() => shownAs('1', true).length > 0);
    await repair();
    return true;
  }

  return { expected, tally, saves: () => saves, act, mend };
}

function isTaken(event: Event): event is Extract<Event, { type: 'version'; outcome: 'taken' }> {
  return event.type === 'version' && event.outcome === 'taken';
}

/** Between two saves of others there is any time. */
export function aWhile(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
