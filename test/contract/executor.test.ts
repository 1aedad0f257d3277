import { describe, expect, test } from 'vitest';
import { createFakeExecutor } from '../../src/engine/fakes/executor.js';
import type { Launch } from '../../src/engine/ports.js';
import { createLocalRig } from '../executor/local-rig.js';
import { executorContract } from './executor.js';

executorContract('of this machine', () => {
  const rig = createLocalRig();
  return { ...rig, job: rig.steered };
});

executorContract('the fake', () => {
  const executor = createFakeExecutor(2);
  const history: string[] = [];
  const seen = new Set<Launch>();
  executor.judge('nosuch', {
    kind: 'refused',
    problem: { kind: 'missing', paths: ['./jobs/nosuch', './nosuch'] },
  });
  const noted = () => {
    for (const launch of executor.started()) {
      if (seen.has(launch)) continue;
      seen.add(launch);
      history.push(`start ${launch.job}.${launch.attempt}`);
      executor.report(launch.job, launch.attempt, { kind: 'running' });
    }
    return history;
  };
  return {
    executor,
    job: () => {},
    history: () => [...noted()],
    end: (job, attempt, code) => {
      noted();
      history.push(`end ${job}.${attempt}`);
      executor.report(job, attempt, { kind: 'exited', code });
    },
  };
});

describe('the fake executor', () => {
  const hear = () => {
    const executor = createFakeExecutor(1);
    const reports: string[] = [];
    executor.listen({
      report: (job, _attempt, { kind }) => reports.push(`${job} ${kind}`),
      launcher: ({ launcher }) => executor.admit(launcher),
    });
    return { executor, reports };
  };

  test('keeps every call of ensure', () => {
    const { executor } = hear();
    executor.ensure({ job: 'a', attempt: 1 });
    executor.ensure({ job: 'a', attempt: 1 });
    expect(executor.ensured).toEqual([
      { job: 'a', attempt: 1 },
      { job: 'a', attempt: 1 },
    ]);
  });

  test('lets the test say that an attempt never started', () => {
    const { executor, reports } = hear();
    executor.ensure({ job: 'a', attempt: 1 });
    executor.report('a', 1, { kind: 'not-started', cause: 'no fork' });
    expect([reports, executor.started()]).toEqual([['a not-started'], []]);
  });

  test('says so when a test reports on what nobody asked for', () => {
    const { executor } = hear();
    expect(() => executor.report('a', 1, { kind: 'lost' })).toThrow('a.1');
  });

  test('finds what the test says of a script', () => {
    const { executor } = hear();
    executor.judge('a', { kind: 'shortage', shortage: { kind: 'folder-gone', path: '/net' } });
    expect(executor.inspect('a').kind).toBe('shortage');
  });
});
