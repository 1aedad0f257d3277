/** What the commands' options have in common: values that are checked, and help in the language of the rest. */
import { constants } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTime } from '../core/times.js';
import type { Messages } from './messages/index.js';

const PARALLEL_MAX = 10_000;

export function number(flags: string, help: string, m: Messages, max = PARALLEL_MAX): Option {
  return new Option(flags, help).argParser((value) => {
    const parsed = Number(value);
    if (/^\d+$/.test(value) && parsed >= 1 && parsed <= max) return parsed;
    throw new InvalidArgumentError(m.usage.badValue(flags, value, m.usage.wholeNumber));
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
