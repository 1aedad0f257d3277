/** What signals mean to a controller: it never ends jobs because it is ended itself. */
import { hasControllingTerminal } from '../../host/terminal.js';

/** Sooner, it is the same press of a key, or a supervisor that signals a group and the process. */
const AGAIN_MS = 1000;

export interface SignalListeners {
  /** The first Ctrl-C or TERM: start nothing new, wait for what runs. */
  readonly onStop: (by: 'INT' | 'TERM') => void;
  /** Another one, after a moment: end what runs. */
  readonly onStopAgain: (by: 'INT' | 'TERM') => void;
  /** HUP with a terminal, or output that nobody reads any more, each once: the run goes on without it. */
  readonly onTerminalLost: (how: string) => void;
  /** HUP without a terminal comes from a person, or from what has moved the logs away. */
  readonly onReopen: () => void;
}

/** Returns a function that stops listening. */
export function watchSignals({ onStop, onStopAgain, onTerminalLost, onReopen }: SignalListeners): () => void {
  let stoppedAt: number | null = null;
  const stop = (by: 'INT' | 'TERM') => () => {
    if (stoppedAt === null) {
      stoppedAt = performance.now();
      onStop(by);
    } else if (performance.now() - stoppedAt >= AGAIN_MS) onStopAgain(by);
  };
  const lost = new Set<string>();
  const noteLost = (what: string, how: string) => {
    if (!lost.has(what)) onTerminalLost(how);
    lost.add(what);
  };
  // Looked up now: when HUP comes, the terminal may be gone already.
  const hasTerminal = hasControllingTerminal();
  const listeners: [NodeJS.Signals, () => void][] = [
    ['SIGINT', stop('INT')],
    ['SIGTERM', stop('TERM')],
    ['SIGHUP', () => (hasTerminal ? noteLost('terminal', 'SIGHUP') : onReopen())],
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  const { stdout, stderr } = process;
  for (const [name, stream] of Object.entries({ stdout, stderr })) {
    stream.on('error', (error: NodeJS.ErrnoException) =>
      noteLost(name, `${name}: ${error.code ?? error.message}`),
    );
  }
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
