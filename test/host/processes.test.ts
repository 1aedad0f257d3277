/** KIL-05: signals reach only what they are meant for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readStat } from '../../src/host/identity.js';
import { listProcesses, parseEntry, signalGroup, signalProcess } from '../../src/host/processes.js';

/** A process that waits, as the leader of its own group. */
async function waiting() {
  const child = spawn('sh', ['-c', 'echo up; read -r x'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  return { pid: child.pid!, startTime: readStat(child.pid!)!.startTime, ended };
}

describe('no signal is sent', () => {
  const bad = [0, 1, -1, -5, 1.5, Number.NaN, Number(''), Number('abc'), 2 ** 60, process.pid];

  test.each(bad)('to the number %s, as a process or as a group', (pid) => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    const startTime = readStat(process.pid)!.startTime;
    expect([signalProcess({ pid, startTime }, 'SIGTERM'), signalGroup(pid, 'SIGTERM')]).toEqual([
      false,
      false,
    ]);
    expect(kill).not.toHaveBeenCalled();
  });

  test('to the group of this process', () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    expect(signalGroup(readStat(process.pid)!.group, 'SIGTERM')).toBe(false);
    expect(kill).not.toHaveBeenCalled();
  });

  test('to a process that has another start time', async () => {
    const { pid } = await waiting();
    expect(signalProcess({ pid, startTime: '1' }, 'SIGKILL')).toBe(false);
    expect(readStat(pid)?.life).toBe('alive');
  });

  test('to one that is gone', async () => {
    const { pid, startTime, ended } = await waiting();
    signalProcess({ pid, startTime }, 'SIGKILL');
    await ended;
    expect([signalProcess({ pid, startTime }, 'SIGTERM'), signalGroup(pid, 'SIGTERM')]).toEqual([
      false,
      false,
    ]);
  });
});

test('a process that was seen gets its signal', async () => {
  const { pid, ended } = await waiting();
  const seen = listProcesses().find((one) => one.pid === pid)!;
  expect(seen).toMatchObject({ group: pid, life: 'alive', name: 'sh', state: 'S' });
  expect(signalProcess(seen, 'SIGTERM')).toBe(true);
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('a group gets its signal', async () => {
  const { pid, ended } = await waiting();
  expect(signalGroup(pid, 'SIGTERM')).toBe(true);
  expect(await ended).toEqual([null, 'SIGTERM']);
});

describe('a line of ps', () => {
  test('is read', () => {
    expect(parseEntry('  812   811 Ss   Mon Nov 30 09:15:02 2026 /usr/local/bin/my tool')).toEqual({
      pid: 812,
      group: 811,
      startTime: 'Mon Nov 30 09:15:02 2026',
      life: 'alive',
      name: 'my tool',
      state: 'Ss',
    });
  });

  test.each(['', 'PID PGID', '12 x S'])('is passed over when it is none: %j', (line) => {
    expect(parseEntry(line)).toBeNull();
  });
});
