/** The business date of a zone as the key of what is done once. */

export const PERIODS = ['hour', 'day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/**
 * The period that a moment is in: 2026-11-30, 2026-11-30T14+0900, 2026-W49 (ISO 8601), 2026-11.
 * @param zone a name of the IANA time zone database
 * @throws RangeError when there is no such zone
 */
export function periodKey(period: Period, zone: string, unix: number): string {
  const { year, month, day, hour, offset } = partsIn(zone, unix);
  switch (period) {
    case 'month':
      return `${year}-${month}`;
    case 'day':
      return `${year}-${month}-${day}`;
    case 'hour':
      // The hour that comes twice when summer time ends is two hours.
      return `${year}-${month}-${day}T${hour}${offset}`;
    case 'week':
      return weekOf(Number(year), Number(month), Number(day));
  }
}

export function systemZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function partsIn(zone: string, unix: number) {
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'longOffset',
  });
  const parts = new Map(format.formatToParts(unix).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)?.padStart(2, '0') ?? '';
  const offset = part('timeZoneName').replace(/^GMT/, '').replace(':', '') || '+0000';
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), offset };
}

const DAY_MS = 86_400_000;

/** ISO 8601: weeks begin on Monday, and belong to the year of their Thursday. */
function weekOf(year: number, month: number, day: number): string {
  const date = Date.UTC(year, month - 1, day);
  const weekday = (new Date(date).getUTCDay() + 6) % 7;
  const thursday = date + (3 - weekday) * DAY_MS;
  const weekYear = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(weekYear, 0, 1)) / (7 * DAY_MS)) + 1;
  return `${weekYear}-W${String(week).padStart(2, '0')}`;
}
