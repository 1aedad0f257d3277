import { describe, expect, test } from 'vitest';
import { good, predecessorsOf, problemsOf } from './sheets.js';

describe('columns', () => {
  test('are found by name in any order', () => {
    const sheet = good('prev2,note,etime,status,prev1,job,stime\n,x,,0,,a,\na,y,,9,b,c,\n,,,2,,b,\n');
    expect([sheet.statuses, predecessorsOf(sheet)]).toEqual([
      ['0', '9', '2'],
      { a: [], b: [], c: ['a', 'b'] },
    ]);
  });

  test('need neither times nor predecessors', () => {
    expect(good('job,status\na,9\n').columns).toMatchObject({ stime: -1, etime: -1, predecessors: [] });
  });

  test('may have blanks around their names', () => {
    expect(good(' job ,\u3000status\u3000,prev1\t\na,9,\n').net.names).toEqual(['a']);
  });

  test('of predecessors may be many, with gaps and in any order', () => {
    const header = `job,status,prev12,prev3,${Array.from({ length: 300 }, (_, at) => `prev${at + 20}`).join(',')}`;
    const sheet = good(`${header}\na,9\nb,9,,a\nc,9,b,a\n`);
    expect(predecessorsOf(sheet)).toEqual({ a: [], b: ['a'], c: ['b', 'a'] });
  });

  test('that nobody knows are kept and ignored', () => {
    expect(good('job,担当,status,memo,note,note\na,佐藤,9,=1+1,x,y\n').net.names).toEqual(['a']);
  });

  test.each([
    ['Prev1', 'prev1'], ['PREV1', 'prev1'], ['prev 1', 'prev1'], ['prve1', 'prev1'], ['prev１', 'prev1'],
    ['ｐｒｅｖ１', 'prev1'], ['prev_1', 'prev1'], ['prev-1', 'prev1'], ['prev.1', 'prev1'], ['prev01', 'prev1'],
    ['prev0', 'prev1'], ['prev', 'prev1'], ['pre1', 'prev1'], ['prevv1', 'prev1'], ['perv2', 'prev2'],
    ['prew10', 'prev10'], ['prev\u200b1', 'prev1'], ['Command', 'command'], ['on-lost', 'on_lost'],
    ['Retry Delay', 'retry_delay'], ['TimeOut', 'timeout'], ['Ｓtime', 'stime'], ['e_time', 'etime'],
  ])('are refused with the right spelling: %s', (found, right) => {
    expect(problemsOf(`job,status,${found}\na,9,\n`)).toEqual([
      { code: 'column-misspelled', column: 3, found, right },
    ]);
  }); // biome-ignore format: values at a glance

  test.each(['memo', 'rev', 'revision', 'previous', 'preview', 'priority2x', '先行', 'time', 'jobs', 'x1'])(
    'are not taken for misspelled when they are words of their own: %s',
    (name) => {
      expect(problemsOf(`job,status,${name}\na,9,x\n`)).toEqual([]);
    },
  );

  test('that are given twice are refused, with the first place', () => {
    expect(problemsOf('job,status,prev1,prev1, status\na,9,,,\n')).toEqual([
      { code: 'column-repeated', column: 4, name: 'prev1', first: 3 },
      { code: 'column-repeated', column: 5, name: 'status', first: 2 },
    ]);
  });

  test.each([
    ['job', 'name,status\na,9\n', ['name', 'status']],
    ['status', 'job,state\na,9\n', ['job', 'state']],
  ])('that cannot be missing are named with what is there: %s', (name, text, found) => {
    expect(problemsOf(text)).toEqual([{ code: 'column-missing', name, found }]);
  });

  test('are all missing when the header is a blank line above them', () => {
    expect(problemsOf('\njob,status\na,9\n')).toEqual([
      { code: 'column-missing', name: 'job', found: [''] },
      { code: 'column-missing', name: 'status', found: [''] },
    ]);
  });

  test('are named once when they are misspelled, not also as missing', () => {
    expect(problemsOf('Job,Status\na,9\n')).toEqual([
      { code: 'column-misspelled', column: 1, found: 'Job', right: 'job' },
      { code: 'column-misspelled', column: 2, found: 'Status', right: 'status' },
    ]);
  });
});

describe('a cell beyond the header', () => {
  test('is refused with its place and what it holds', () => {
    expect(problemsOf('job,status,prev1\na,9,\nb,9,a,c\n')).toEqual([
      { code: 'cell-beyond-header', row: 3, column: 4, value: 'c' },
    ]);
  });

  test('is one under the blank cells at the end of the header', () => {
    expect(problemsOf('job,status,prev1,,\na,9,,,\nb,9,a,,c\n')).toEqual([
      { code: 'cell-beyond-header', row: 3, column: 5, value: 'c' },
    ]);
  });

  test('is no problem while it is blank', () => {
    expect(problemsOf('job,status\na,9,, ,\u3000\n')).toEqual([]);
  });
});

describe('a column of a later version', () => {
  const LATER = [
    'retries', 'retry_delay', 'warn', 'hold', 'pool', 'priority', 'not_before', 'due', 'reports',
  ]; // biome-ignore format: one list

  test.each(LATER)('is refused when a cell in it says something: %s', (name) => {
    expect(problemsOf(`job,status,${name}\na,9,\nb,9,1\n`)).toEqual([
      { code: 'column-unsupported', row: 3, column: 3, name },
    ]);
  });

  test.each(LATER)('is no problem while its cells are blank: %s', (name) => {
    expect(problemsOf(`job,status,${name}\na,9,\nb,9, \n`)).toEqual([]);
  });
});

describe('the column command', () => {
  test('gives a job a command instead of its script', () => {
    const { commands } = good('job,status,command\na,9,\nb,9," echo ""x"", y "\n').net;
    expect([...commands]).toEqual([['b', 'echo "x", y']]);
  });
});

describe('the column timeout', () => {
  test('says how long a job may run', () => {
    const { timeouts } = good('job,status,timeout\na,9,\nb,9, 30s\nc,9,5m\nd,9,2h\ne,9,40d\n').net;
    expect([...timeouts]).toEqual([
      ['b', 30_000],
      ['c', 300_000],
      ['d', 7_200_000],
      ['e', 3_456_000_000],
    ]);
  });

  test.each(['30', '0s', '1.5m', '-5s', '5 m', '5M', '1h30m', '05:00', '300ms', 'none', '1e3s'])(
    'takes nothing that could be read in two ways: %s',
    (value) => {
      expect(problemsOf(`job,status,timeout\na,9,${value}\n`)).toEqual([
        { code: 'timeout', row: 2, column: 3, value },
      ]);
    },
  );
});

describe('the column on_lost', () => {
  test('says which jobs run again when nobody knows how they ended', () => {
    const { rerunsLost } = good('job,status,on_lost\na,9,\nb,9, rerun\n').net;
    expect([...rerunsLost]).toEqual(['b']);
  });

  test('knows no other word', () => {
    expect(problemsOf('job,status,on_lost\na,9,retry\n')).toEqual([
      { code: 'on-lost', row: 2, column: 3, value: 'retry' },
    ]);
  });
});

describe('all problems', () => {
  test('are reported at once, in the order of the file', () => {
    const text = [
      'job,status,Prev1,prev2,retries',
      'a,7,,,',
      'a,9,,,5',
      '-x,9,,,',
      ',9,,,',
      'b,9,,nobody,,extra',
      'c,9,,d,',
      'd,9,,c,',
    ].join('\n');
    expect(problemsOf(text).map((problem) => [problem.code, 'row' in problem ? problem.row : null])).toEqual([
      ['column-misspelled', null],
      ['status', 2],
      ['name-repeated', 3],
      ['column-unsupported', 3],
      ['name', 4],
      ['name-missing', 5],
      ['unknown-predecessor', 6],
      ['cell-beyond-header', 6],
      ['cycle', null],
    ]);
  });

  test('include that there are no jobs under a wrong header', () => {
    expect(problemsOf('job,status,Prev1\n').map(({ code }) => code)).toEqual([
      'no-jobs',
      'column-misspelled',
    ]);
  });
});
