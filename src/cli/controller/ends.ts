/** Waiting until attempts are over: for requests that are answered only then. */
import type { Event, JobName } from '../../core/words.js';

/** How an attempt was over. */
export type End = Extract<Event, { type: 'ended' | 'abended' | 'not-started' }>;

export interface Ends {
  /** An event that is durable. */
  seen(event: Event): void;
  of(job: JobName, attempt: number): Promise<End>;
}

export function createEnds(): Ends {
  const waiting = new Map<string, ((end: End) => void)[]>();

  function seen(event: Event): void {
    if (waiting.size === 0) return;
    if (event.type !== 'ended' && event.type !== 'abended' && event.type !== 'not-started') return;
    const id = `${event.job}.${event.attempt}`;
    for (const resolve of waiting.get(id) ?? []) resolve(event);
    waiting.delete(id);
  }

  function of(job: JobName, attempt: number): Promise<End> {
    const id = `${job}.${attempt}`;
    return new Promise((resolve) => waiting.set(id, [...(waiting.get(id) ?? []), resolve]));
  }

  return { seen, of };
}
