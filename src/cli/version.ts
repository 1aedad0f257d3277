/** The version of this package. */
import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}
