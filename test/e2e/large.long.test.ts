/** A net of 10,000 real jobs: each runs once, in order, and the CSV agrees with the journal. */
import { linkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createBench, csvOf } from './workbench.js';

const LAYERS = 100;
const WIDTH = 100;

test(`${LAYERS * WIDTH} jobs in ${LAYERS} layers, two predecessors each, run once and in order`, async () => {
  const name = (layer: number, place: number) => `J${layer}_${place % WIDTH}`;
  const rows = Array.from({ length: LAYERS * WIDTH }, (_, index) => {
    const layer = Math.floor(index / WIDTH);
    const place = index % WIDTH;
    const before = layer === 0 ? [] : [name(layer - 1, place), name(layer - 1, place + 1)];
    return [name(layer, place), ...before];
  });
  const net = createBench(csvOf(rows));
  const script = path.join(net.folder, 'noted');
  writeFileSync(script, '#!/bin/sh\necho "$JOBNET_JOB.$JOBNET_ATTEMPT" >>effects.txt\n', { mode: 0o755 });
  for (const [job] of rows) linkSync(script, path.join(net.folder, 'jobs', job!));
  expect((await net.start('start').finished).code).toBe(0);
  expect(net.effects().sort()).toEqual(rows.map(([job]) => `${job}.1`).sort());
  expect(new Set(Object.values(net.statuses()))).toEqual(new Set(['0']));
  const jobs = new Map(net.statusJson().jobs.map((job) => [job.job, job]));
  const early = [...jobs.values()].filter((job) =>
    job.predecessors.some((before) => Date.parse(jobs.get(before)!.endedAt!) > Date.parse(job.startedAt!)),
  );
  expect(early).toEqual([]);
});
