/** What every clock keeps. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/engine/ports.js';

export interface ClockRig {
  readonly clock: Clock;
  /** Lets this much time pass. */
  pass(ms: number): Promise<void>;
}

export function clockContract(name: string, createRig: () => ClockRig): void {
  describe(`a clock: ${name}`, () => {
    test('calls back when the time has passed', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      clock.after(5, () => called.push('a'));
      await pass(10);
      expect(called).toEqual(['a']);
    });

    test('calls back in the order of the times, whatever the order in which they were asked for', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      clock.after(60, () => called.push('last'));
      clock.after(30, () => called.push('middle'));
      clock.after(1, () => called.push('first'));
      await pass(90);
      expect(called).toEqual(['first', 'middle', 'last']);
    });

    test('calls back in the order of asking where the times are equal', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      clock.after(5, () => called.push('a'));
      clock.after(5, () => called.push('b'));
      await pass(10);
      expect(called).toEqual(['a', 'b']);
    });

    test('does not call back what was taken back', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      const cancel = clock.after(5, () => called.push('cancelled'));
      clock.after(5, () => called.push('kept'));
      cancel();
      await pass(10);
      expect(called).toEqual(['kept']);
    });

    test('lets a callback be taken back after it was called', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      const cancel = clock.after(1, () => called.push('a'));
      await pass(5);
      cancel();
      expect(called).toEqual(['a']);
    });

    test('calls back once', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      clock.after(1, () => called.push('a'));
      await pass(5);
      await pass(5);
      expect(called).toEqual(['a']);
    });

    test('never calls back before `after` has returned', () => {
      const { clock } = createRig();
      const called: string[] = [];
      const cancel = clock.after(0, () => called.push('a'));
      cancel();
      expect(called).toEqual([]);
    });

    test('calls back what a callback asked for', async () => {
      const { clock, pass } = createRig();
      const called: string[] = [];
      clock.after(1, () => {
        clock.after(1, () => called.push('inner'));
      });
      await pass(10);
      expect(called).toEqual(['inner']);
    });

    test('does not run backwards while it waits', async () => {
      const { clock, pass } = createRig();
      const before = clock.now();
      await pass(5);
      expect(clock.now()).toBeGreaterThanOrEqual(before);
    });
  });
}
