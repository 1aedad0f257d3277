import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGate, isGone, isLinux, script, startChild, tempFolder, until } from './support.js';

let program = '';
let programFolder = '';

beforeAll(async () => {
  programFolder = mkdtempSync(path.join(tmpdir(), 'jobnet-test-'));
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('controller.ts', import.meta.url)),
      outDir: programFolder,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'controller.mjs' } },
    },
  });
  program = path.join(programFolder, 'controller.mjs');
});

afterAll(() => rmSync(programFolder, { recursive: true, force: true }));

/** A controller in a session of its own, with the jobs J and K. */
function startController(environment: Record<string, string> = {}, ...limits: string[]) {
  const folder = tempFolder();
  const gate = createGate(path.join(folder, 'gate'));
  script(path.join(folder, 'jobs', 'J'), '#!/bin/sh\necho up >>up\nread -r code <gate\nexit "$code"\n');
  script(path.join(folder, 'jobs', 'K'), '#!/bin/sh\nexit 0\n');
  const command = [...limits, process.execPath, program, folder];
  const env = { ...process.env, ...environment };
  const start = (...jobs: string[]) => {
    const child = startChild(command[0]!, [...command.slice(1), ...jobs], { env, detached: true });
    let said = '';
    child.stdout!.on('data', (text) => {
      said += text;
    });
    return { child, said: () => said.trimEnd().split('\n') };
  };
  const records = (launcher: string) =>
    readFileSync(path.join(folder, 'run', 'exits', launcher), 'utf8').trimEnd();
  return { folder, gate, start, records };
}

const launchersOf = (said: readonly string[]) =>
  said.flatMap((line) => (line.startsWith('launcher ') ? [Number(line.slice(9))] : []));

describe('when the controller is killed', () => {
  test.each(['SIGKILL', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGTERM'] as const)(
    'with its whole group by %s, a launcher finishes its job, records the end and leaves',
    async (signal) => {
      const { gate, start, records } = startController();
      const { child, said } = start('J');
      await until(() => said().includes('J.1 running'));
      process.kill(-child.pid!, signal);
      await once(child, 'close');
      gate.open('9');
      const [launcher] = launchersOf(said());
      await until(() => isGone(launcher!));
      expect(records('7-1').split('\n').at(-1)).toBe('E 9 J.1');
    },
  );

  test('its idle launchers leave at once', async () => {
    const { start } = startController();
    const { child, said } = start('K');
    await until(() => said().includes('K.1 exited'));
    child.kill('SIGKILL');
    const [launcher] = launchersOf(said());
    expect(await until(() => isGone(launcher!))).toBe(true);
  });
});

test('a controller that has let go may leave while its job goes on', async () => {
  const { gate, start, records } = startController({ LETS_GO: 'yes' });
  const { child, said } = start('J');
  const [code] = await once(child, 'exit');
  gate.open('9');
  const [launcher] = launchersOf(said());
  await until(() => isGone(launcher!));
  expect([code, records('7-1').split('\n').at(-1)]).toEqual([0, 'E 9 J.1']);
});

describe.skipIf(!isLinux)('when descriptors run out', () => {
  const MOST = 14;
  const few = ['/bin/sh', '-c', 'ulimit -n 256; exec "$0" "$@"'];

  async function starve(): Promise<string[]> {
    const { start } = startController({ STARVE: String(MOST) }, ...few);
    const { child, said } = start('K', 'J');
    await once(child, 'close');
    return said();
  }

  test('every attempt has an end, however few are left, and the controller lives to its own end', async () => {
    const said = await starve();
    const ends = said.filter((line) => /^K\.\d+ (exited|not-started)$/.test(line));
    expect([ends.length, said.at(-1)]).toEqual([MOST + 2, 'closed']);
  });

  test('nothing starts without any, and everything with enough of them', async () => {
    const ends = (await starve()).filter((line) => line.startsWith('K.'));
    expect([ends[0], ends.at(-1)]).toEqual(['K.1 not-started', `K.${MOST + 2} exited`]);
  });

  test('a script that cannot be read for want of them is not refused', async () => {
    expect(await starve()).toContain('look shortage');
  });
});
