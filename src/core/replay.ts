/** The state that a journal's events lead to, over the net as it is now. */
import { apply } from './apply.js';
import type { Net } from './net.js';
import { createState, type State } from './state.js';
import type { Event, Millis } from './words.js';

export interface RecordedEvent {
  readonly at: Millis;
  readonly event: Event;
}

export function replay(net: Net, records: Iterable<RecordedEvent>): State {
  const state = createState(net);
  for (const { event, at } of records) apply(state, event, at);
  return state;
}
