/** `jobnet accept`: takes what waits for a person: a version of the CSV that was held, edits that were put back. */

import { askController } from '../ask-controller.js';
import type { Context } from '../context.js';
import type { HeldChanges } from '../controller/operators.js';
import { EXIT } from '../exit-codes.js';
import { findPlace, type NetOptions } from '../place.js';
import { visible } from '../view/visible.js';

export interface AcceptOptions extends NetOptions {
  readonly show: boolean;
  readonly json: boolean;
}

export async function accept(context: Context, options: AcceptOptions): Promise<number> {
  const { m } = context;
  const place = findPlace(context, options);
  const changes = (await askController(
    context,
    place,
    { command: options.show ? 'held' : 'accept' },
    m.nothingHeld,
  )) as HeldChanges;
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
