/** Times and durations for people. */
import type { Millis } from '../../core/words.js';

export function clockTime(at: Millis): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** 0.4s, 12.3s, 4m05s, 3h07m, 2d04h: the two units that matter. The clock may have been set back: never negative. */
export function duration(ms: Millis): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h${two(Math.floor((whole % 3600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d${two(Math.floor((whole % 86_400) / 3600))}h`;
}
