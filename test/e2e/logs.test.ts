/** Logs that are large, endless, cut or emptied. Cases LOG-01 to 03 of the field. */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { journalOf } from './journal.js';
import { createBench, csvOf, type NetBench, until } from './workbench.js';

const hasScript = spawnSync('script', ['--version']).status === 0;
const MB = 1024 * 1024;
const MAIN = path.resolve('dist/cli/main.js');
const USAGE = fileURLToPath(new URL('./usage.cjs', import.meta.url));
/** A command has 60 to 100 MB; one that keeps an output of these tests in memory has more than this. */
const PEAK_BYTES_MAX = 160_000_000;

/** The environment of a command with little memory, and what it has used. */
function withLittleMemory(net: NetBench) {
  const file = path.join(net.folder, 'usage');
  const usage = (): { peakBytes: number; readBytes: number } => JSON.parse(readFileSync(file, 'utf8'));
  return {
    env: {
      NODE_OPTIONS: `--max-old-space-size=64 --require "${USAGE}"`,
      JOBNET_TEST_USAGE: file,
    },
    peak: () => usage().peakBytes,
    read: () => usage().readBytes,
  };
}

function logOf(net: NetBench, job: string, attempt = 1): string {
  const runs = path.join(net.folder, '.jobnet/jobnet.csv/runs');
  const names = readdirSync(runs, { recursive: true, encoding: 'utf8' });
  return path.join(runs, names.find((name) => name.endsWith(`/${job}.${attempt}.log`))!);
}

/** A job that prints, says so, and goes on when the test lets it. */
function steps(net: NetBench, ...commands: string[]) {
  const job = net.steered('A');
  const wait = "echo up >'A.up'\nread code <'A.down'\n";
  net.script('A', `#!/bin/sh\n${commands.map((command) => `${command}\n${wait}`).join('')}exit "$code"\n`);
  return job;
}

/** How many bytes the command printed, and how they end; its reader is slower than the disk. */
async function bytesOf(net: NetBench, env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: net.folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let bytes = 0;
  let end = '';
  for await (const piece of child.stdout) {
    bytes += piece.length;
    end = piece.subarray(-16).toString('latin1');
  }
  return { bytes, end };
}

/** What comes out behind a pipe. */
async function pipedInto(net: NetBench, env: Record<string, string>, args: string, reader: string) {
  const child = spawn('/bin/sh', ['-c', `'${process.execPath}' '${MAIN}' ${args} | ${reader}`], {
    cwd: net.folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  for await (const piece of child.stdout) out += piece;
  return out;
}

describe('LOG-01 a chatty job', () => {
  test('ends with 0 and a whole log, and nothing of its output passes through the controller', async () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\nseq 1 20000000\n');
    const { env, peak } = withLittleMemory(net);
    const { code } = await net.startWith({ env }, 'start').finished;
    expect(code).toBe(0);
    expect(statSync(logOf(net, 'A')).size).toBe(168_888_897);
    expect(peak()).toBeLessThan(PEAK_BYTES_MAX);
    const printed = await bytesOf(net, env, 'logs', 'A');
    expect(printed).toEqual({ bytes: 168_888_897, end: expect.stringMatching(/\n20000000\n$/) });
    expect(peak()).toBeLessThan(PEAK_BYTES_MAX);
  });

  test('with one endless line is the same', async () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', "#!/bin/sh\nhead -c 200000000 /dev/zero | tr '\\0' x\n");
    const { env, peak } = withLittleMemory(net);
    expect((await net.startWith({ env }, 'start').finished).code).toBe(0);
    expect(await bytesOf(net, env, 'logs', 'A')).toEqual({ bytes: 200_000_000, end: 'x'.repeat(16) });
    expect(peak()).toBeLessThan(PEAK_BYTES_MAX);
    // A line of more than 1 MB counts as several.
    const { bytes } = await bytesOf(net, env, 'logs', 'A', '-n', '1');
    expect(bytes).toBeGreaterThanOrEqual(MB);
    expect(bytes).toBeLessThan(2 * MB);
  });

  test('is cut at the cap while it runs, also by the controller that takes it over', async () => {
    const net = createBench(csvOf([['A']]));
    const a = steps(net, 'seq 1 2000', 'seq 3001 6000', 'echo behind');
    const first = net.start('start', '--log-max', '2k');
    await a.started();
    const log = logOf(net, 'A');
    await until(() => statSync(log).size < 2048);
    expect(readFileSync(log, 'utf8')).toMatch(/^1\n2\n[\d\n]+\n\[jobnet\] \d+ bytes dropped here/);
    await until(() => journalOf(net).some((event) => event.type === 'running'));
    first.child.kill('SIGKILL');
    await first.finished;
    await a.exit(0);
    await a.started();
    const resumed = net.start('resume', '--log-max', '2K');
    await until(() => statSync(log).size < 2048);
    await a.exit(0);
    await a.started();
    await a.exit(0);
    expect((await resumed.finished).code).toBe(0);
    const text = readFileSync(log, 'utf8');
    expect(text.match(/\[jobnet\]/g)).toHaveLength(1);
    expect(text).toMatch(/^1\n2\n[\d\n]+\n\[jobnet\] \d+ bytes dropped here.*\nbehind\n$/);
    // Kept, dropped and what came last are all that was printed.
    const dropped = Number(/\] (\d+) bytes/.exec(text)?.[1]);
    const kept = text.indexOf('[jobnet]');
    expect(kept + dropped).toBe(8893 + 15_000);
    const own = readFileSync(path.join(net.folder, '.jobnet/jobnet.csv/controller.log'), 'utf8');
    expect(own.match(/a log was cut/g)).toHaveLength(2);
  });

  test.each(['10', '1.5M', '10MB', '-1', ''])('--log-max %j is refused', (size) => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    const { code, err } = net.run('start', '--log-max', size);
    expect(code).toBe(2);
    expect(err).toContain('a size of 1k or more');
    expect(existsSync(path.join(net.folder, '.jobnet'))).toBe(false);
  });

  test.each(['none', '0', '500k', '10M', '1g', '4096'])('--log-max %s is taken', (size) => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    expect(net.run('start', '--log-max', size).code).toBe(0);
  });
});

describe('LOG-02 a log of 2 GB', () => {
  /** Sparse, so that it costs no space: its middle is one line of NUL bytes. */
  function given() {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\necho first\n');
    net.run('start');
    truncateSync(logOf(net, 'A'), 2 ** 31);
    appendFileSync(logOf(net, 'A'), '\nlast\n');
    return net;
  }

  test('goes through a pipe as it is, with little memory', async () => {
    const net = given();
    const { env, peak } = withLittleMemory(net);
    expect(await pipedInto(net, env, 'logs A', 'wc -c')).toBe(`${2 ** 31 + 6}\n`);
    expect(peak()).toBeLessThan(PEAK_BYTES_MAX);
  });

  test('shows its last lines without being read', async () => {
    const net = given();
    const { env, read } = withLittleMemory(net);
    const printed = await net.startWith({ env }, 'logs', 'A', '-n', '1').finished;
    expect(printed.out).toBe('last\n');
    expect(read()).toBeLessThan(64 * MB);
    expect(net.run('logs', 'A', '--lines', '0').out).toBe('');
  });

  test('is read no further when nobody reads its output', async () => {
    const net = given();
    const { env, read } = withLittleMemory(net);
    expect(await pipedInto(net, env, 'logs A', 'head -n 1')).toBe('first\n');
    // The shell ends when the whole pipe has.
    expect(await until(() => existsSync(env.JOBNET_TEST_USAGE) && read())).toBeLessThan(64 * MB);
  });

  test.skipIf(!hasScript && !process.env['CI'])(
    'can be looked at on a terminal: a hole at its beginning is said in one line',
    async () => {
      const net = given();
      truncateSync(logOf(net, 'A'), 0);
      truncateSync(logOf(net, 'A'), 2 ** 30);
      appendFileSync(logOf(net, 'A'), 'after the hole\n');
      const { code, out } = await net.terminal('logs A --no-head').finished;
      expect(code).toBe(0);
      expect(out).toBe('[1073741824 NUL bytes at the beginning are left out]\r\nafter the hole\r\n');
    },
  );
});

describe('LOG-03 a log that is emptied under a running job (copytruncate)', () => {
  test('has no NUL bytes at its beginning, and who follows it sees what comes then', async () => {
    const net = createBench(csvOf([['A']]));
    const a = steps(net, 'seq 1 1000', 'echo second', 'echo third');
    const running = net.start('start');
    await a.started();
    const following = net.start('logs', 'A', '-f');
    await following.said('\n1000\n');
    truncateSync(logOf(net, 'A'), 0);
    await a.exit(0);
    await a.started();
    await following.said('\nsecond\n');
    expect(readFileSync(logOf(net, 'A'), 'latin1')).toBe('second\n');
    await a.exit(0);
    await a.started();
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    const { code, out, err } = await following.finished;
    expect(code).toBe(0);
    expect(out.endsWith('\n999\n1000\nsecond\nthird\n')).toBe(true);
    expect(err).toContain('the log became shorter');
  });

  test('which was cut at the cap is followed behind the cut: nothing is printed twice', async () => {
    const net = createBench(csvOf([['A']]));
    const a = steps(net, 'seq 1 2000', 'echo behind');
    const running = net.start('start', '--log-max', '2k');
    await a.started();
    const following = net.start('logs', 'A', '-f');
    await following.said('\n2000\n');
    await following.said('bytes dropped here');
    await a.exit(0);
    await a.started();
    await a.exit(0);
    expect((await running.finished).code).toBe(0);
    const { out } = await following.finished;
    expect(out).toMatch(/\n1999\n2000\n\[jobnet\] \d+ bytes dropped here.*\nbehind\n$/);
    expect(out.match(/^1\n/gm)).toHaveLength(1);
  });
});

describe('logs -n', () => {
  test('prints the last lines, and with -f what comes then', async () => {
    const net = createBench(csvOf([['A']]));
    const a = steps(net, 'seq 1 1000', 'echo more');
    const running = net.start('start');
    await a.started();
    expect(net.run('logs', 'A', '-n', '2').out).toBe('999\n1000\n');
    const following = net.start('logs', 'A', '-f', '-n', '1');
    await following.said('1000\n');
    await a.exit(0);
    await a.started();
    await a.exit(0);
    await running.finished;
    expect((await following.finished).out).toBe('1000\nmore\n');
  });
});
