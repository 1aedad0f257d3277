/** What an error is called in a message: ENOSPC, EACCES, else its text. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
}
