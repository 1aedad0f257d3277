import { describe, expect, test } from 'vitest';
import { SEED_ROWS } from '../e2e/workbench.js';
import { random } from '../random.js';
import { checkHistory, countedNet, crashAt, goOn, type Victims } from './crashes.js';

/** Every eighth point, beginning anywhere: eight runs of this visit them all. */
const STRIDE = 8;

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const first = 1 + (seed % STRIDE);

describe(`twelve jobs, points from ${first} on, seed ${seed}`, () => {
  test.each<[string, Victims]>([
    ['a controller that is killed', 'controller'],
    ['a controller whose launchers are killed', 'launchers'],
    ['a controller that is killed with its launchers', 'both'],
  ])('%s leaves a run that comes to its end', async (_, victims) => {
    const next = random(seed);
    let visited = 0;
    for (let point = first; ; point += STRIDE, visited++) {
      const net = countedNet(SEED_ROWS);
      const { code, out, err } = await crashAt(net, point, victims, 'start', '--keep-going');
      // The last point lies behind the end: nothing was killed.
      if (code === 0 && victims !== 'launchers') break;
      const isOver = victims === 'launchers' && point > POINTS_MAX;
      if (isOver) break;
      if (victims !== 'launchers' && code !== null) throw new Error(`point ${point}: ${code}\n${out}${err}`);
      // Twice in a row: the one that goes on is killed as well.
      if (next() < 0.3) await crashAt(net, 1 + Math.floor(next() * 60), victims, 'resume', '--rerun-lost');
      await goOn(net, victims);
      checkHistory(net, victims);
    }
    console.log(`crashes, ${victims}: ${visited} points of a run of twelve jobs`);
    expect(visited).toBeGreaterThan(15);
  });
});

/** A run of twelve jobs has fewer; what is killed behind them is nothing. */
const POINTS_MAX = 240;
