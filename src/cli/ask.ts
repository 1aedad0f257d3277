/** Questions on a terminal. */
import { createInterface } from 'node:readline/promises';
import type { Context } from './context.js';
import { CommandError, STOPPED } from './exit-codes.js';

/** Null: the input has ended, or Ctrl-C. */
export async function ask(question: string): Promise<string | null> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const ended = new Promise<null>((resolve) => reader.once('close', () => resolve(null)));
    const answer = await Promise.race([reader.question(question), ended]);
    return answer === null ? null : answer.trim().normalize('NFKC');
  } finally {
    reader.close();
  }
}

/**
 * False where nobody can be asked.
 * @throws CommandError 130 when there is no answer: Ctrl-C, or the end of the input
 */
export async function isYes(context: Context, question: string): Promise<boolean> {
  if (!context.isTerminal || !process.stdin.isTTY) return false;
  const answer = await ask(question);
  if (answer === null) throw new CommandError(STOPPED.INT, ['']);
  return /^(y|yes|はい)$/i.test(answer);
}
