/** A command's side of the operator's socket. */
import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { type Answer, createLineReader, VERSION } from './protocol.js';

/** Nobody listens there: the controller has left, or died. */
export class NoController extends Error {
  constructor(readonly path: string) {
    super(`nobody listens at ${path}`);
    this.name = 'NoController';
  }
}

/** A controller that is stopped, or busy for so long, does not answer. */
const PATIENCE_MS = 10_000;

/**
 * Sends one request and returns its answer.
 * @param patienceMs how long the answer may take
 * @throws NoController
 */
export function ask(
  path: string,
  command: string,
  args: Readonly<Record<string, unknown>> = {},
  patienceMs = PATIENCE_MS,
): Promise<Answer> {
  const request = { v: VERSION, id: randomUUID(), command, args };
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.setTimeout(patienceMs, () => socket.destroy(new NoController(path)));
    socket.setEncoding('utf8');
    const read = createLineReader(
      (line) => {
        resolve(JSON.parse(line));
        socket.end();
      },
      () => socket.destroy(new NoController(path)),
    );
    socket.on('data', (chunk: string) => read(chunk));
    socket.on('error', (error) => reject(error instanceof NoController ? error : new NoController(path)));
    socket.on('close', () => reject(new NoController(path)));
    socket.write(`${JSON.stringify(request)}\n`);
  });
}
