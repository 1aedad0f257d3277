/** What signals mean to a controller: it never ends jobs because it is ended itself. */

/** Sooner, it is the same press of a key, or a supervisor that signals a group and the process. */
const AGAIN_MS = 1000;

export interface SignalListeners {
  /** The first Ctrl-C or TERM: start nothing new, wait for what runs. */
  readonly onStop: (by: 'INT' | 'TERM') => void;
  /** Another one, after a moment: end what runs. */
  readonly onStopAgain: (by: 'INT' | 'TERM') => void;
  /** HUP, or output that nobody reads any more: the run goes on without it. */
  readonly onTerminalLost: (how: string) => void;
}

/** Returns a function that stops listening. */
export function watchSignals({ onStop, onStopAgain, onTerminalLost }: SignalListeners): () => void {
  let stoppedAt: number | null = null;
  const stop = (by: 'INT' | 'TERM') => () => {
    if (stoppedAt === null) {
      stoppedAt = performance.now();
      onStop(by);
    } else if (performance.now() - stoppedAt >= AGAIN_MS) onStopAgain(by);
  };
  const listeners: [NodeJS.Signals, () => void][] = [
    ['SIGINT', stop('INT')],
    ['SIGTERM', stop('TERM')],
    ['SIGHUP', () => onTerminalLost('SIGHUP')],
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  const lost = (error: NodeJS.ErrnoException) => onTerminalLost(error.code ?? error.message);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', lost);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
