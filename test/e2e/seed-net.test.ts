/** The net of the article: its shape, its rules, and what its own controller got wrong. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createBench, csvOf, ending, NOTED, SEED_JOBS, SEED_ROWS } from './workbench.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const seed = () => createBench(csvOf(SEED_ROWS), { jobs: [...SEED_JOBS] });
const all = (status: string) => Object.fromEntries(SEED_JOBS.map((job) => [job, status]));

describe('the seed net', () => {
  test('runs to its end: exit 0, every row 0, every job once', () => {
    const net = seed();
    expect(net.run('start').code).toBe(0);
    expect(net.statuses()).toEqual(all('0'));
    expect(net.effects().sort()).toEqual(SEED_JOBS);
  });

  test('keeps the order of its predecessors by the recorded times', () => {
    const net = seed();
    net.run('start');
    const jobs = new Map(net.statusJson().jobs.map((job) => [job.job, job]));
    for (const job of jobs.values()) {
      for (const before of job.predecessors) {
        expect(Date.parse(jobs.get(before)!.endedAt!)).toBeLessThanOrEqual(Date.parse(job.startedAt!));
      }
    }
  });

  test('stops behind a job that fails in the middle: exit 1, its row 1, later rows 9', () => {
    const net = seed();
    net.script('J06', ending(3));
    expect(net.run('start').code).toBe(1);
    expect(net.statuses()).toMatchObject({ J04: '0', J06: '1', J07: '9', J08: '9', J12: '9' });
  });

  test('resumes with what was not 0, and with nothing else', () => {
    const net = seed();
    net.script('J06', ending(3));
    net.run('start');
    const before = net.effects();
    net.script('J06', NOTED);
    expect(net.run('resume').code).toBe(0);
    expect(net.statuses()).toEqual(all('0'));
    const again = net.effects().slice(before.length);
    expect(again.sort()).toEqual(['J06', 'J07', 'J08', 'J09', 'J10', 'J11', 'J12']);
  });

  test('counts an abended last job as an abend, which the seed misses', () => {
    const net = seed();
    net.script('J12', ending(1));
    expect(net.run('start').code).toBe(1);
    expect(net.statuses()).toEqual({ ...all('0'), J12: '1' });
  });

  test.each([2, 3, 9, 127, 255])(
    'takes a job that ends with %i for abended, which the seed does not',
    (code) => {
      const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['B'] });
      net.script('A', ending(code));
      expect(net.run('start').code).toBe(1);
      expect(net.statuses()).toEqual({ A: '1', B: '9' });
      expect(net.effects()).toEqual(['A']);
    },
  );

  test('waits where Start stands beside a predecessor', () => {
    const net = createBench(
      csvOf([
        ['A', 'Start'],
        ['B', 'A', 'Start'],
      ]),
      { jobs: ['A', 'B'] },
    );
    const { code, err } = net.run('start');
    expect(code).toBe(0);
    expect(net.effects()).toEqual(['A', 'B']);
    expect(err).toContain('"Start" is ignored');
  });

  test('says "nothing to do" when everything has ended', () => {
    const net = seed();
    net.run('start');
    const { code, out } = net.run('resume');
    expect(code).toBe(0);
    expect(out).toContain('nothing to do');
    expect(net.effects()).toHaveLength(12);
  });

  test('runs everything again on start', () => {
    const net = seed();
    net.run('start');
    expect(net.run('start').code).toBe(0);
    expect(net.effects()).toHaveLength(24);
  });
});

describe('the sample net of this project', () => {
  test.each([
    [
      'in a folder with blanks and Japanese in its name, in Japanese',
      '月次 処理 net',
      { LC_ALL: 'ja_JP.UTF-8' },
      '全 12 ジョブが正常終了しました',
    ],
    ['in the C locale', 'net', { LC_ALL: 'C' }, 'All 12 jobs ended normally'],
  ])('runs %s', async (_, name, env, said) => {
    const net = createBench('', { name });
    cpSync(path.join(ROOT, 'jobs'), path.join(net.folder, 'jobs'), { recursive: true });
    net.csv(readFileSync(path.join(ROOT, 'jobnet.csv'), 'utf8'));
    const { code, out } = await net.startWith({ env }, 'start').finished;
    expect(out).toContain(said);
    expect(code).toBe(0);
    const verified = execFileSync(path.join(ROOT, 'scripts/verify-net'), [net.file], { encoding: 'utf8' });
    expect(verified).toBe('12 jobs verified\n');
  });

  test('is committed with every row 9 and blank times', () => {
    const rows = readFileSync(path.join(ROOT, 'jobnet.csv'), 'utf8').trim().split('\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(1, 4).join())).toEqual(rows.map(() => '9,,'));
  });
});
