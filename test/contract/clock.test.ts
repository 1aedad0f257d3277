import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { systemClock } from '../../src/engine/system-clock.js';
import { clockContract } from './clock.js';

const timer = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

clockContract('of the system', () => ({
  clock: systemClock,
  // A timer set later and not shorter ends later, so no margin is needed; twice, as a callback may set another one.
  pass: async (ms) => {
    await timer(ms);
    await timer(ms);
  },
}));

clockContract('the fake', () => {
  const clock = createFakeClock(1_000_000);
  return { clock, pass: async (ms) => clock.advance(ms) };
});

describe('the fake clock', () => {
  test('stands still by itself', () => {
    const clock = createFakeClock(7);
    expect(clock.now()).toBe(7);
  });

  test('shows a callback the time at which it was due', () => {
    const clock = createFakeClock(100);
    const times: number[] = [];
    clock.after(20, () => times.push(clock.now()));
    clock.after(10, () => times.push(clock.now()));
    clock.advance(50);
    expect(times).toEqual([110, 120]);
  });

  test('goes exactly as far as it is told', () => {
    const clock = createFakeClock(100);
    clock.after(51, () => {
      throw new Error('too early');
    });
    clock.advance(50);
    expect(clock.now()).toBe(150);
  });

  test('names the times that are due, and no longer those that were taken back', () => {
    const clock = createFakeClock(100);
    clock.after(9, () => {});
    const cancel = clock.after(1, () => {});
    clock.after(5, () => {});
    cancel();
    expect(clock.dueTimes()).toEqual([105, 109]);
  });
});
