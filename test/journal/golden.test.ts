/** Journals of every format that was ever released are read for ever. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { replay } from '../../src/core/replay.js';
import { indexesByDefinition } from '../../src/core/state.js';
import { readJournal } from '../../src/journal/replay.js';
import { readRunRecord, readSummary } from '../../src/journal/runs.js';
import { good } from '../core/sheets.js';

const NET = `job,status,prev1,prev2
kept,9,Start,
mended,9,,
extract,9,,
load,9,,
日次 集計,9,extract,
refused,9,,
lost,9,,
report,9,日次 集計,
closing,9,report,lost
`;

const BEGAN = Date.UTC(2026, 10, 30, 13);
const later = (ms: number) => BEGAN + ms;

describe('the journal of format 1', () => {
  const folder = fileURLToPath(new URL('golden/format-1', import.meta.url));
  const run = { id: '20261130-220000-3', epoch: 3, path: folder, journal: `${folder}/journal` };
  const journal = readJournal(run.journal);
  const state = replay(good(NET).net, journal.records);

  test('ends where it ended', () => {
    expect([journal.tail, journal.nextSeq, journal.records.length]).toEqual([
      { epoch: 6, part: 1, bytes: 483 },
      56,
      51,
    ]);
  });

  test('leads to the same jobs', () => {
    const refused = { kind: 'not-executable', path: '/srv/net/jobs/refused', mode: '644' };
    expect(Object.fromEntries(state.net.names.map((name, index) => [name, state.jobs[index]]))).toEqual({
      kept: { status: 'ended', attempt: 0, startedAt: null, endedAt: null },
      mended: { status: 'ended', attempt: 1, startedAt: later(1000), endedAt: later(1500) },
      extract: { status: 'ended', attempt: 1, startedAt: later(500), endedAt: later(1000) },
      load: { status: 'ended', attempt: 2, startedAt: later(63_900), endedAt: later(64_400) },
      '日次 集計': { status: 'ended', attempt: 2, startedAt: later(2250), endedAt: later(3250) },
      refused: {
        status: 'abended',
        attempt: 1,
        startedAt: null,
        endedAt: later(2750),
        reason: { kind: 'refused', problem: refused },
      },
      lost: {
        status: 'abended',
        attempt: 1,
        startedAt: later(3000),
        endedAt: null,
        reason: { kind: 'lost' },
      },
      report: { status: 'ended', attempt: 3, startedAt: later(3_725_000), endedAt: later(3_726_000) },
      closing: { status: 'waiting', attempts: 0 },
    });
  });

  test('leads to the same job that has left the net since', () => {
    expect([...state.departed]).toEqual([
      ['gone', { status: 'ended', attempt: 1, startedAt: later(1250), endedAt: later(1750) }],
    ]);
  });

  test('leads to the same run', () => {
    expect(state.run).toEqual({
      mode: 'resume',
      limit: 4,
      keepGoing: false,
      failFast: false,
      stopping: null,
      paused: null,
      closed: 'abended',
      file: null,
      watching: null,
      unwritten: null,
      inPlace: null,
    });
  });

  test('knows the same launchers', () => {
    expect([...state.launchers.values()].map(({ launcher, pid }) => [launcher, pid])).toEqual([
      ['3-1', 4101],
      ['3-2', 4102],
      ['4-1', 5201],
      ['6-1', 6301],
    ]);
  });

  test('leads to indexes that are true', () => {
    expect(indexesByDefinition(state)).toEqual({
      unsettled: state.unsettled,
      intended: state.intended,
      live: state.live,
      counts: state.counts,
    });
  });

  test('had stopped when its second controller left', () => {
    const { run: facts, counts } = replay(good(NET).net, readJournal(run.journal, 5).records);
    expect([facts.closed, facts.stopping, counts.ended, counts.abended]).toEqual(['stopped', 'INT', 5, 2]);
  });

  test('has its record and its summary', () => {
    expect([readRunRecord(run)?.startedAt, readSummary(run)?.state]).toEqual([BEGAN, 'abended']);
  });
});
