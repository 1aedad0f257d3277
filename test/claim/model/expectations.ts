/** What a model check has to come to. */
import { expect } from 'vitest';
import { explore } from './checker.js';
import type { World } from './world.js';

/** No rule is broken in any state that can be reached, and all of this happens in some of them. */
export function expectToHold<Ghost>(world: World<Ghost>, happens: readonly string[]): void {
  const { states, isComplete, fault } = explore(world);
  console.log(`${states} states`);
  expect(fault).toBeNull();
  expect(isComplete).toBe(true);
  expect([...world.happened]).toEqual(expect.arrayContaining([...happens]));
}

/** A planted bug is found, by this rule. */
export function expectToBreak<Ghost>(world: World<Ghost>, rule: string): void {
  const { states, fault } = explore(world);
  console.log(`${states} states, then: ${fault?.message} (${fault?.trace.length} steps)`);
  expect(fault?.message).toContain(rule);
}
