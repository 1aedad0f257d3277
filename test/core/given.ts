/** Given events, when an input comes, then events: one rule each. */
import { expect } from 'vitest';
import { apply } from '../../src/core/apply.js';
import { decide } from '../../src/core/decide.js';
import { createState, type State } from '../../src/core/state.js';
import type { Event, Input } from '../../src/core/words.js';
import { netOf } from './nets.js';

type UntimedInput = Input extends infer One ? (One extends Input ? Omit<One, 'at'> : never) : never;

const AT = 1000;

/** A net of jobs j0, j1 … with the indexes of their predecessors, begun with a limit of 2. */
export function given(predecessors: readonly (readonly number[])[], ...events: readonly Event[]) {
  const state = createState(netOf(predecessors));
  apply(state, { type: 'begun', mode: 'start', limit: 2, keepGoing: false }, AT);
  for (const event of events) apply(state, event, AT);
  return {
    state,
    when: (input: UntimedInput) => ({
      gives: (...expected: readonly Event[]) => expect(eventsOf(state, input)).toEqual(expected),
    }),
  };
}

function eventsOf(state: State, input: UntimedInput): Event[] {
  return decide(state, { ...input, at: AT + 1 } as Input);
}

export const intended = (job: string, attempt = 1): Event => ({
  type: 'intended',
  job,
  attempt,
  script: 'abc',
  interpreter: null,
});

export const launching = (job: string, attempt = 1): Event => ({
  type: 'launching',
  job,
  attempt,
  script: 'abc',
  interpreter: null,
});

export const running = (job: string, attempt = 1): Event => ({ type: 'running', job, attempt });
export const ended = (job: string, attempt = 1): Event => ({ type: 'ended', job, attempt });
export const exited = (job: string, code: number, attempt = 1): UntimedInput => ({
  type: 'report',
  job,
  attempt,
  report: { kind: 'exited', code },
});

export const abended = (job: string, code: number, attempt = 1): Event => ({
  type: 'abended',
  job,
  attempt,
  reason: { kind: 'exit', code },
});

export const startable = (job: string, ahead = false): UntimedInput => ({
  type: 'inspected',
  job,
  ahead,
  verdict: { kind: 'startable', script: 'abc', interpreter: null },
});
