/** What signals mean to a controller: it never ends jobs because it is ended itself. */
import type { StopSignal } from '../../core/words.js';

export interface SignalListeners {
  /** The first Ctrl-C or TERM: start nothing new, wait for what runs. */
  readonly onStop: (by: StopSignal) => void;
  readonly onStopAgain: () => void;
  /** HUP, or output that nobody reads any more: the run goes on without it. */
  readonly onTerminalLost: (how: string) => void;
}

/** Returns a function that stops listening. */
export function watchSignals({ onStop, onStopAgain, onTerminalLost }: SignalListeners): () => void {
  let isStopping = false;
  const stop = (by: StopSignal) => () => {
    if (isStopping) onStopAgain();
    else onStop(by);
    isStopping = true;
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
