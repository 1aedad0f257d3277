/** One request to the controller of a net. */
import { ask, NoController } from '../operator/client.js';
import type { Answer } from '../operator/protocol.js';
import type { Context } from './context.js';
import { CommandError, EXIT } from './exit-codes.js';
import { controllerOf } from './holder.js';
import type { Place } from './place.js';
import { visible } from './view/visible.js';

/** Ends the command when there is none, or when it refuses; `wrongState` says what that means for this request. */
export async function askController(
  { m }: Context,
  place: Place,
  { command, args = {}, patienceMs }: { command: string; args?: object; patienceMs?: number },
  wrongState: string,
): Promise<unknown> {
  const none = new CommandError(EXIT.noController, [m.noController(visible(place.shown))]);
  const holder = controllerOf(place.state);
  if (!holder?.owner.socket || holder.life === 'dead') throw none;
  let answer: Answer;
  try {
    answer = await ask(holder.owner.socket, command, { ...args }, patienceMs);
  } catch (error) {
    throw error instanceof NoController ? none : error;
  }
  if (answer.ok) return answer.result;
  if (answer.error.code === 'wrong-state') throw new CommandError(EXIT.wrongState, [wrongState]);
  throw new CommandError(EXIT.cannotRun, [m.controllerRefused(visible(answer.error.message))]);
}
