/** The controller's own log: synchronous, so that nothing is lost when it dies (pino's other destinations lose lines). */
import pino from 'pino';
import { createLogFile, LOG_FILE_LIMITS } from './log-file.js';

export type ControllerLog = pino.Logger;

export interface OpenedControllerLog {
  readonly log: ControllerLog;
  /** Goes on in the file that has the name now. */
  readonly reopen: () => void;
}

export function openControllerLog(file: string, facts: Record<string, unknown>): OpenedControllerLog {
  const base = { pid: process.pid, ...facts };
  const lostLine = (lines: number, code: string) => {
    const time = new Date().toISOString();
    return `${JSON.stringify({ level: 40, time, ...base, lines, code, msg: 'lines of this log could not be written' })}\n`;
  };
  const destination = createLogFile(file, { ...LOG_FILE_LIMITS, lostLine });
  const log = pino({ base, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return { log, reopen: destination.reopen };
}
