/** One process of the self-test: contenders that all want a claim, one operation of each at a time, in any order. */
import { appendFileSync } from 'node:fs';
import { bid, prepare, release } from './bid.js';
import { isOver, ownRecord } from './claim.js';
import { DISK } from './disk.js';
import { ask, type Files, runSteps, type Steps } from './steps.js';

const [folder = '', record = '', count = '1', temper] = process.argv.slice(2);
const ROUNDS = 10;

process.once('message', () => {
  const contenders = Array.from({ length: Number(count) }, () => contend());
  let isFrozen = false;
  while (contenders.length > 0) {
    const at = Math.floor(Math.random() * contenders.length);
    const contender = contenders[at]!;
    const next = contender.steps.next(contender.answer);
    if (next.done) {
      contenders.splice(at, 1);
      continue;
    }
    const [name, ...args] = next.value;
    if (temper === 'frozen' && name === 'link' && !isFrozen) {
      isFrozen = true;
      process.kill(process.pid, 'SIGSTOP');
    }
    contender.answer = (DISK[name as keyof Files] as (...all: unknown[]) => unknown)(...args);
  }
  process.exit();
});
process.send?.('ready');

interface Contender {
  readonly steps: Steps<void>;
  answer: unknown;
}

function contend(): Contender {
  return { steps: rounds(), answer: undefined };
}

/** Takes the claim once, if it is free within its rounds. */
function* rounds(): Steps<void> {
  const me = yield* prepare(folder, ownRecord(Date.now()));
  for (let round = 0; round < ROUNDS; round++) {
    const made = yield* bid(me, isOver);
    if (made === 'again' || made.kind === 'found') continue;
    appendFileSync(record, `+ ${made.number}\n`);
    yield* ask('list', folder);
    appendFileSync(record, `- ${made.number}\n`);
    yield* release(folder, made.number);
    break;
  }
  runSteps(ask('remove', me.prepared), DISK);
}
