/** `jobnet accept`: takes what waits for a person: a version of the CSV that was held, edits that were put back. */

import { ask, NoController } from '../../operator/client.js';
import type { Context } from '../context.js';
import type { HeldChanges } from '../controller/operators.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { controllerOf } from '../holder.js';
import { findPlace, type NetOptions, type Place } from '../place.js';
import { visible } from '../view/visible.js';

export interface AcceptOptions extends NetOptions {
  readonly show: boolean;
  readonly json: boolean;
}

export async function accept(context: Context, options: AcceptOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  const changes = (await askController(context, place, options.show ? 'held' : 'accept')) as HeldChanges;
  if (options.json) {
    context.out(JSON.stringify(changes));
    return EXIT.settled;
  }
  if (options.show) sayHeld(context, changes);
  else {
    if (changes.isVersionHeld) context.out(m.acceptedVersion);
    if (changes.edits.length > 0) context.out(m.acceptedEdits(changes.edits.length));
  }
  return EXIT.settled;
}

function sayHeld(context: Context, { edits, isVersionHeld }: HeldChanges): void {
  const { m } = context;
  if (!isVersionHeld && edits.length === 0) context.out(m.nothingHeld);
  if (isVersionHeld) context.out(m.versionHeld);
  for (const { job, to } of edits) context.out(m.heldEdit(visible(job), to));
}

/** Asks the controller of a net; ends the command when there is none, or when it says no. */
async function askController(context: Context, place: Place, command: string): Promise<unknown> {
  const { m } = context;
  const none = new CommandError(EXIT.noController, [m.noController(visible(place.shown))]);
  const holder = controllerOf(place.state);
  if (!holder?.owner.socket || holder.life === 'dead') throw none;
  try {
    const answer = await ask(holder.owner.socket, command);
    if (answer.ok) return answer.result;
    if (answer.error.code !== 'wrong-state') {
      throw new CommandError(EXIT.cannotRun, [m.controllerRefused(visible(answer.error.message))]);
    }
    throw new CommandError(EXIT.wrongState, [m.nothingHeld]);
  } catch (error) {
    throw error instanceof NoController ? none : error;
  }
}
