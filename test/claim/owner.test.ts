/** Whose claim may be taken: that of an owner proven dead, and no other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { acquireClaim } from '../../src/claim/claim.js';
import { readStat } from '../../src/host/identity.js';
import { tempFolder } from '../contract/temp-folder.js';
import { DEAD, recordOf, writeRecord } from './records.js';

describe('an owner', () => {
  test.each([
    ['of another boot is dead', { bootId: 'another' }, 'held'],
    ['whose pid belongs to another process now is dead', DEAD, 'held'],
    ['on another host cannot be judged', { host: 'another' }, 'busy'],
    ['on another host cannot be judged, whatever its boot', { host: 'another', bootId: 'another' }, 'busy'],
    ['in another pid namespace cannot be judged', { pidNamespace: 'pid:[1]' }, 'busy'],
    ['in another pid namespace is not taken for the process of that pid here', { pidNamespace: 'pid:[1]', ...DEAD }, 'busy'],
  ])('%s', (_, changes, kind) => {
    const folder = tempFolder();
    writeRecord(folder, '00000001', recordOf(changes));
    expect(acquireClaim(folder, 0).kind).toBe(kind);
  }); // biome-ignore format: a table

  test('that was killed is dead', async () => {
    const folder = tempFolder();
    const child = await owner(folder, 'sleep', ['1000']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(acquireClaim(folder, 0).kind).toBe('held');
  });

  test('that is stopped still holds, and is called frozen', async () => {
    const folder = tempFolder();
    const child = await owner(folder, 'sleep', ['1000']);
    child.kill('SIGSTOP');
    await vi.waitUntil(() => readStat(child.pid!)?.life === 'frozen', 20_000);
    expect(acquireClaim(folder, 0)).toMatchObject({ kind: 'busy', holder: { life: 'frozen' } });
  });

  test('that is a zombie is dead', async () => {
    const folder = tempFolder();
    // A parent that never waits for its child, which ends at once when its input does.
    const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 1000'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(line);
    writeRecord(folder, '00000001', recordOf({ pid, startTime: readStat(pid)!.startTime }));
    parent.stdin.end();
    await vi.waitUntil(() => readStat(pid)?.life === 'dead', 20_000);
    expect(acquireClaim(folder, 0).kind).toBe('held');
  });

  /** A process that is made the owner of claim 1. */
  async function owner(folder: string, command: string, args: string[]): Promise<ChildProcess> {
    const child = spawn(command, args, { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    writeRecord(
      folder,
      '00000001',
      recordOf({ pid: child.pid!, startTime: readStat(child.pid!)!.startTime }),
    );
    return child;
  }
});
