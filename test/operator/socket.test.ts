/** The operator's socket: versions, repeated ids, bad clients. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, NoController } from '../../src/operator/client.js';
import { newSocketPath } from '../../src/operator/place.js';
import { Refused } from '../../src/operator/protocol.js';
import { type Handler, listen } from '../../src/operator/server.js';

async function serve(handlers: Record<string, Handler>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jobnet-socket-'));
  const socket = path.join(folder, 's.sock');
  const errors: Error[] = [];
  const server = await listen(socket, handlers, (error) => errors.push(error));
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { socket, server, errors };
}

/** Sends text as it is and returns the lines that come back until as many as wanted are there, or the end. */
function raw(socket: string, text: string, lines = 1): Promise<string[]> {
  return new Promise((resolve) => {
    const client = createConnection(socket);
    let got = '';
    const done = () => {
      client.destroy();
      resolve(got.split('\n').filter(Boolean));
    };
    client.setEncoding('utf8').on('data', (chunk) => {
      got += chunk;
      if (got.split('\n').length > lines) done();
    });
    client.on('close', done).on('error', done);
    client.write(text);
  });
}

const request = (id: string, command: string, v = 1) => `${JSON.stringify({ v, id, command, args: {} })}\n`;

describe('a request', () => {
  test('gets the result of its command', async () => {
    const { socket } = await serve({ add: ({ a, b }) => Number(a) + Number(b) });
    expect(await ask(socket, 'add', { a: 1, b: 2 })).toMatchObject({ v: 1, ok: true, result: 3 });
  });

  test('SEC-05 with an id that was answered gets the first answer, and is not carried out again', async () => {
    let calls = 0;
    const { socket } = await serve({ count: () => ++calls });
    const lines = await raw(
      socket,
      request('one', 'count') + request('one', 'count') + request('two', 'count'),
      3,
    );
    expect(lines.map((line) => JSON.parse(line).result).sort()).toEqual([1, 1, 2]);
    expect(await raw(socket, request('one', 'count'))).toEqual([lines[0]]);
    expect(calls).toBe(2);
  });

  test('SEC-05 that is repeated while the first is carried out waits for its answer', async () => {
    let calls = 0;
    let letGo = (_: string) => {};
    const gate = new Promise<string>((resolve) => {
      letGo = resolve;
    });
    const { socket } = await serve({
      slow: () => {
        calls++;
        return gate;
      },
    });
    const both = raw(socket, request('one', 'slow') + request('one', 'slow'), 2);
    letGo('done');
    expect((await both).map((line) => JSON.parse(line).result)).toEqual(['done', 'done']);
    expect(calls).toBe(1);
  });

  test('that is refused says why', async () => {
    const { socket, errors } = await serve({
      no: () => {
        throw new Refused('wrong-state', 'nothing is held');
      },
    });
    const answer = await ask(socket, 'no');
    expect(answer).toMatchObject({ ok: false, error: { code: 'wrong-state', message: 'nothing is held' } });
    expect(errors).toEqual([]);
  });

  test('whose command has a fault is answered, and the fault is reported', async () => {
    const { socket, errors } = await serve({
      bad: () => {
        throw new Error('oops');
      },
    });
    expect(await ask(socket, 'bad')).toMatchObject({ ok: false, error: { code: 'failed', message: 'oops' } });
    expect(errors.map((error) => error.message)).toEqual(['oops']);
  });

  test.each([
    ['an unknown command', request('x', 'nope'), 'unknown-command'],
    ['a name of an object member', request('x', 'constructor'), 'unknown-command'],
    ['another version', request('x', 'add', 2), 'version'],
    ['no JSON', 'hello\n', 'bad-request'],
    ['a list', '[]\n', 'bad-request'],
    ['no id', '{"v":1,"command":"add"}\n', 'bad-request'],
  ])('with %s is answered as %s', async (_, text, code) => {
    const { socket } = await serve({ add: () => 1 });
    const [line = ''] = await raw(socket, text);
    expect(JSON.parse(line)).toMatchObject({ v: 1, ok: false, error: { code } });
  });
});

describe('a bad client', () => {
  test('that sends an endless line is cut off, and others are served', async () => {
    const { socket } = await serve({ add: () => 1 });
    expect(await raw(socket, 'x'.repeat(200_000))).toEqual([]);
    expect(await ask(socket, 'add')).toMatchObject({ ok: true });
  });

  test('that goes away before its answer disturbs nobody', async () => {
    const { socket } = await serve({ add: () => new Promise((resolve) => setImmediate(() => resolve(1))) });
    createConnection(socket).end(request('x', 'add'));
    expect(await ask(socket, 'add')).toMatchObject({ ok: true });
  });
});

describe('without a controller', () => {
  test('asking ends in NoController', async () => {
    const { socket, server } = await serve({});
    await server.close();
    await expect(ask(socket, 'add')).rejects.toBeInstanceOf(NoController);
  });

  test('a controller that leaves in the middle of a request ends in NoController', async () => {
    const { socket, server } = await serve({ hang: () => new Promise(() => {}) });
    const asked = ask(socket, 'hang');
    // Its first turn has sent the request.
    await new Promise(setImmediate);
    await Promise.all([expect(asked).rejects.toBeInstanceOf(NoController), server.close()]);
  });
});

describe('the place of the socket', () => {
  const folder = () => {
    const made = mkdtempSync(path.join(tmpdir(), 'jobnet-runtime-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  test('is a folder of the runtime folder that only its user can enter', () => {
    const runtime = folder();
    const socket = newSocketPath({ XDG_RUNTIME_DIR: runtime })!;
    expect(path.dirname(socket)).toBe(path.join(runtime, 'jobnet'));
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
  });

  test('is another one when others may enter that folder, or the path would be too long', () => {
    const runtime = folder();
    mkdirSync(path.join(runtime, 'jobnet'));
    chmodSync(path.join(runtime, 'jobnet'), 0o755);
    const fallback = `/tmp/jobnet-${process.getuid!()}`;
    expect(path.dirname(newSocketPath({ XDG_RUNTIME_DIR: runtime })!)).toBe(fallback);
    const long = path.join(folder(), 'x'.repeat(100));
    expect(path.dirname(newSocketPath({ XDG_RUNTIME_DIR: long })!)).toBe(fallback);
  });

  test('has a new name each time', () => {
    const environment = { XDG_RUNTIME_DIR: folder() };
    expect(newSocketPath(environment)).not.toBe(newSocketPath(environment));
  });
});
