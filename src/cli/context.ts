/** What a command knows of its surroundings: language, streams, folder, environment. */
import type { Writable } from 'node:stream';
import { type Language, type Messages, messagesIn } from './messages/index.js';

export interface Context {
  readonly language: Language;
  readonly m: Messages;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** Width of the terminal in cells. */
  columns(): number;
  rows(): number;
  /** One line, or several, to standard output. */
  out(text: string): void;
  err(text: string): void;
}

export function createContext(language: Language): Context {
  const { stdout, stderr, env } = process;
  // A reader that goes away (`| head`) is no fault: what is left to say is dropped.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const isTerminal = stdout.isTTY === true;
  return {
    language,
    m: messagesIn(language),
    environment: env,
    folder: process.cwd(),
    isTerminal,
    hasColor: isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: () => stdout.columns ?? 80,
    rows: () => stdout.rows ?? 24,
    out: (text) => write(stdout, `${text}\n`),
    err: (text) => write(stderr, `${text}\n`),
  };
}

function write(stream: Writable, text: string): void {
  if (!stream.destroyed) stream.write(text);
}
