/** Options of a bench: one table gives the parsing, the defaults and the help. */
import { parseArgs } from 'node:util';

/** The user's mistake: said plainly, without a stack. */
export class WrongUse extends Error {
  constructor(message) {
    super(message);
    this.name = 'WrongUse';
  }
}

/** Options of every bench. */
const COMMON = {
  dir: { value: 'DIR', help: 'make the folders in DIR, not in the folder for temporary files' },
  json: { value: 'FILE', help: 'write the result to FILE as well, as JSON' },
  keep: { help: 'leave the folders for a look' },
  help: { help: 'this help' },
};

/**
 * @param table by name: `value` (what it is called in the help; without it the option is a switch), `help`, and for
 *   whole numbers `default`, `least` and `step`
 */
export function parseOptions(table, argv) {
  const whole = { ...table, ...COMMON };
  const types = Object.entries(whole).map(([name, { value }]) => {
    return [name, { type: value === undefined ? 'boolean' : 'string' }];
  });
  let values;
  try {
    ({ values } = parseArgs({ args: argv, options: Object.fromEntries(types), allowPositionals: false }));
  } catch (error) {
    throw new WrongUse(error.message);
  }
  const entries = Object.entries(whole).map(([name, spec]) => {
    return [name, 'default' in spec ? wholeNumber(name, values[name], spec) : values[name]];
  });
  return Object.fromEntries(entries);
}

function wholeNumber(name, given, { default: unset, least, step = 1 }) {
  if (given === undefined) return unset;
  const number = Number(given);
  if (/^\d{1,9}$/.test(given) && number >= least && number % step === 0) return number;
  const kind = step === 1 ? 'a whole number' : `a multiple of ${step}`;
  throw new WrongUse(`--${name} takes ${kind}, at least ${least}; not "${given}".`);
}

export function optionsHelp(table) {
  const lines = Object.entries({ ...table, ...COMMON }).map(([name, { value, help, default: unset }]) => {
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`;
    return `  ${flag.padEnd(16)}${help}${unset === undefined ? '' : ` (default: ${unset})`}`;
  });
  return ['Options:', ...lines].join('\n');
}
