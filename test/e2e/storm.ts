/**
 * A storm on the CSV of a net that runs: another process saves it over and over, most of it damage or of no meaning,
 * some of it edits that must have their effect. Which they are is kept, to be compared with what has happened.
 */
import type { WatchMode } from '../../src/netfile/watch.js';
import { random } from '../random.js';
import { type Acts, aWhile, createActs } from './storm-acts.js';
import { createStormNet, createTail, type StormNet, type StormSize, type Tail } from './storm-net.js';
import { type Finished, type NetBench, statusesIn, until } from './workbench.js';

export interface Storm extends StormNet, Pick<Acts, 'expected' | 'tally'> {
  readonly seed: number;
  readonly tail: Tail;
  readonly finished: Finished;
}

/** At most between two saves, besides what they wait for. */
const PAUSE_MS = 30;

export async function storm(seed: number, size: StormSize, watch: WatchMode = 'auto'): Promise<Storm> {
  const next = random(seed);
  const made = createStormNet(size, next);
  const running = made.net.start('start', '--keep-going', '-j', '8', '--watch', watch);
  try {
    const tail = await createTail(made.net);
    const { expected, tally } = await rage(made, size, createActs(made, tail, next), next);
    return { ...made, seed, tail, expected, tally, finished: await running.finished };
  } catch (cause) {
    throw new Error(`seed ${seed}: ${cause}\n${running.out().slice(-2000)}`, { cause });
  }
}

/** The file says of every job what its run does. */
function isCurrent(net: NetBench): boolean {
  const statuses = statusesIn(net.read());
  return net.statusJson().jobs.every(({ job, csv }) => statuses[job] === csv);
}

/** Gates are opened as the storm goes on; the last one when everything that failed is mended. */
async function rage(
  { gates, net }: StormNet,
  { layers, rewrites }: StormSize,
  acts: Acts,
  next: () => number,
) {
  let opened = 0;
  const openGate = async () => {
    const gate = gates[opened++]!;
    await gate.started();
    await gate.exit(0);
  };
  while (acts.saves() < rewrites) {
    if (opened < layers && acts.saves() * layers >= opened * rewrites) await openGate();
    await acts.act(opened);
    await aWhile(next() * PAUSE_MS);
  }
  while (opened < layers) await openGate();
  while (await acts.mend());
  // An old copy that is saved when the run is over stays until the next one: none may be on its way.
  await until(() => isCurrent(net));
  await openGate();
  return acts;
}
