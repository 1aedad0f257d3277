import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { findMarked, parseMarkedLine } from '../../src/host/marked.js';
import { findProgram, isLinux, killAtEnd, startChild, startZombie, until } from '../executor/support.js';

let runs = 0;
/** A run of its own for each test. */
const newMarker = () => ({ run: `test-${process.pid}-${++runs}`, file: '/data/月次 処理/jobnet.csv' });

type Marker = ReturnType<typeof newMarker>;

const environment = ({ run, file }: Marker, job?: string, attempt = '1') => ({
  PATH: process.env['PATH'],
  JOBNET_RUN: run,
  JOBNET_FILE: file,
  ...(job === undefined ? {} : { JOBNET_JOB: job, JOBNET_ATTEMPT: attempt }),
});

/** A process that waits until the test ends; resolves when it has its own environment. */
async function waiting(env: Record<string, string | undefined>, ...wrapper: string[]): Promise<number> {
  const command = [...wrapper, '/bin/sh', '-c', 'echo $$; read -r x'];
  const child = startChild(command[0]!, command.slice(1), { env });
  const [pid] = await once(child.stdout!, 'data');
  return Number(pid);
}

describe.skipIf(!isLinux)('marked processes', () => {
  test('are found with job and attempt', async () => {
    const marker = newMarker();
    const pid = await waiting(environment(marker, '日次 集計', '12'));
    expect(findMarked(marker)).toEqual([{ pid, job: '日次 集計', attempt: 12 }]);
  });

  test.skipIf(!findProgram('setsid'))('are found in a session of their own', async () => {
    const marker = newMarker();
    const pid = await waiting(environment(marker, 'J'), 'setsid');
    expect(findMarked(marker).map((one) => one.pid)).toContain(pid);
  });

  test('are found when a parent that is gone has left them behind', async () => {
    const marker = newMarker();
    const parent = startChild('/bin/sh', ['-c', 'sleep 600 >&- & echo $!'], {
      env: environment(marker, 'J'),
    });
    const left = once(parent, 'exit');
    const [pid] = await once(parent.stdout!, 'data');
    killAtEnd(() => [Number(pid)]);
    await left;
    expect(findMarked(marker).map((one) => one.pid)).toEqual([Number(pid)]);
  });

  test('are not launchers, which have no job', async () => {
    const marker = newMarker();
    await waiting(environment(marker));
    expect(findMarked(marker)).toEqual([]);
  });

  test('are not what has a job and no attempt', async () => {
    const marker = newMarker();
    await waiting({ ...environment(marker), JOBNET_JOB: 'J' });
    expect(findMarked(marker)).toEqual([]);
  });

  test('are not those of another run', async () => {
    const marker = newMarker();
    await waiting(environment(newMarker(), 'J'));
    expect(findMarked(marker)).toEqual([]);
  });

  test('are not those of a run whose name begins with that of this one', async () => {
    const marker = newMarker();
    await waiting(environment({ ...marker, run: `${marker.run}0` }, 'J'));
    expect(findMarked(marker)).toEqual([]);
  });

  test('are not those of a run whose name ends with that of this one', async () => {
    const marker = newMarker();
    await waiting({
      ...environment({ ...marker, run: 'x' }, 'J'),
      XJOBNET_RUN: marker.run,
      JOBNET_RUN_: marker.run,
    });
    expect(findMarked(marker)).toEqual([]);
  });

  test('are not those of a run of the same name in another file', async () => {
    const marker = newMarker();
    await waiting(environment({ ...marker, file: `${marker.file}.old` }, 'J'));
    expect(findMarked(marker)).toEqual([]);
  });

  test('are not the dead ones that nobody waited for', async () => {
    const marker = newMarker();
    await startZombie(environment(marker, 'J'));
    expect(await until(() => findMarked(marker).length === 0)).toBe(true);
  });
});

describe('a line of ps -E on macOS', () => {
  const marker = { run: '20251127-090501-3', file: '/data/月次 処理/jobnet.csv' };
  const own = `JOBNET_RUN=${marker.run} JOBNET_FILE=${marker.file}`;

  test.each([
    {
      what: 'in the middle',
      line: ` 4711 S    /bin/sh ./jobs/J PATH=/bin ${own} JOBNET_JOB=J JOBNET_ATTEMPT=2 TERM=xterm`,
    },
    {
      what: 'with the job last',
      line: '4711 Ss /bin/sh ./jobs/J JOBNET_ATTEMPT=2 PATH=/bin '.concat(own, ' JOBNET_JOB=J'),
    },
    {
      what: 'with the run last',
      line: `4711 R+ sleep 9 JOBNET_JOB=J JOBNET_ATTEMPT=2 JOBNET_FILE=${marker.file} JOBNET_RUN=${marker.run}`,
    },
    {
      what: 'before a variable in small letters',
      line: `4711 S sleep 9 ${own} JOBNET_ATTEMPT=2 JOBNET_JOB=J no_proxy=x`,
    },
  ])('names job and attempt: $what', ({ line }) => {
    expect(parseMarkedLine(line, marker)).toEqual({ pid: 4711, job: 'J', attempt: 2 });
  });

  test('may name a job with blanks', () => {
    const line = `4711 S sleep 9 ${own} JOBNET_JOB=日次 集計 JOBNET_ATTEMPT=2`;
    expect(parseMarkedLine(line, marker)?.job).toBe('日次 集計');
  });

  test.each([
    { what: 'a launcher', line: `4711 S /bin/sh -c x ${own} TERM=xterm` },
    { what: 'a dead process', line: `4711 Z (sh) ${own} JOBNET_JOB=J JOBNET_ATTEMPT=2` },
    {
      what: 'another run',
      line: `4711 S sleep 9 JOBNET_RUN=${marker.run}0 JOBNET_FILE=${marker.file} JOBNET_JOB=J JOBNET_ATTEMPT=2`,
    },
    { what: 'another variable', line: `4711 S sleep 9 X${own} JOBNET_JOB=J JOBNET_ATTEMPT=2` },
    { what: 'nothing', line: '' },
  ])('is no job of this run: $what', ({ line }) => {
    expect(parseMarkedLine(line, marker)).toBeNull();
  });
});
