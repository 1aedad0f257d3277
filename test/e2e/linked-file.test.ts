/** A CSV that stands elsewhere, and is shared with others. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createBench, csvOf } from './workbench.js';

test('STA-07 a link to a shared file stays one, and the file keeps its mode', () => {
  const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['A', 'B'] });
  const real = path.join(net.folder, '..', 'shared', 'real.csv');
  mkdirSync(path.dirname(real));
  renameSync(net.file, real);
  chmodSync(real, 0o664);
  symlinkSync('../shared/real.csv', net.file);
  expect(net.run('start').code).toBe(0);
  expect(lstatSync(net.file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toMatch(/^A,0,.*\nB,0,/m);
  expect(statSync(real).mode & 0o7777).toBe(0o664);
});
