/**
 * An explicit-state model check: every state that can be reached is seen, breadth first, so a fault comes with a
 * shortest trace to it.
 */

/** Numbers, each standing for something that the model has seen before: equal situations are equal numbers. */
export type State = readonly number[];

/** What must never be. */
export class Fault extends Error {}

export interface Move {
  readonly name: string;
  /** Throws a `Fault` when the move breaks a rule; what happens is told to `log`, for a trace. */
  take(log?: string[]): State;
}

export interface Model {
  readonly initial: State;
  moves(state: State): Move[];
  /** One of all states that are equal to this one but for names. */
  canonical(state: State): State;
}

export interface Explored {
  readonly states: number;
  /** Nothing was left to look at: no state that can be reached was missed. */
  readonly isComplete: boolean;
  readonly fault: { readonly message: string; readonly trace: readonly string[] } | null;
}

/** More than any of these models has; a mistake in one ends here and not when the memory is full. */
const STATES_MAX = 12_000_000;

/** Looks until nothing is left, a rule is broken, or there are too many states. */
export function explore(model: Model, statesMax = STATES_MAX): Explored {
  const states: State[] = [model.canonical(model.initial)];
  const parents = [-1];
  const seen = new Set([keyOf(states[0]!)]);
  for (let at = 0; at < states.length; at++) {
    if (states.length > statesMax) return { states: states.length, isComplete: false, fault: null };
    for (const move of model.moves(states[at]!)) {
      try {
        const next = model.canonical(move.take());
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        states.push(next);
        parents.push(at);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const trace = traceTo(model, states, parents, at);
        return { states: states.length, isComplete: false, fault: { message: error.message, trace } };
      }
    }
  }
  return { states: states.length, isComplete: true, fault: null };
}

/** Two characters a number: a state takes little room, however much it stands for. */
function keyOf(state: State): string {
  let key = '';
  for (const part of state) key += String.fromCharCode(part & 0xffff, part >>> 16);
  return key;
}

/** Told with the names that everybody has at the beginning, as far as they lead to the fault. */
function traceTo(model: Model, states: State[], parents: number[], last: number): string[] {
  const path = [last];
  while (parents[path[0]!]! >= 0) path.unshift(parents[path[0]!]!);
  const trace: string[] = [];
  let state = model.initial;
  for (const [at, here] of path.entries()) {
    const wanted = at + 1 < path.length ? keyOf(states[path[at + 1]!]!) : null;
    const leadsOn = (move: Move) => outcomeOf(model, move) === wanted;
    let move = model.moves(state).find(leadsOn);
    if (!move) {
      // Who remembers a listing remembers its order, which changes with the names.
      trace.push('(names have changed places)');
      state = states[here]!;
      move = model.moves(state).find(leadsOn)!;
    }
    trace.push(told(move));
    if (wanted !== null) state = move.take();
  }
  return trace;
}

/** The key of the state that it leads to; null: it breaks a rule. */
function outcomeOf(model: Model, { take }: Move): string | null {
  try {
    return keyOf(model.canonical(take()));
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

function told({ name, take }: Move): string {
  const log: string[] = [];
  try {
    take(log);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  return [name, ...log].join(' | ');
}
