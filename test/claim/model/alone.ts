/** What a fresh process comes to when everybody else is dead. */
import type { Steps } from '../../../src/claim/steps.js';
import { MemoryFiles, type Names } from './memory-files.js';

/** Its process, and the id of the only thing that it prepares. */
export const FRESH_PROCESS = '<G>';
const FRESH_ID = '<G1>';

export class Alone {
  readonly files: MemoryFiles;
  /** How many operations it has done. */
  operations = 0;
  private steady = 0;

  constructor(names: Names) {
    this.files = new MemoryFiles(names, {
      life: () => 'dead',
      fresh: () => FRESH_ID,
      now: () => ({ steady: this.steady, awake: this.steady, unix: 0 }),
    });
  }

  run<T>(steps: Steps<T>): T {
    let next = steps.next();
    for (; !next.done; this.operations++) {
      const [name, ...args] = next.value;
      next = steps.next((this.files[name] as (...all: unknown[]) => unknown).apply(this.files, args));
    }
    return next.value;
  }

  wait(ms: number): void {
    this.steady += ms;
  }
}
