/** What a controller in the background says to the command that started it, which waits for just this. */

/** Set in the environment of a controller that a `--background` waits for. */
export const BACKGROUND_MARK = 'JOBNET_BACKGROUND';

export type FirstWord =
  | { readonly kind: 'begun'; readonly run: string }
  | { readonly kind: 'over'; readonly exitCode: number };

export function isFirstWord(value: unknown): value is FirstWord {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** The run has begun. */
export function announceStart(run: string): void {
  tell({ kind: 'begun', run });
}

/** Nothing was begun, if that was not said before; the other side prints what was said about it. */
export function announceEnd(exitCode: number): void {
  tell({ kind: 'over', exitCode });
}

function tell(word: FirstWord): void {
  if (process.env[BACKGROUND_MARK] !== '1' || !process.connected) return;
  process.send?.(word);
  process.disconnect();
}
