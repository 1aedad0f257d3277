/** Times in cells as spreadsheets write them: which minute a text may stand for. Nothing is rolled over. */
import { trimCell } from './names.js';

/** One way to read a text. */
interface Reading {
  /** YYYYMMDDHHMM */
  readonly minute: string;
  /** Null: the text has none. */
  readonly second: string | null;
}

/** To the minute: spreadsheets drop the seconds and write dates their own way. */
export function isSameTime(one: string, other: string): boolean {
  return one === other || isSame(one, other, () => true);
}

/** As exactly as both texts are; 00 seconds in `text` may be what a spreadsheet has made of none. */
export function isSameMoment(text: string, exact: string): boolean {
  const isSameSecond = ({ second }: Reading, other: Reading) =>
    second === null || second === '00' || other.second === null || second === other.second;
  return text === exact || isSame(text, exact, isSameSecond);
}

function isSame(one: string, other: string, isSameSecond: (a: Reading, b: Reading) => boolean): boolean {
  const others = readingsOf(other);
  return readingsOf(one).some((a) => others.some((b) => a.minute === b.minute && isSameSecond(a, b)));
}

/** Whether a time is before another one, to the minute; what is no time is before every time. */
export function isEarlier(one: string, other: string): boolean {
  return latest(one) < latest(other);
}

function latest(text: string): string {
  return (
    readingsOf(text)
      .map(({ minute }) => minute)
      .sort()
      .at(-1) ?? ''
  );
}

const NOON_MARK = '(am|pm|a\\.m\\.|p\\.m\\.|午前|午後)';
const TIME = new RegExp(
  '^(\\d{1,4})[-/.年](\\d{1,2})[-/.月](\\d{1,4})日?[ T\u3000]+' +
    `${NOON_MARK}? ?(\\d{1,2})[:時](\\d{1,2})(?:[:分](\\d{1,2})(?:\\.\\d+)?)?[分秒]? ?${NOON_MARK}?$`,
  'i',
);

function readingsOf(text: string): Reading[] {
  const trimmed = trimCell(text);
  const serial = SERIAL.exec(trimmed);
  if (serial) return serialReadings(Number(trimmed), serial[1]!.length);
  const match = TIME.exec(trimmed);
  if (!match) return [];
  const [, a = '', b = '', c = '', before, hours = '', minutes = '', second, behind] = match;
  const mark = (before ?? behind)?.toLowerCase().replaceAll('.', '') ?? null;
  const hour = two(String(hourOf(Number(hours), mark)));
  return datesOf(a, b, c).map((date) => ({
    minute: date + hour + two(minutes),
    second: second === undefined ? null : two(second),
  }));
}

function hourOf(hour: number, mark: string | null): number {
  if (mark === null) return hour;
  const isAfternoon = mark === 'pm' || mark === '午後';
  return (hour % 12) + (isAfternoon ? 12 : 0);
}

/** YYYYMMDD in every order that the three numbers allow: which one was meant shows by comparing. */
function datesOf(a: string, b: string, c: string): string[] {
  const orders: [year: string, month: string, day: string][] = [];
  if (a.length > 2) orders.push([a, b, c]);
  else {
    if (c.length <= 2) orders.push([`20${two(a)}`, b, c]);
    const year = c.length <= 2 ? `20${two(c)}` : c;
    orders.push([year, a, b], [year, b, a]);
  }
  return orders.flatMap(([year, month, day]) => {
    const isDate = year.length === 4 && isWithin(month, 12) && isWithin(day, 31);
    return isDate ? [year + two(month) + two(day)] : [];
  });
}

function isWithin(text: string, most: number): boolean {
  return text.length <= 2 && Number(text) >= 1 && Number(text) <= most;
}

function two(text: string): string {
  return text.padStart(2, '0');
}

/** The day number of a spreadsheet: with four decimals it is a time to some seconds, with fewer it proves nothing. */
const SERIAL = /^\d{5}\.(\d{4,})$/;
const DAY_SECONDS = 86_400;
/** The day number of 1970-01-01. */
const UNIX_DAY = 25_569;

function serialReadings(serial: number, decimals: number): Reading[] {
  const seconds = (serial - UNIX_DAY) * DAY_SECONDS;
  const doubt = (DAY_SECONDS * 10 ** -decimals) / 2;
  const minutes = [seconds - doubt, seconds + doubt].map((at) =>
    new Date(Math.floor(at) * 1000).toISOString().slice(0, 16).replace(/\D/g, ''),
  );
  return [...new Set(minutes)].map((minute) => ({ minute, second: null }));
}
