/** The heart of a held lease, in a thread of its own: what the main thread does holds no beat up. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { type LeasePlace, renewLease } from './lease.js';
import type { Moment } from './steps.js';

export interface BeaterData {
  readonly place: LeasePlace;
  readonly number: number;
  readonly ttlMs: number;
  /** Where each beat is told. */
  readonly port: MessagePort;
}

/** From when on it is trusted again; null: it is lost. */
export type BeatMessage = { readonly since: Moment } | { readonly since: null } | { readonly failed: string };

const { place, number, ttlMs, port } = workerData as BeaterData;

/** A third of the time to live: two beats may fail. */
const timer = setInterval(() => {
  let message: BeatMessage;
  try {
    message = { since: renewLease(place, number, ttlMs) };
  } catch (error) {
    // The disk may answer again before trust runs out.
    message = { failed: error instanceof Error ? error.message : String(error) };
  }
  if ('since' in message && !message.since) clearInterval(timer);
  port.postMessage(message);
}, ttlMs / 3);
