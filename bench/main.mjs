/** The benches: what is measured side by side on this machine, and what must hold. `npm run bench -- NAME`. */
import { writeFileSync } from 'node:fs';
import { WrongResult } from './harness/failures.mjs';
import { withFolder } from './harness/folders.mjs';
import { machineFacts, sayFacts } from './harness/machine.mjs';
import { optionsHelp, parseOptions, WrongUse } from './harness/options.mjs';

const BENCHES = {
  launch: {
    purpose: 'jobs a second: jobnet beside GNU make and beside the least that a launcher must do (in C)',
    load: () => import('./launch/bench.mjs'),
  },
  csv: {
    purpose: 'reading and checking a chain of 100,000 jobs, beside csv-parse alone',
    load: () => import('./csv/bench.mjs'),
  },
  locks: {
    purpose: 'locks beside the file operations that they must do, commands beside the start of Node',
    load: () => import('./locks/bench.mjs'),
  },
};

process.exitCode = await main(process.argv.slice(2));

/** 0: every goal is met; 1: one is not, or a result was wrong; 2: wrong use; 128 + signal: interrupted. */
async function main([name, ...rest]) {
  if (name === '--help' || name === '-h') {
    console.log(listOfBenches());
    return 0;
  }
  if (!Object.hasOwn(BENCHES, name ?? '')) {
    if (name !== undefined) console.error(`There is no bench "${name}".`);
    console.error(listOfBenches());
    return 2;
  }
  const bench = await BENCHES[name].load();
  try {
    const options = parseOptions(bench.OPTIONS, rest);
    if (!options.help) return await runBench(name, bench, options);
    console.log(
      `npm run bench -- ${name} [options]\n${BENCHES[name].purpose}\n\n${optionsHelp(bench.OPTIONS)}`,
    );
    return 0;
  } catch (error) {
    if (error instanceof WrongUse) {
      console.error(`${error.message}\nSee: npm run bench -- ${name} --help`);
      return 2;
    }
    if (!(error instanceof WrongResult)) throw error;
    console.error(`WRONG RESULT: ${error.message}`);
    return 1;
  }
}

function listOfBenches() {
  const lines = Object.entries(BENCHES).map(([name, { purpose }]) => `  ${name.padEnd(8)}${purpose}`);
  return ['npm run bench -- NAME [options]', '', ...lines, '', 'NAME --help: its options'].join('\n');
}

async function runBench(name, bench, options) {
  const interrupt = listenForInterrupts();
  try {
    return await withFolder(options, async (folder) => {
      const machine = machineFacts(folder);
      sayFacts(machine);
      const { lines, goals, ...result } = await bench.run({ options, folder, signal: interrupt.signal });
      for (const line of [...lines, '', ...goals.map(goalLine)]) console.log(line);
      const isMet = goals.every((goal) => goal.isMet === true);
      if (options.json !== undefined) {
        const { json: _, dir: __, ...given } = options;
        const whole = {
          bench: name,
          at: new Date().toISOString(),
          options: given,
          machine,
          ...result,
          goals,
        };
        writeFileSync(options.json, `${JSON.stringify(whole, null, 2)}\n`);
      }
      return isMet ? 0 : 1;
    });
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    return interrupt.signal.reason;
  }
}

/** `isMet` is null where a goal could not be judged: a check that looked at nothing does not pass. */
function goalLine({ text, isMet, found }) {
  const verdict = isMet === null ? 'not judged' : isMet ? 'met' : 'not met';
  return `goal: ${text}: ${found}: ${verdict}`;
}

/** What runs is ended and the folders are removed, as after a whole bench. */
function listenForInterrupts() {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(130));
  process.once('SIGTERM', () => controller.abort(143));
  return controller;
}
