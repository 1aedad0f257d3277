/** The controller's own log, and the loss of its output. Case LOG-06 of the field. */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBench, csvOf, type NetBench, until } from './workbench.js';

const MAIN = path.resolve('dist/cli/main.js');
const CHAIN = csvOf([['A'], ['B', 'A'], ['C', 'B'], ['D', 'C']]);
const hasScript = spawnSync('script', ['--version']).status === 0;

function givenChain() {
  const net = createBench(CHAIN, { jobs: ['B', 'C', 'D'] });
  const a = net.steered('A');
  const file = path.join(net.folder, '.jobnet/jobnet.csv/controller.log');
  return { net, a, file, log: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

/** Runs `start` in a shell; the code is that of `start`, whatever it is piped into. */
function inShell(net: NetBench, redirection: string): { code: Promise<number> } {
  const line = `{ '${process.execPath}' '${MAIN}' start; echo $? >code; } ${redirection}`;
  const child = spawn('/bin/sh', ['-c', line], { cwd: net.folder, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = new Promise((resolve) => child.on('close', resolve));
  return { code: closed.then(() => Number(readFileSync(path.join(net.folder, 'code'), 'utf8'))) };
}

/** Sends HUP to the controller of a net. */
function hangUp(net: NetBench): void {
  process.kill(net.statusJson().controller!.pid, 'SIGHUP');
}

describe('LOG-06 output that nobody reads any more', () => {
  test.each([
    ['| head -n 2', ['stdout: EPIPE']],
    ['2>&1 | head -n 1', ['stdout: EPIPE']],
    ['>/dev/full', ['stdout: ENOSPC']],
  ])('start %s: the run goes on, and it is noted once', async (redirection, lost) => {
    const { net, a, log } = givenChain();
    const { code } = inShell(net, redirection);
    await a.started();
    await a.exit(0);
    expect(await code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C', 'D']);
    const lines = log().trim().split('\n');
    const noted = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg?.startsWith('terminal lost'));
    expect(noted.map(({ how }) => how)).toEqual(lost);
  });
});

describe('LOG-06 HUP', () => {
  test('without a terminal opens the log again; the output goes on', async () => {
    const { net, a, file, log } = givenChain();
    // In a session of its own, as from cron or a service manager.
    expect(net.run('start', '--background').code).toBe(0);
    await a.started();
    renameSync(file, `${file}.moved`);
    hangUp(net);
    await until(() => log().includes('opened again'));
    await a.exit(0);
    await until(() => net.statusJson().run?.state === 'ended');
    await until(() => log().includes('run closed'));
    expect(readFileSync(`${file}.moved`, 'utf8')).not.toContain('run closed');
    expect(log()).not.toContain('terminal lost');
    const output = path.join(net.folder, '.jobnet/jobnet.csv/background.log');
    await until(() => readFileSync(output, 'utf8').includes('All 4 jobs ended normally'));
  });

  test.skipIf(!hasScript && !process.env['CI'])(
    'with a terminal means that it is lost, once (needs script of util-linux)',
    async () => {
      const { net, a, log } = givenChain();
      const running = net.terminal('start');
      await a.started();
      hangUp(net);
      await until(() => log().includes('terminal lost'));
      hangUp(net);
      hangUp(net);
      await a.exit(0);
      expect((await running.finished).code).toBe(0);
      expect(log().match(/terminal lost/g)).toHaveLength(1);
      expect(net.effects()).toEqual(['A', 'B', 'C', 'D']);
    },
  );
});

describe('LOG-06 a log that cannot be written', () => {
  test('does not hinder the run; what was lost is said when it can be written again', async () => {
    const { net, a, file, log } = givenChain();
    mkdirSync(file, { recursive: true });
    const running = net.start('start');
    await a.started();
    rmdirSync(file);
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B', 'C', 'D']);
    expect(log()).toMatch(/"lines":\d+,"code":"EISDIR","msg":"lines of this log could not be written"/);
    expect(log()).toContain('run closed');
  });

  test('to the end of the run is no fault of the run', async () => {
    const { net, a, file } = givenChain();
    mkdirSync(file, { recursive: true });
    const running = net.start('start');
    await a.started();
    await a.exit(0);
    expect(await running.finished).toMatchObject({ code: 0, err: '' });
  });
});

describe('LOG-06 rotation', () => {
  test.each([
    ['controller.log', []],
    ['background.log', ['--background']],
  ])('a large %s gets another name when a controller starts', async (name, options) => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    const folder = path.join(net.folder, '.jobnet/jobnet.csv');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), 'x'.repeat(10 * 1024 * 1024));
    writeFileSync(path.join(folder, `${name}.4`), 'the oldest');
    writeFileSync(path.join(folder, `${name}.3`), 'the one before');
    expect(net.run('start', ...options).code).toBe(0);
    await until(() => net.statusJson().run?.state === 'ended');
    expect(
      readdirSync(folder)
        .filter((one) => one.startsWith(name))
        .sort(),
    ).toEqual([name, `${name}.1`, `${name}.4`]);
    expect(readFileSync(path.join(folder, `${name}.1`), 'utf8')).toMatch(/^x+$/);
    expect(readFileSync(path.join(folder, `${name}.4`), 'utf8')).toBe('the one before');
    expect(readFileSync(path.join(folder, name), 'utf8')).not.toContain('xxx');
  });
});
