/** `jobnet stop`: the controller starts nothing new and ends when what runs has ended, or ends that as well. */
import { userName } from '../../host/user.js';
import { askController } from '../ask-controller.js';
import type { Context } from '../context.js';
import { type KillArgs, type Killed, requestOf } from '../controller/kills.js';
import { killOrphans } from '../controller/orphan-kills.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { findPlace, type NetOptions } from '../place.js';
import { visible } from '../view/visible.js';
import { ANSWER_MS, exitCodeAfter, sayKilled, throughController } from './kill.js';

export interface StopOptions extends NetOptions {
  readonly kill: boolean;
  /** Milliseconds. */
  readonly grace: number;
  readonly json: boolean;
}

export async function stop(context: Context, options: StopOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  const args: KillArgs = { jobs: null, signal: 'TERM', graceMs: options.grace, user: userName() };
  if (!throughController(context, place)) {
    const killed = options.kill ? await killOrphans(context, place, args, requestOf(args, 'stop')) : [];
    if (killed.length === 0)
      throw new CommandError(EXIT.noController, [m.noController(visible(place.shown))]);
    if (options.json) context.out(JSON.stringify({ running: killed.length, killed }));
    else sayKilled(context, killed);
    return exitCodeAfter(killed);
  }
  const request = {
    command: 'stop',
    args: { ...args, kill: options.kill },
    patienceMs: args.graceMs + ANSWER_MS,
  };
  const answer = (await askController(context, place, request, '')) as { running: number; killed: Killed[] };
  if (options.json) context.out(JSON.stringify(answer));
  else if (options.kill) sayKilled(context, answer.killed);
  else context.out(m.stopping('operator', answer.running));
  return exitCodeAfter(answer.killed);
}
