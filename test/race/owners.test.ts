/** Whose pid it is: one that belongs to another program now, and the same one after a restart. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acquireClaim } from '../../src/claim/claim.js';
import { runSteps } from '../../src/claim/steps.js';
import { readStat } from '../../src/host/identity.js';
import { recordOf, writeRecord } from '../claim/records.js';
import { tempFolder } from '../contract/temp-folder.js';
import { walk } from './halting.js';
import { candidate, createHost } from './ours.js';
import { takeMkdirLock } from './recipes/mkdir-lock.js';

function recipe(pid: number) {
  const folder = path.join(tempFolder(), 'lock');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'pid'), `${pid}\n`);
  return walk(takeMkdirLock({ folder, pid: process.pid, isOld: true })).end();
}

/** What becomes of a lock that is held by the record. */
function ours(changes: Parameters<typeof recordOf>[0]) {
  const folder = tempFolder();
  writeRecord(folder, '00000001', recordOf(changes));
  return acquireClaim(folder, 0).kind;
}

async function anotherProgram(): Promise<number> {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid!;
}

describe('LOC-02: the pid belongs to another program now', () => {
  test('the recipe: it is held for ever', async () => {
    expect(recipe(await anotherProgram())).toBe('busy');
  });

  test('ours: it is stale', async () => {
    expect(ours({ pid: await anotherProgram(), startTime: '1' })).toBe('held');
  });

  test('ours: it is held while it is that very program', async () => {
    const pid = await anotherProgram();
    expect(ours({ pid, startTime: readStat(pid)!.startTime })).toBe('busy');
  });

  describe('of another user, to whom no signal may be sent', () => {
    test.each([
      ['another start time: it is stale', '1', 'held'],
      ['the same start time: it is held', null, 'busy'],
    ])('ours: %s', async (_, startTime, kind) => {
      const folder = tempFolder();
      chmodSync(folder, 0o777);
      // Process 1 is the system's; where the tests are the system themselves, somebody else looks.
      const owner = recordOf({ pid: 1, startTime: startTime ?? readStat(1)!.startTime });
      writeRecord(folder, '00000001', owner);
      chmodSync(path.join(folder, '00000001'), 0o644);
      const someone = process.getuid?.() === 0 ? { AS_USER: '65534' } : {};
      const child = fork(fileURLToPath(new URL('../claim/victim.mjs', import.meta.url)), {
        execArgv: [],
        env: { ...process.env, ...someone },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const answer = once(child, 'message');
      child.send(folder);
      expect((await answer)[0]).toBe(kind);
    });
  });
});

describe('LOC-03: a container starts again and has the same pid', () => {
  test('the recipe: it waits for itself for ever', () => {
    expect(recipe(process.pid)).toBe('busy');
  });

  test('ours: the same host and pid with another start are stale', () => {
    expect(ours({ startTime: '1' })).toBe('held');
  });

  test('ours: another host with the same pid is not judged by the processes here', () => {
    expect([ours({ host: 'abc' }), ours({ host: 'abc', startTime: '1' })]).toEqual(['busy', 'busy']);
  });

  test('ours: two containers on one volume, both with this pid: one holds', () => {
    expect(ours({ pidNamespace: 'pid:[1]' })).toBe('busy');
  });

  test("ours: another host's lease is over when its time is, whatever pid it has", () => {
    const folder = tempFolder();
    const host = createHost();
    writeRecord(folder, '00000001', recordOf({ host: 'abc', kind: 'both', ttlMs: 5000 }));
    const wanting = candidate(folder, 5000, { host: 'def' });
    const first = runSteps(wanting.look(), host.files).kind;
    host.pass(4999);
    const early = runSteps(wanting.look(), host.files).kind;
    host.pass(1);
    expect([first, early, runSteps(wanting.look(), host.files).kind]).toEqual([
      'watching',
      'watching',
      'held',
    ]);
  });
});
