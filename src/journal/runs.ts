/** The folders of runs: runs/YYYY-MM/RUN with run.json, journal/, attempts/, exits/ and, at the end, summary.json. */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { JobStatus, Millis, RunEnd } from '../core/words.js';
import { createDurably, hasCode, makeFolder, namesIn, syncFolder } from '../host/durable.js';
import { FORMAT } from './lines.js';
import type { StateFolder } from './statefolder.js';

/** What is fixed when a run is made; `jobnet logs` shows it above a log. */
export interface RunRecord {
  readonly format: number;
  readonly run: string;
  /** Epoch of the controller that made it; among the runs of a net the latest has the highest. */
  readonly epoch: number;
  readonly startedAt: Millis;
  readonly file: string;
  readonly folder: string;
  readonly user: string;
  readonly path: string;
  readonly locale: string;
  readonly shell: string;
  readonly version: string;
}

export interface RunFolder {
  readonly id: string;
  readonly epoch: number;
  readonly path: string;
  readonly journal: string;
}

export interface RunSummary {
  readonly format: number;
  readonly run: string;
  readonly state: RunEnd;
  readonly startedAt: Millis;
  readonly endedAt: Millis;
  readonly counts: Readonly<Record<JobStatus, number>>;
}

/** YYYYMMDD-HHMMSS-EPOCH in local time: sorts by time for people, is unique by its epoch. */
export function runId(at: Millis, epoch: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}-${epoch}`;
}

const RUN = /^(\d{4})(\d{2})\d{2}-\d{6}-(\d+)$/;

function runFolder(state: StateFolder, id: string): RunFolder | null {
  const match = RUN.exec(id);
  if (!match) return null;
  const own = path.join(state.runs, `${match[1]}-${match[2]}`, id);
  return { id, epoch: Number(match[3]), path: own, journal: path.join(own, 'journal') };
}

/** Makes the folder of a new run; it is one once its journal has a first line. */
export function createRun(state: StateFolder, record: RunRecord): RunFolder {
  const folder = runFolder(state, record.run)!;
  makeFolder(folder.journal);
  createDurably(path.join(folder.path, 'run.json'), `${JSON.stringify(record, null, 2)}\n`);
  for (const holder of [folder.path, path.dirname(folder.path), state.runs]) syncFolder(holder);
  return folder;
}

/** All runs, the newest first. */
export function listRuns(state: StateFolder): RunFolder[] {
  const months = namesIn(state.runs).filter((name) => /^\d{4}-\d{2}$/.test(name));
  const ids = months.flatMap((month) => namesIn(path.join(state.runs, month)));
  return ids.flatMap((id) => runFolder(state, id) ?? []).sort((a, b) => b.epoch - a.epoch);
}

/** A run of a newer format cannot be read by this version. */
export class NewerFormat extends Error {
  constructor(readonly file: string) {
    super(`${file} was written by a newer version`);
    this.name = 'NewerFormat';
  }
}

/** Null when the run was never finished being made. */
export function readRunRecord(run: RunFolder): RunRecord | null {
  const file = path.join(run.path, 'run.json');
  const record = readJson<RunRecord>(file);
  if (record && record.format > FORMAT) throw new NewerFormat(file);
  return record;
}

export function readSummary(run: RunFolder): RunSummary | null {
  return readJson<RunSummary>(path.join(run.path, 'summary.json'));
}

/** Replaces the summary as a whole. */
export function writeSummary(run: RunFolder, summary: RunSummary): void {
  const temporary = path.join(run.path, 'summary.json.new');
  rmSync(temporary, { force: true });
  createDurably(temporary, `${JSON.stringify(summary, null, 2)}\n`);
  renameSync(temporary, path.join(run.path, 'summary.json'));
  syncFolder(run.path);
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return null;
    throw error;
  }
}
