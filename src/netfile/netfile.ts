/** jobnet.csv on disk: what others write into it is offered to the engine, our three cells are merged into theirs. */
import type { Cells } from '../core/project.js';
import type { Sheet } from '../core/sheet.js';
import { type Around, editsBetween } from '../core/versions.js';
import type { Edits, FileEvent, JobName, Millis } from '../core/words.js';
import type { Clock, NetFile, NetFileListener } from '../engine/ports.js';
import { createGathering } from './gathering.js';
import { createIntake, type Look, STABLE_MS } from './intake.js';
import { createLedger } from './ledger.js';
import { localTime } from './localtime.js';
import { textsOf } from './merge.js';
import { type Current, createReader } from './reader.js';
import { createSchedule } from './schedule.js';
import { createStrays } from './strays.js';
import { transplant } from './transplant.js';
import { startWatch, type Watch, type WatchMode } from './watch.js';
import { createWriter } from './writer.js';

/** A file that others change all the time keeps our cells out for so long before that is called a trouble. */
const BUSY_MS = 10_000;
/** At the end a version that somebody is just saving gets this many tries, within this time. */
const FLUSH_TRIES = 4;
const FLUSH_MS_MAX = 15_000;

export interface NetFileOptions {
  /** The real path, links resolved. */
  readonly file: string;
  /** The version that the controller has read. */
  readonly sheet: Sheet;
  /** Folder of this controller's temporary files, on the file system of `file`; null: none could be made. */
  readonly outFolder: string | null;
  /** Where the old bytes are kept while the file is written in place. */
  readonly backup: string;
  /** Where the version is kept that was last written or taken: what differs from it later is an edit. */
  readonly lastGood: string;
  /** When the run began. */
  readonly began: Millis;
  readonly watch: WatchMode;
  /** Nobody has followed the controller. */
  readonly isCurrent: () => boolean;
  readonly clock: Clock;
}

/** What came of one try to write. */
type Tried =
  | { readonly kind: 'done' | 'failed' }
  /** The file has a version that is not written over, or cannot be read: a look will find when that is over. */
  | { readonly kind: 'blocked' }
  /** Somebody may be in the middle of saving. */
  | { readonly kind: 'wait'; readonly ms: number };

export function createNetFile(options: NetFileOptions): NetFile {
  const { file, clock } = options;
  const ledger = createLedger(options.sheet, options.lastGood);
  const schedule = createSchedule(clock);
  const gathering = createGathering(clock);
  let held: Sheet | null = null;
  let listener: NetFileListener | null = null;
  let watch: Watch | null = null;
  let busySince: Millis | null = null;
  let flushTries = FLUSH_TRIES;

  const say = (event: FileEvent) => listener?.event(event);
  const around: Around = {
    now: (job, row) => {
      const cells = listener?.cells(job);
      return cells ? textsOf(cells, row) : null;
    },
    earlier: ledger.earlier,
    began: localTime(options.began),
  };
  const intake = createIntake(ledger.filed, around);
  const strays = createStrays(around);
  const writer = createWriter({
    file,
    temporary: options.outFolder && `${options.outFolder}/new.csv`,
    backup: options.backup,
    strays,
    isCurrent: options.isCurrent,
    clock,
    say,
  });
  const read = createReader({ file, clock, say, onTrouble: intake.forget, lookAgain: scheduleLook });
  const isFiled = ({ form }: Current) => form === ledger.filed().table.text;

  function show(job: JobName, cells: Cells): void {
    ledger.show(job, cells);
    flushTries = FLUSH_TRIES;
    scheduleWrite();
  }

  function scheduleWrite(): void {
    if (!ledger.hasWork()) return;
    schedule.write(gathering.delayMs(), async () => {
      const { kind } = await writeOnce();
      // Whatever else it is, a look will tell.
      if (kind === 'done' || kind === 'failed') scheduleWrite();
    });
  }

  function scheduleLook(ms: number): void {
    schedule.look(ms, look);
  }

  async function look(): Promise<void> {
    await lookAtStrays();
    const current = await read();
    if (!current) return;
    takeLook(current);
    // The file is free again for what could not be written until now.
    if (isFiled(current)) scheduleWrite();
  }

  function takeLook(current: Current): Look {
    const found = intake.look(current, clock.now());
    switch (found.kind) {
      case 'nothing-new':
        break;
      case 'restored':
        held = null;
        say({ type: 'version', outcome: 'restored' });
        break;
      case 'wait':
        isSaving(found.ms);
        break;
      case 'refused':
        held = null;
        busySince = null;
        say(found.event);
        break;
      case 'good':
        offer(found.sheet, found.edits, false);
        break;
    }
    return found;
  }

  /** Somebody is in the middle of saving, as far as we can see. */
  function isSaving(ms: number): void {
    const now = clock.now();
    busySince = ledger.hasWork() ? Math.min(busySince ?? now, now) : null;
    if (busySince !== null && now - busySince >= BUSY_MS) writer.failed('EBUSY');
    scheduleLook(ms);
  }

  function offer(sheet: Sheet, edits: Edits, isAccepted: boolean): void {
    held = adopt(ledger.filed(), sheet, edits, isAccepted) ? null : sheet;
    if (held) intake.hold(sheet.table.text);
    else ledger.file(sheet);
  }

  /** What `next` changes against `base` becomes part of what is known; false: a person must look first. */
  function adopt(base: Sheet, next: Sheet, edits: Edits, isAccepted: boolean): boolean {
    const known = ledger.known();
    const isPlain = base === known;
    const sheet = isPlain ? next : (transplant(base, next, known) ?? next);
    const whole = isPlain ? edits : { ...editsBetween(known, sheet, around), isCutOff: edits.isCutOff };
    const rows = edits.rows.filter(({ job }) => sheet.net.indexes.has(job));
    const version = { net: sheet.net, edits: { ...whole, rows }, isAccepted };
    const answer = listener?.version(version) ?? 'held';
    if (answer === 'held') return false;
    ledger.adopt(sheet, version.edits, answer === 'late');
    return true;
  }

  /** An edit that went astray counts as if it had been made in the file, against what its writer had seen. */
  async function lookAtStrays(): Promise<void> {
    const { found, againMs } = await strays.look(clock.now());
    if (againMs !== null) scheduleLook(againMs);
    for (const { base, sheet } of found) {
      // What a person would have to look at is nowhere to be seen.
      const isAdopted = adopt(base, sheet, editsBetween(base, sheet, around), false);
      if (!isAdopted) say({ type: 'version', outcome: 'restored' });
      intake.reconsider();
      scheduleWrite();
    }
  }

  function acceptHeld(): void {
    clock.after(0, () => schedule.now(acceptNow));
  }

  async function acceptNow(): Promise<void> {
    const current = await read();
    // What was held may be gone meanwhile: nobody has looked at what is there now.
    if (!current || held?.table.text !== current.form) return;
    offer(held, editsBetween(ledger.filed(), held, around), true);
    scheduleWrite();
  }

  async function writeOnce(): Promise<Tried> {
    if (!ledger.hasWork()) return { kind: 'done' };
    const began = clock.now();
    await lookAtStrays();
    const current = await read();
    if (!current) return { kind: 'blocked' };
    if (!isFiled(current)) {
      const found = takeLook(current);
      if (!isFiled(current)) return found.kind === 'wait' ? found : { kind: 'blocked' };
    }
    return await write(current, began);
  }

  async function write(current: Current, began: Millis): Promise<Tried> {
    const draft = ledger.draft();
    if (draft.table.text === current.form) writer.unneeded();
    else {
      const outcome = await writer.write(current, ledger.filed(), draft.table.text);
      if (outcome === 'changed') {
        isSaving(STABLE_MS);
        return { kind: 'wait', ms: STABLE_MS };
      }
      if (outcome === 'failed') {
        gathering.tried();
        return { kind: 'failed' };
      }
    }
    ledger.written(draft);
    busySince = null;
    gathering.written(began);
    return { kind: 'done' };
  }

  function listen(to: NetFileListener): void {
    listener = to;
    watch = startWatch({
      file,
      mode: options.watch,
      clock,
      onHint: () => scheduleLook(0),
      onMode: (mode, why) => say({ type: 'watching', mode, why }),
    });
  }

  async function flush(): Promise<boolean> {
    let waited = 0;
    while (ledger.hasWork() && !schedule.isClosed()) {
      const tried = (await schedule.now(writeOnce)) ?? { kind: 'done' };
      if (tried.kind === 'done') continue;
      const ms = tried.kind === 'wait' ? tried.ms : gathering.retryMs();
      waited += ms;
      // Asked again without anything new to write, it is tried once more and no longer.
      if (tried.kind !== 'wait') flushTries--;
      if (flushTries <= 0 || waited > FLUSH_MS_MAX) break;
      await schedule.pause(ms);
    }
    schedule.cancelWrite();
    scheduleWrite();
    return !ledger.hasWork();
  }

  async function close(): Promise<void> {
    watch?.close();
    await schedule.close();
    await strays.close();
  }

  return { show, listen, acceptHeld, flush, close };
}
