import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMAT } from '../../src/journal/lines.js';
import {
  createRun,
  listRuns,
  NewerFormat,
  readRunRecord,
  readSummary,
  writeSummary,
} from '../../src/journal/runs.js';
import { tempFolder } from '../contract/temp-folder.js';
import { recordOf, stateIn, summaryOf } from './state.js';

const NOON = new Date(2026, 10, 30, 12, 0, 0).getTime();
const HOUR = 60 * 60 * 1000;

describe('a run', () => {
  test('has an id of its local time and its epoch', () => {
    expect(recordOf(NOON, 7).run).toBe('20261130-120000-7');
  });

  test('lies in the folder of its month', () => {
    const state = stateIn(tempFolder());
    expect(createRun(state, recordOf(NOON, 7)).path).toBe(
      path.join(state.runs, '2026-11', '20261130-120000-7'),
    );
  });

  test('has a record and a folder for its journal', () => {
    const run = createRun(stateIn(tempFolder()), recordOf(NOON, 7));
    expect(readdirSync(run.path).sort()).toEqual(['journal', 'run.json']);
  });

  test('is read as it was recorded', () => {
    const run = createRun(stateIn(tempFolder()), recordOf(NOON, 7));
    expect(readRunRecord(run)).toEqual(recordOf(NOON, 7));
  });

  test('is made once', () => {
    const state = stateIn(tempFolder());
    createRun(state, recordOf(NOON, 7));
    expect(() => createRun(state, recordOf(NOON, 7))).toThrow('EEXIST');
  });
});

describe('the runs', () => {
  test('are listed with the newest first', () => {
    const state = stateIn(tempFolder());
    for (const epoch of [1, 2, 10]) createRun(state, recordOf(NOON + epoch * HOUR, epoch));
    expect(listRuns(state).map(({ epoch }) => epoch)).toEqual([10, 2, 1]);
  });

  test('are ordered by epoch, although the clock went back between them', () => {
    const state = stateIn(tempFolder());
    createRun(state, recordOf(NOON, 1));
    createRun(state, recordOf(NOON - 40 * 24 * HOUR, 2));
    expect(listRuns(state)[0]!.epoch).toBe(2);
  });

  test('are none where there is no state', () => {
    expect(listRuns(stateIn(path.join(tempFolder(), 'none')))).toEqual([]);
  });

  test('do not include folders and files of other names', () => {
    const state = stateIn(tempFolder());
    for (const name of [
      '2026-11/notes',
      '2026-11/20261130-120000',
      'other/20261130-120000-9',
      '2026-11/x-1-1',
    ]) {
      mkdirSync(path.join(state.runs, name), { recursive: true });
    }
    writeFileSync(path.join(state.runs, 'README'), '');
    expect(listRuns(state)).toEqual([]);
  });
});

describe('a run that was never finished being made', () => {
  test.each([
    ['has no record', null],
    ['has an empty record', ''],
    ['has half a record', '{"format": 1, "ru'],
  ])('has none to be read: it %s', (_, text) => {
    const state = stateIn(tempFolder());
    const run = createRun(state, recordOf(NOON, 7));
    const unfinished = { ...run, path: path.join(state.runs, '2026-11', '20261130-120000-8') };
    mkdirSync(unfinished.path);
    if (text !== null) writeFileSync(path.join(unfinished.path, 'run.json'), text);
    expect(readRunRecord(unfinished)).toBeNull();
  });
});

describe('a run of a newer format', () => {
  test('is refused with the name of its file', () => {
    const run = createRun(stateIn(tempFolder()), { ...recordOf(NOON, 7), format: FORMAT + 1 });
    expect(() => readRunRecord(run)).toThrow(new NewerFormat(path.join(run.path, 'run.json')));
  });
});

describe('a summary', () => {
  test('is read as it was written', () => {
    const run = createRun(stateIn(tempFolder()), recordOf(NOON, 7));
    writeSummary(run, summaryOf(NOON, 7, 'ended'));
    expect(readSummary(run)).toEqual(summaryOf(NOON, 7, 'ended'));
  });

  test('is replaced as a whole', () => {
    const run = createRun(stateIn(tempFolder()), recordOf(NOON, 7));
    writeSummary(run, summaryOf(NOON, 7, 'abended'));
    writeSummary(run, summaryOf(NOON, 7, 'ended'));
    expect(readSummary(run)?.state).toBe('ended');
  });

  test('leaves no other file behind', () => {
    const run = createRun(stateIn(tempFolder()), recordOf(NOON, 7));
    writeSummary(run, summaryOf(NOON, 7, 'ended'));
    expect(readdirSync(run.path).sort()).toEqual(['journal', 'run.json', 'summary.json']);
  });

  test('is written although a crash left half of one', () => {
    const run = createRun(stateIn(tempFolder()), recordOf(NOON, 7));
    writeFileSync(path.join(run.path, 'summary.json.new'), '{"for');
    writeSummary(run, summaryOf(NOON, 7, 'ended'));
    expect(JSON.parse(readFileSync(path.join(run.path, 'summary.json'), 'utf8')).state).toBe('ended');
  });

  test('is none before the end', () => {
    expect(readSummary(createRun(stateIn(tempFolder()), recordOf(NOON, 7)))).toBeNull();
  });
});
