/** The controller's own log: synchronous, so that nothing is lost when it dies (pino's other destinations lose lines). */
import pino from 'pino';

export type ControllerLog = pino.Logger;

export function openControllerLog(file: string, base: Record<string, unknown>): ControllerLog {
  const destination = pino.destination({ dest: file, sync: true, mkdir: true, append: true });
  // It must never end the controller. A line that a full disk refuses is kept, and written before the next one.
  destination.on('error', () => {});
  return pino({ base: { pid: process.pid, ...base }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
