/** What a process may do besides its operations. */
import { processName } from './symmetry.js';
import type { Choice } from './world.js';

export function goesOn<Ghost>(actor: number, what: string, phase: string, carry: unknown): Choice<Ghost> {
  return { name: `${processName(actor)} ${what}`, take: (turn) => turn.enter(actor, phase, carry) };
}

/** Dies where it stands; `left` is what others may still find of it. */
export function crashes<Ghost extends { readonly crashes: number }>(
  actor: number,
  left: unknown = null,
): Choice<Ghost> {
  return {
    name: `${processName(actor)} crashes`,
    take: (turn) => {
      turn.ghost = { ...turn.ghost, crashes: turn.ghost.crashes - 1 };
      turn.enter(actor, 'gone', left);
    },
  };
}
