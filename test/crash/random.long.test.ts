import { expect, test } from 'vitest';
import { journalOf } from '../e2e/journal.js';
import { isAlive } from '../e2e/workbench.js';
import { random } from '../random.js';
import { checkHistory, countedNet, goOn, type Rows, type Victims } from './crashes.js';

const RUNS = 200;
/** Kills while a run of two hundred jobs goes on. */
const KILLS = 20;

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);

const SHORT: Rows = [['A'], ['B', 'A'], ['C', 'A'], ['D', 'B', 'C'], ['E', 'D'], ['F', 'E']];

test(`${RUNS} runs whose controller or launcher is killed at any moment, seed ${seed}`, async () => {
  const next = random(seed);
  for (let run = 0; run < RUNS; run++) {
    const victims: Victims = (['controller', 'launchers', 'both'] as const)[Math.floor(next() * 3)]!;
    const net = countedNet(SHORT);
    const running = net.start('start', '--keep-going');
    await Promise.race([running.finished, new Promise((wake) => setTimeout(wake, 150 + next() * 350))]);
    if (victims !== 'controller') killLaunchers(net);
    if (victims !== 'launchers') running.child.kill('SIGKILL');
    await running.finished;
    try {
      await goOn(net, victims);
      checkHistory(net, victims);
    } catch (error) {
      throw new Error(`seed ${seed}, run ${run}, ${victims} killed`, { cause: error });
    }
  }
  console.log(`crashes: ${RUNS} runs killed at any moment, seed ${seed}`);
});

test(`a run of 200 jobs whose controller is killed ${KILLS} times comes to its right end, seed ${seed}`, async () => {
  const next = random(seed);
  const rows: Rows = Array.from({ length: 200 }, (_, index) =>
    index < 10 ? [`J${index}`] : [`J${index}`, `J${index - 10}`, `J${index - 1 - (index % 10)}`],
  );
  const net = countedNet(rows);
  let running = net.start('start', '-j', '2');
  for (let kill = 0; kill < KILLS; kill++) {
    await Promise.race([running.finished, new Promise((wake) => setTimeout(wake, 200 + next() * 150))]);
    running.child.kill('SIGKILL');
    await running.finished;
    running = net.start('resume', '-j', '2');
  }
  expect((await running.finished).code).toBe(0);
  checkHistory(net, 'controller');
});

function killLaunchers(net: Parameters<typeof journalOf>[0]): void {
  for (const event of journalOrNone(net)) {
    if (event.type === 'launcher-started' && isAlive(event.pid)) process.kill(event.pid, 'SIGKILL');
  }
}

/** There may be no journal yet. */
function journalOrNone(net: Parameters<typeof journalOf>[0]): ReturnType<typeof journalOf> {
  try {
    return journalOf(net);
  } catch {
    return [];
  }
}
