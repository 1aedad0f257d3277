/** The controller's own log: synchronous, so that nothing is lost when it dies (pino's other destinations lose lines). */
import pino from 'pino';

export type ControllerLog = pino.Logger;

export function openControllerLog(file: string, base: Record<string, unknown>): ControllerLog {
  const destination = pino.destination({ dest: file, sync: true, mkdir: true, append: true });
  return pino({ base: { pid: process.pid, ...base }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
