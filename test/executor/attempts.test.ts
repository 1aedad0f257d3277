import { describe, expect, test } from 'vitest';
import { commandPath, logPath, shardOf } from '../../src/executor/attempts.js';

describe('the shard of a job', () => {
  // Fixed for ever: a controller of another version must find the same log, or its claim guards nothing.
  test.each([
    { job: 'J01', shard: '3c' },
    { job: 'extract', shard: 'f1' },
    { job: '日次集計', shard: '00' },
    { job: 'ガス料金', shard: '87' },
    { job: 'month end', shard: '7d' },
    { job: 'é', shard: '4a' },
  ])('of "$job" is $shard', ({ job, shard }) => {
    expect(shardOf(job)).toBe(shard);
  });

  test('is always two hexadecimal digits', () => {
    const names = Array.from({ length: 2000 }, (_, index) => `job ${index}`);
    expect(names.filter((name) => !/^[0-9a-f]{2}$/.test(shardOf(name)))).toEqual([]);
  });

  test('spreads the jobs over all folders', () => {
    const shards = new Set(Array.from({ length: 10_000 }, (_, index) => shardOf(`job ${index}`)));
    expect(shards.size).toBe(256);
  });
});

test('a log lies in the shard of its job, under name and number', () => {
  expect(logPath('/run', 'J01', 12)).toBe(`/run/attempts/${shardOf('J01')}/J01.12.log`);
});

test('a long command lies beside the log of its attempt', () => {
  expect(commandPath('/run', 'J01', 12)).toBe(`/run/attempts/${shardOf('J01')}/J01.12.sh`);
});
