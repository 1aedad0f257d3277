/** Times as people read them in the CSV: local, to the second. */
import type { Millis } from '../core/words.js';

/** `YYYY/MM/DD HH:MM:SS` in the zone of this machine. */
export function localTime(at: Millis): string {
  const date = new Date(at);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('/');
  return `${day} ${[two(date.getHours()), two(date.getMinutes()), two(date.getSeconds())].join(':')}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
