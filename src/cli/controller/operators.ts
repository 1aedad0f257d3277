/** What operators may ask of a running controller over its socket. */
import type { State } from '../../core/state.js';
import type { JobName, StatusCode } from '../../core/words.js';
import type { Engine } from '../../engine/engine.js';
import type { NetFile } from '../../engine/ports.js';
import { Refused, type Request } from '../../operator/protocol.js';
import { listen, type OperatorServer } from '../../operator/server.js';
import type { Ends } from './ends.js';
import { type KillArgs, type Killed, outcomeOf, parseKillArgs, requestOf, sortedOut } from './kills.js';

type Args = Request['args'];

/** What waits for `accept`, or was taken by it. */
export interface HeldChanges {
  readonly edits: readonly { readonly job: JobName; readonly to: StatusCode }[];
  readonly isVersionHeld: boolean;
}

interface Controlled {
  readonly ends: Ends;
  readonly engine: Engine;
  readonly netFile: NetFile;
  readonly state: State;
}

/** Null when there is nowhere to listen; the run goes on without. */
export async function listenToOperators(
  socket: string | null,
  controlled: Controlled,
  onError: (error: Error) => void,
): Promise<OperatorServer | null> {
  if (socket === null) return null;
  try {
    return await listen(socket, handlersOf(controlled), onError);
  } catch (error) {
    onError(error as Error);
    return null;
  }
}

function handlersOf({ engine, ends, netFile, state }: Controlled) {
  const held = (): HeldChanges => ({
    edits: Array.from(state.heldEdits, ([job, to]) => ({ job, to })),
    isVersionHeld: state.run.file?.outcome === 'held',
  });
  async function kill(given: KillArgs, kind: 'operator' | 'stop'): Promise<Killed[]> {
    const { running, rest } = sortedOut(state, given.jobs);
    const over = running.map(({ job, attempt }) => ends.of(job, attempt).then(outcomeOf));
    engine.submit({ type: 'kill', jobs: running.map(({ job }) => job), request: requestOf(given, kind) });
    return [...(await Promise.all(over)), ...rest];
  }

  return {
    kill: (args: Args): Promise<Killed[]> => kill(parseKillArgs(args), 'operator'),
    stop: async (args: Args): Promise<{ running: number; killed: Killed[] }> => {
      engine.submit({ type: 'stop', by: 'operator' });
      const running = state.live.size;
      const killed = args['kill'] === true ? await kill(parseKillArgs({ ...args, jobs: null }), 'stop') : [];
      return { running, killed };
    },
    held,
    accept: (): HeldChanges => {
      const taken = held();
      if (taken.edits.length === 0 && !taken.isVersionHeld)
        throw new Refused('wrong-state', 'nothing is held');
      if (taken.isVersionHeld) netFile.acceptHeld();
      engine.submit({ type: 'accept' });
      return taken;
    },
  };
}
