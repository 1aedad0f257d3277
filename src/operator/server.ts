/** The controller's side of the operator's socket. */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import {
  type Answer,
  type AnswerError,
  createLineReader,
  parseRequest,
  Refused,
  type Request,
  VERSION,
} from './protocol.js';

/** Carries out a command; what it returns is the result. Throws Refused when the answer is no. */
export type Handler = (args: Request['args']) => unknown | Promise<unknown>;

export interface OperatorServer {
  close(): Promise<void>;
}

/** Answers kept for repeated ids: a client repeats within seconds, not after a thousand other requests. */
const ANSWERS_KEPT = 1000;

/** Listens at `path`; an error of one client never concerns another, nor the controller. */
export async function listen(
  path: string,
  handlers: Readonly<Record<string, Handler>>,
  onError: (error: Error) => void,
): Promise<OperatorServer> {
  const answers = new Map<string, Promise<Answer>>();
  const clients = new Set<Socket>();

  const server = createServer((client) => {
    clients.add(client);
    client.setEncoding('utf8');
    client.on('error', () => client.destroy());
    client.on('close', () => clients.delete(client));
    const read = createLineReader(
      (line) => void answerTo(line).then((answer) => send(client, answer)),
      () => client.destroy(),
    );
    client.on('data', (chunk: string) => read(chunk));
  });

  function answerTo(line: string): Promise<Answer> {
    const request = parseRequest(line);
    if (!('id' in request)) return Promise.resolve(no('', request));
    const known = answers.get(request.id);
    if (known) return known;
    const answer = carryOut(request);
    answers.set(request.id, answer);
    if (answers.size > ANSWERS_KEPT) answers.delete(answers.keys().next().value!);
    return answer;
  }

  async function carryOut({ id, command, args }: Request): Promise<Answer> {
    const handler = Object.hasOwn(handlers, command) ? handlers[command] : undefined;
    if (!handler) return no(id, { code: 'unknown-command', message: command });
    try {
      return { v: VERSION, id, ok: true, result: (await handler(args)) ?? null };
    } catch (error) {
      if (error instanceof Refused) return no(id, { code: error.code, message: error.message });
      onError(error as Error);
      return no(id, { code: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.on('error', onError);
      resolve();
    });
  });
  chmodSync(path, 0o600);

  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const client of clients) client.destroy();
    await closed;
    rmSync(path, { force: true });
  };
  return { close };
}

function no(id: string, error: AnswerError): Answer {
  return { v: VERSION, id, ok: false, error };
}

function send(client: Socket, answer: Answer): void {
  if (!client.destroyed) client.write(`${JSON.stringify(answer)}\n`);
}
