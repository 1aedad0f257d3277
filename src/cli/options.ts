/** What the commands' options have in common: values that are checked, and help in the language of the rest. */
import { constants } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTime } from '../core/times.js';
import type { Messages } from './messages/index.js';

const PARALLEL_MAX = 10_000;

export function number(flags: string, help: string, m: Messages, max = PARALLEL_MAX): Option {
  return wholeNumber(flags, help, { min: 1, max, allowed: m.usage.wholeNumber }, m);
}

/** 0 as well. */
export function count(flags: string, help: string, m: Messages): Option {
  const range = { min: 0, max: Number.MAX_SAFE_INTEGER, allowed: m.usage.count };
  return wholeNumber(flags, help, range, m);
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly allowed: string;
}

function wholeNumber(flags: string, help: string, { min, max, allowed }: Range, m: Messages): Option {
  return new Option(flags, help).argParser((value) => {
    const parsed = Number(value);
    if (/^\d+$/.test(value) && parsed >= min && parsed <= max) return parsed;
    throw new InvalidArgumentError(m.usage.badValue(flags, value, allowed));
  });
}

/** A signal of this system, with or without SIG. */
export function signal(flags: string, help: string, m: Messages): Option {
  return new Option(flags, help).argParser((value) => {
    const name = value.toUpperCase().replace(/^SIG/, '');
    if (`SIG${name}` in constants.signals) return name;
    throw new InvalidArgumentError(m.usage.badValue(flags, value, m.usage.signal));
  });
}

export function time(flags: string, help: string, m: Messages): Option {
  return new Option(flags, help).argParser((value) => {
    const ms = parseTime(value);
    if (ms !== null) return ms;
    throw new InvalidArgumentError(m.usage.badValue(flags, value, m.claims.duration));
  });
}

export function choice(flags: string, help: string, values: readonly string[], m: Messages): Option {
  return new Option(flags, help).argParser((value) => {
    if (values.includes(value)) return value;
    throw new InvalidArgumentError(m.usage.badValue(flags, value, m.usage.oneOf(values)));
  });
}

const UNITS = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Bytes: `10M`, `1G`, `500k`, plain bytes; null for `none` and for `0`, which means the same to other tools. */
export function size(flags: string, help: string, min: number, m: Messages): Option {
  return new Option(flags, help).argParser((value) => {
    if (value === 'none' || value === '0') return null;
    const [, digits, unit = ''] = /^(\d+)([kmg]?)$/.exec(value.toLowerCase()) ?? [];
    const bytes = Number(digits) * UNITS[unit as keyof typeof UNITS];
    if (bytes >= min && Number.isSafeInteger(bytes)) return bytes;
    throw new InvalidArgumentError(m.usage.badValue(flags, value, m.usage.size));
  });
}

const TITLES = {
  'Usage:': 'usage',
  'Arguments:': 'arguments',
  'Options:': 'options',
  'Commands:': 'commands',
} as const;

/** Errors are thrown, not printed; the titles of help are in the language of the rest. */
export function styled(command: Command, m: Messages): Command {
  return command
    .exitOverride()
    .helpOption('-h, --help', m.help.helpOption)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      // The texts name the defaults that are worth knowing.
      optionDescription: (option) => option.description,
      styleTitle: (title) => (title in TITLES ? m.help[TITLES[title as keyof typeof TITLES]] : title),
    });
}
