/** What every executor keeps: an attempt starts once, in an admitted launcher, and its end is told once. */
import { describe, expect, test } from 'vitest';
import type { Executor } from '../../src/engine/ports.js';
import { until } from '../executor/support.js';

export interface ExecutorRig {
  /** With two slots. */
  readonly executor: Executor;
  /** Makes a job that ends when the test says so. */
  job(name: string): void;
  /** `start JOB.ATTEMPT` and `end JOB.ATTEMPT` of all jobs, as they came to pass. */
  history(): string[];
  /** Ends a job that has started. */
  end(job: string, attempt: number, code: number): void;
}

/** Listens, and writes down what it hears. */
function hear(executor: Executor, options: { admits: boolean } = { admits: true }) {
  const reports: string[] = [];
  const launchers: string[] = [];
  executor.listen({
    report: (job, attempt, report) => {
      reports.push(`${job}.${attempt} ${report.kind}${report.kind === 'exited' ? ` ${report.code}` : ''}`);
    },
    launcher: ({ launcher }) => {
      launchers.push(launcher);
      if (options.admits) executor.admit(launcher);
    },
  });
  return { reports, launchers, ends: () => reports.filter((report) => !report.endsWith('running')) };
}

export function executorContract(name: string, createRig: () => ExecutorRig): void {
  /** A rig with jobs, heard. */
  function given(jobs: string, options?: { admits: boolean }) {
    const rig = createRig();
    for (const job of jobs) rig.job(job);
    const launch = (job: string, attempt = 1) => {
      rig.executor.inspect(job);
      rig.executor.ensure({ job, attempt });
    };
    const happened = (count: number) => until(() => rig.history().length >= count);
    return { ...rig, ...hear(rig.executor, options), launch, happened };
  }

  describe(`an executor: ${name}`, () => {
    test('finds a job with a script startable, and names the version of the script', () => {
      const { executor } = given('J');
      const script = expect.stringMatching(/^[0-9a-f]{16}$/);
      expect(executor.inspect('J')).toEqual({ kind: 'startable', script, interpreter: '/bin/sh' });
    });

    test('refuses a job without a script, and names where one could be', () => {
      const { executor } = given('');
      expect(executor.inspect('nosuch')).toEqual({
        kind: 'refused',
        problem: { kind: 'missing', paths: ['./jobs/nosuch', './nosuch'] },
      });
    });

    test.each([0, 1, 137, 255])('tells the code with which an attempt exited: %d', async (code) => {
      const { launch, happened, end, ends } = given('J');
      launch('J');
      await happened(1);
      end('J', 1, code);
      await until(() => ends().length > 0);
      expect(ends()).toEqual([`J.1 exited ${code}`]);
    });

    test('tells that an attempt runs while it lasts, once', async () => {
      const { launch, happened, end, reports } = given('J');
      launch('J');
      await happened(1);
      await until(() => reports.includes('J.1 running'));
      end('J', 1, 0);
      await until(() => reports.length > 1);
      expect(reports).toEqual(['J.1 running', 'J.1 exited 0']);
    });

    test('tells that an attempt runs once, also when another one follows', async () => {
      const { launch, happened, reports } = given('JK');
      launch('J');
      await happened(1);
      await until(() => reports.includes('J.1 running'));
      launch('K');
      await happened(2);
      await until(() => reports.includes('K.1 running'));
      expect(reports).toEqual(['J.1 running', 'K.1 running']);
    });

    test('starts an attempt once, however often it is asked while that is not over', async () => {
      const { launch, happened, end, ends, executor, history } = given('JK');
      launch('J');
      executor.ensure({ job: 'J', attempt: 1 });
      await happened(1);
      executor.ensure({ job: 'J', attempt: 1 });
      launch('K');
      await happened(2);
      end('J', 1, 0);
      end('K', 1, 0);
      await until(() => ends().length > 1);
      expect(history().filter((line) => line.startsWith('start'))).toEqual(['start J.1', 'start K.1']);
    });

    test('tells one end of an attempt, however often it is asked while that is not over', async () => {
      const { launch, happened, end, ends, executor } = given('JK');
      launch('J');
      executor.ensure({ job: 'J', attempt: 1 });
      await happened(1);
      end('J', 1, 0);
      await until(() => ends().length > 0);
      launch('K');
      await happened(3);
      end('K', 1, 0);
      await until(() => ends().length > 1);
      expect(ends()).toEqual(['J.1 exited 0', 'K.1 exited 0']);
    });

    test('starts the next attempt of a job as another one', async () => {
      const { launch, happened, end, ends } = given('J');
      launch('J', 1);
      await happened(1);
      end('J', 1, 1);
      await until(() => ends().length === 1);
      launch('J', 2);
      await happened(3);
      end('J', 2, 0);
      await until(() => ends().length === 2);
      expect(ends()).toEqual(['J.1 exited 1', 'J.2 exited 0']);
    });

    test('makes a launcher known before the first attempt starts', async () => {
      const { launch, launchers, history } = given('J', { admits: false });
      launch('J');
      await until(() => launchers.length > 0);
      expect(history()).toEqual([]);
    });

    test('starts nothing in a launcher that was not admitted', async () => {
      const { launch, launchers, happened, end, executor, history } = given('JK', { admits: false });
      launch('J');
      launch('K');
      await until(() => launchers.length === 2);
      executor.admit(launchers[1]!);
      await happened(1);
      end('J', 1, 0);
      await happened(3);
      expect(history()).toEqual(['start J.1', 'end J.1', 'start K.1']);
    });

    test('gives a launcher that was admitted twice no second job', async () => {
      const { launch, launchers, happened, end, ends, executor } = given('JK', { admits: false });
      launch('J');
      launch('K');
      await until(() => launchers.length === 2);
      executor.admit(launchers[0]!);
      executor.admit(launchers[0]!);
      await happened(1);
      end('J', 1, 0);
      await until(() => ends().length > 0);
      await happened(3);
      end('K', 1, 0);
      await until(() => ends().length > 1);
      expect(ends()).toEqual(['J.1 exited 0', 'K.1 exited 0']);
    });

    test('takes no notice of the admission of a launcher that it does not have', async () => {
      const { launch, launchers, executor, history } = given('J', { admits: false });
      executor.admit('99-1');
      launch('J');
      await until(() => launchers.length > 0);
      expect(history()).toEqual([]);
    });

    test('uses its launchers again', async () => {
      const { launch, launchers, happened, end, ends } = given('JK');
      launch('J');
      await happened(1);
      end('J', 1, 0);
      await until(() => ends().length === 1);
      launch('K');
      await happened(3);
      end('K', 1, 0);
      await until(() => ends().length === 2);
      expect(launchers).toHaveLength(1);
    });

    test('runs as many attempts side by side as it has slots', async () => {
      const { launch, happened, history } = given('JK');
      launch('J');
      launch('K');
      await happened(2);
      expect(history().sort()).toEqual(['start J.1', 'start K.1']);
    });

    test('starts no attempt beyond its slots before another has ended, and then without being asked again', async () => {
      const { launch, happened, end, history } = given('JKL');
      for (const job of 'JKL') launch(job);
      await happened(2);
      end('K', 1, 0);
      await happened(4);
      expect(history().slice(2)).toEqual(['end K.1', 'start L.1']);
    });

    test('reports nothing from within a call', () => {
      const { launch, reports, launchers } = given('J');
      launch('J');
      expect([reports, launchers]).toEqual([[], []]);
    });

    test('reports nothing after it was closed, although jobs go on and end', async () => {
      const { launch, happened, end, executor, reports, launchers } = given('J');
      launch('J');
      await happened(1);
      await executor.close();
      const heard = [...reports, ...launchers];
      end('J', 1, 3);
      await happened(2);
      expect([...reports, ...launchers]).toEqual(heard);
    });

    test('reports no launcher after it was closed in the middle of a start', async () => {
      const { launch, executor, launchers } = given('J');
      launch('J');
      await executor.close();
      expect(launchers).toEqual([]);
    });

    test('may be closed twice', async () => {
      const { launch, happened, executor } = given('J');
      launch('J');
      await happened(1);
      await executor.close();
      await expect(executor.close()).resolves.toBeUndefined();
    });

    test('starts nothing after it was closed, although a launcher is idle', async () => {
      const { launch, happened, end, ends, executor, history } = given('JK');
      launch('J');
      await happened(1);
      end('J', 1, 0);
      await until(() => ends().length > 0);
      await executor.close();
      launch('K');
      await executor.close();
      expect(history()).toEqual(['start J.1', 'end J.1']);
    });
  });
}
