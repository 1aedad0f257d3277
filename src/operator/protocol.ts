/** The operator's socket: one JSON object a line, a version in each, and a request id that makes repeating harmless. */

/** The version of requests and answers; a server refuses any other. */
export const VERSION = 1;
/** A longer line is no request of ours. */
export const LINE_BYTES_MAX = 64 * 1024;

export interface Request {
  readonly v: number;
  /** Chosen by the client; a request with an id that was answered gets the first answer again. */
  readonly id: string;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type Answer =
  | { readonly v: number; readonly id: string; readonly ok: true; readonly result: unknown }
  | { readonly v: number; readonly id: string; readonly ok: false; readonly error: AnswerError };

export interface AnswerError {
  /** `wrong-state`: the job or the net is not in a state for this. */
  readonly code: 'bad-request' | 'version' | 'unknown-command' | 'wrong-state' | 'failed';
  readonly message: string;
}

/** Thrown by the handler of a command: an answer, not a fault. */
export class Refused extends Error {
  constructor(
    readonly code: AnswerError['code'],
    message: string,
  ) {
    super(message);
    this.name = 'Refused';
  }
}

/** A request, or what is wrong with the line. */
export function parseRequest(line: string): Request | AnswerError {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { code: 'bad-request', message: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { code: 'bad-request', message: 'not an object' };
  }
  const { v, id, command, args = {} } = value as Record<string, unknown>;
  if (v !== VERSION) return { code: 'version', message: `this controller speaks version ${VERSION}` };
  if (typeof id !== 'string' || id === '' || typeof command !== 'string') {
    return { code: 'bad-request', message: 'id and command are texts' };
  }
  if (typeof args !== 'object' || args === null) return { code: 'bad-request', message: 'args is an object' };
  return { v, id, command, args: args as Record<string, unknown> };
}

/** The lines in a stream of chunks; what is longer than a line may be ends the stream. */
export function createLineReader(
  onLine: (line: string) => void,
  onTooLong: () => void,
): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onLine(line);
    if (rest.length > LINE_BYTES_MAX) onTooLong();
  };
}
