/** Names as spreadsheets change them: leading zeros gone, dates and exponents instead of what looked like one. */
import type { JobName } from './words.js';

const PAIRS_MAX = 20;

/** Names that went while others came that a spreadsheet would make of them. */
export function changedNames(removed: readonly JobName[], added: readonly JobName[]): [JobName, JobName][] {
  const byNumber = new Map(added.flatMap((name) => (isNumeric(name) ? [[Number(name), name]] : [])));
  const rewritten = added.filter((name) => REWRITTEN.test(name));
  const pairs: [JobName, JobName][] = [];
  for (const name of removed) {
    const equal = isNumeric(name) ? byNumber.get(Number(name)) : undefined;
    const made = equal ?? (MAY_BE_REWRITTEN.test(name) ? likeliest(name, rewritten) : undefined);
    if (made !== undefined) pairs.push([name, made]);
  }
  return pairs.slice(0, PAIRS_MAX);
}

function isNumeric(name: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(name);
}

/** The one with the same day or time in it, else any: what a spreadsheet made of a name does not always show it. */
function likeliest(name: JobName, rewritten: readonly JobName[]): JobName | undefined {
  const own = numbersIn(name);
  return rewritten.find((made) => own.every((number) => numbersIn(made).includes(number))) ?? rewritten[0];
}

/** Numbers of a date or a time, months by their names as well. */
function numbersIn(name: JobName): number[] {
  const month = MONTHS.findIndex((letters) => name.toLowerCase().includes(letters));
  const digits = Array.from(name.matchAll(/\d+/g), ([number]) => Number(number));
  return month < 0 ? digits : [...digits, month + 1];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What spreadsheets write for dates, times and large numbers: 3月1日, 1-Mar, Mar-01, 2026/3/1, 1.00E+10, 9:30, 46082. */
const REWRITTEN =
  /^(\d{1,2}月\d{1,2}日|\d{1,4}年.*|\d{1,2}-[A-Z][a-z]{2}(-\d{2,4})?|[A-Z][a-z]{2}-\d{1,4}|\d{1,4}[/-]\d{1,2}([/-]\d{1,4})?|\d(\.\d+)?E[+-]\d+|\d{1,2}:\d{2}(:\d{2})?|\d{5})$/;
/** What they are made from: 3-1, 1/2, MAR1, SEPT2, 1E10, and numbers with more digits than are shown. */
const MAY_BE_REWRITTEN =
  /^(\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?|(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*[-. ]?\d{1,4}|\d{1,2}[-. ]?(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*|\d+e\d+|\d{1,2}:\d{2}|\d{12,})$/i;
