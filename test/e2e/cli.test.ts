/** The command line as people and scripts meet it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBench, csvOf, ending, SEED_JOBS, SEED_ROWS, until } from './workbench.js';

const MAIN = path.resolve('dist/cli/main.js');
const CHAIN = csvOf([['A'], ['B', 'A']]);
const chain = () => createBench(CHAIN, { jobs: ['A', 'B'] });

describe('wrong use is exit 2, in words that say what to do', () => {
  test.each([
    [['strat'], 'unknown command "strat"; did you mean "start"?'],
    [['start', '--nope'], 'unknown option "--nope"'],
    [['start', 'extra'], 'too many arguments'],
    [['logs'], 'argument job is missing'],
    [['start', '-j', '0'], 'a whole number from 1 to 10000'],
    [['start', '-j', '1e3'], 'a whole number from 1 to 10000'],
    [['start', '-j', ' 4'], 'a whole number from 1 to 10000'],
    [['start', '-f'], 'needs a value'],
    [['graph', '--format', 'png'], 'one of text, mermaid, dot'],
    [['logs', 'AA'], 'no job "AA"; did you mean "A"?'],
    [['graph', '--around', 'X'], 'no job "X"'],
    [[], 'Usage: jobnet'],
  ])('jobnet %j', (args, said) => {
    const { code, err } = chain().run(...args);
    expect(err).toContain(said);
    expect(code).toBe(2);
  });
});

describe('help and version', () => {
  test('--version prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(chain().run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test.each(['start', 'resume', 'status', 'check', 'plan', 'graph', 'logs', 'reset'])(
    '%s --help names its options',
    (name) => {
      const { code, out } = chain().run(name, '--help');
      expect(code).toBe(0);
      expect(out).toContain('--file <file>');
    },
  );

  test('is in Japanese with --lang ja, and wherever the locale is', async () => {
    const net = chain();
    expect(net.run('--help', '--lang', 'ja').out).toContain('使い方:');
    const { out } = await net.startWith({ env: { LC_ALL: '', LANG: 'ja_JP.UTF-8' } }, '--help').finished;
    expect(out).toContain('使い方:');
  });

  test('LC_ALL goes before LANG', async () => {
    const { out } = await chain().startWith({ env: { LC_ALL: 'C', LANG: 'ja_JP.UTF-8' } }, '--help').finished;
    expect(out).toContain('Usage:');
  });
});

describe('-f and --state may stand before the command or behind it', () => {
  test.each([
    [['start', '-f', 'other.csv']],
    [['-f', 'other.csv', 'start']],
    [['--file=other.csv', 'start']],
    [['start', '--file', 'other.csv']],
  ])('%j', (args) => {
    const net = chain();
    writeFileSync(path.join(net.folder, 'other.csv'), CHAIN);
    expect(net.run(...args).code).toBe(0);
    expect(net.read()).toBe(CHAIN);
    expect(readFileSync(path.join(net.folder, 'other.csv'), 'utf8')).toContain('B,0,');
  });
});

describe('a file with problems', () => {
  test('is refused with all of them, and nothing is made', () => {
    const net = chain();
    net.csv('job,status,stime,etime,prev1\nA,5,,,\nB,9,,,LAOD\nB,9,,,\n,9,,,A\n');
    const { code, err } = net.run('start');
    expect(code).toBe(3);
    expect(err).toContain('jobnet.csv has 4 problems; nothing is started:');
    expect(err).toContain('row 2, column B: status "5" must be 0, 1, 2, 9 or blank');
    expect(err).toContain('row 3, column E: job "B" waits for "LAOD", which does not exist');
    expect(err).toContain('row 4: job "B" stands in row 3 already');
    expect(err).toContain('row 5, column A: the row has no job name');
    expect(() => readFileSync(path.join(net.folder, '.jobnet'))).toThrow('ENOENT');
  });

  test('shows a cycle as a closed path', () => {
    const net = chain();
    net.csv('job,status,stime,etime,prev1\nA,9,,,A\nB,9,,,D\nC,9,,,B\nD,9,,,C\nE,9,,,\n');
    const { code, err } = net.run('check');
    expect(code).toBe(3);
    expect(err).toContain('a cycle: A (row 2) -> A (row 2)');
    expect(err).toContain('a cycle: B (row 3) -> C (row 4) -> D (row 5) -> B (row 3)');
  });

  test('is told in Japanese as well', () => {
    const net = chain();
    net.csv('job,status,prev1\nA,9,B\n');
    expect(net.run('start', '--lang', 'ja').err).toContain(
      '2 行目 C 列: ジョブ「A」の先行ジョブ「B」がありません',
    );
  });

  test.each([
    ['a missing file', 'none.csv', 3, 'does not exist'],
    ['a folder', '.', 4, 'cannot be read (EISDIR)'],
  ])('%s', (_, file, code, said) => {
    const result = chain().run('start', '-f', file);
    expect(result.code).toBe(code);
    expect(result.err).toContain(said);
  });

  test.each(['', 'job,status,prev1\n', 'job,status,prev1\n,,\n\n'])(
    'without a job is "no jobs", never "all done": %j',
    (text) => {
      const net = chain();
      net.csv(text);
      const { code, err } = net.run('start');
      expect(code).toBe(3);
      expect(err).toContain('no jobs');
    },
  );
});

describe('status', () => {
  test('works before the first run, from the CSV alone', () => {
    const net = createBench('job,status,stime,etime,prev1\nA,0,,,\nB,1,,,A\nC,2,,,A\nD,9,,,B\n');
    const { run, controller, counts, jobs } = net.statusJson();
    expect({ run, controller }).toEqual({ run: null, controller: null });
    expect(counts).toMatchObject({ ended: 1, abended: 1, lost: 1, blocked: 1, running: 0 });
    expect(jobs.map((job) => job.csv)).toEqual(['0', '1', '1', '9']);
  });

  test('gives every field of every job', () => {
    const net = createBench(csvOf([['A'], ['B', 'A']]), { jobs: ['A'] });
    net.script('B', ending(3));
    net.run('start');
    const status = net.statusJson();
    expect(status.file).toBe(net.file);
    expect(status.controller).toBeNull();
    expect(status.run).toMatchObject({ state: 'abended', endedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(status.jobs).toEqual([
      {
        job: 'A',
        csv: '0',
        status: 'ended',
        attempt: 1,
        exit: { code: 0 },
        reason: null,
        startedAt: expect.stringMatching(/Z$/),
        endedAt: expect.stringMatching(/Z$/),
        left: [],
        scriptChanged: false,
        durationMs: expect.any(Number),
        predecessors: [],
        blockedBy: [],
      },
      expect.objectContaining({
        job: 'B',
        csv: '1',
        status: 'abended',
        exit: { code: 3 },
        reason: 'exit',
        predecessors: ['A'],
      }),
    ]);
  });

  test.each([
    [0, 0],
    [3, 1],
  ])('--exit-status is the code of the run: a job that ends with %i gives %i', (ends, code) => {
    const net = createBench(csvOf([['A']]));
    net.script('A', ending(ends));
    net.run('start');
    expect(net.run('status').code).toBe(0);
    expect(net.run('status', '--exit-status').code).toBe(code);
  });

  test('of a large net shows what needs a look, and with --all everything', () => {
    const jobs = Array.from({ length: 60 }, (_, index) => `J${index}`);
    const net = createBench(csvOf(jobs.map((job) => [job])), { jobs });
    net.script('J7', ending(1));
    net.run('start', '--keep-going');
    const lines = net.run('status').out.split('\n');
    expect(lines.filter((line) => /^J\d/.test(line))).toHaveLength(1);
    expect(lines).toContain('59 more jobs; --all shows every job');
    expect(net.run('status', '--all').out.match(/^J\d/gm)).toHaveLength(60);
  });
});

describe('plan and graph', () => {
  const seed = () => createBench(csvOf(SEED_ROWS), { jobs: [...SEED_JOBS] });

  test('plan shows waves and the longest chain', () => {
    const { waves, criticalPath } = JSON.parse(seed().run('plan', '--json').out);
    expect(waves).toEqual([
      ['J01'],
      ['J02', 'J03'],
      ['J04'],
      ['J05', 'J06'],
      ['J07', 'J08'],
      ['J09', 'J10'],
      ['J11'],
      ['J12'],
    ]);
    expect(criticalPath).toEqual(['J01', 'J02', 'J04', 'J05', 'J08', 'J10', 'J11', 'J12']);
  });

  test('graph draws text, Mermaid and Graphviz', () => {
    const net = seed();
    expect(net.run('graph').out).toContain('   3  J04  <- J02, J03');
    expect(net.run('graph', '--format', 'mermaid').out).toContain('j1["J02"]');
    expect(net.run('graph', '--format', 'dot').out).toContain('j0 -> j1;');
  });

  test('graph --around leaves out what is neither before nor behind a job', () => {
    const { out } = seed().run('graph', '--around', 'J07');
    expect(out.match(/^.{6}J\d\d/gm)?.map((line) => line.trim().split(/ +/).at(-1))).toEqual([
      'J01',
      'J02',
      'J03',
      'J04',
      'J05',
      'J06',
      'J07',
      'J09',
      'J12',
    ]);
  });
});

describe('logs', () => {
  test('into a pipe are the bytes of the job and nothing else', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\nprintf "\\033[31mred\\n\\000\\377"; printf err >&2\n');
    net.run('start');
    const bytes = execFileSync(process.execPath, [MAIN, 'logs', 'A'], { cwd: net.folder });
    expect(bytes.toString('latin1')).toBe('\x1b[31mred\n\0\xfferr');
  });

  test('-f follows to the end of the job', async () => {
    const net = createBench(csvOf([['A']]));
    const a = net.steered('A');
    net.script('A', '#!/bin/sh\necho one\necho up >A.up\nread code <A.down\necho two\nexit $code\n');
    const running = net.start('start');
    await a.started();
    const following = net.start('logs', 'A', '-f');
    await following.said('one');
    await a.exit(0);
    expect(await following.finished).toMatchObject({ code: 0, out: 'one\ntwo\n' });
    await running.finished;
  });

  test('of an earlier attempt can be asked for', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\necho "attempt $JOBNET_ATTEMPT"\n[ "$JOBNET_ATTEMPT" = 2 ]\n');
    net.run('start');
    net.run('resume');
    expect(net.run('logs', 'A').out).toBe('attempt 2\n');
    expect(net.run('logs', 'A', '--attempt', '1').out).toBe('attempt 1\n');
  });

  test('of a job that was not started are exit 6', () => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    expect(net.run('logs', 'A')).toMatchObject({ code: 6 });
  });
});

const hasScript = spawnSync('script', ['--version']).status === 0;

/** What a terminal gets. `script` of util-linux makes one. */
function onTerminal(folder: string, args: string, env: Record<string, string> = {}): string {
  const result = spawnSync('script', ['-qec', `'${process.execPath}' '${MAIN}' ${args}`, '/dev/null'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '', ...env },
    input: '',
  });
  return result.stdout;
}

describe.skipIf(!hasScript && !process.env['CI'])('on a terminal (needs script of util-linux)', () => {
  test('SEC-02 control codes of logs, names and reasons are shown, not obeyed', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', '#!/bin/sh\nprintf "\\033]0;title\\007\\033[31m<script>\\r\\n\\302\\233\\n"\n');
    net.run('start');
    const out = onTerminal(net.folder, 'logs A --no-head');
    expect(out).toContain('^[]0;title^G^[[31m<script>');
    expect(out).toContain('<U+009B>');
    expect(out).not.toContain('\x1b]0;');
  });

  test.each([
    [
      'UTF-8 cut at every buffer border',
      'i=0; while [ $i -lt 9000 ]; do printf 締め処理; i=$((i+1)); done',
      '締め処理'.repeat(9000),
    ],
    ['CP932', "printf '\\222\\367\\202\\337\\217\\210\\227\\235'", '締め処理'],
  ])('LOG-04 %s is readable', (_, line, said) => {
    const net = createBench(csvOf([['A']]));
    net.script('A', `#!/bin/sh\n${line}\n`);
    net.run('start');
    const out = onTerminal(net.folder, 'logs A --no-head');
    expect(out.includes(said)).toBe(true);
    expect(out).not.toContain('\ufffd');
  });

  test('a head says in which surroundings the job ran', () => {
    const net = createBench(csvOf([['A']]), { jobs: ['A'] });
    net.run('start');
    const out = onTerminal(net.folder, 'logs A');
    expect(out).toContain(`folder ${net.folder}`);
    expect(out).toMatch(/PATH \S+/);
    expect(out).toMatch(/interpreter \/bin\/sh, script [0-9a-f]{16}/);
  });

  test('no colours with NO_COLOR', () => {
    const net = createBench(csvOf([['A']]));
    net.script('A', ending(1));
    expect(onTerminal(net.folder, 'start')).toContain('\x1b[31m');
    expect(onTerminal(net.folder, 'start', { NO_COLOR: '1' })).not.toContain('\x1b[31m');
  });
});

describe('the menu', () => {
  test.skipIf(!hasScript && !process.env['CI'])(
    'asks again on anything else, and quits on 9 (needs script)',
    async () => {
      const net = createBench(CHAIN, { jobs: ['A', 'B'] });
      const menu = net.terminal('');
      await menu.said('[2] Run again from the jobs');
      menu.type('x\n');
      await menu.said('Enter one of these numbers');
      menu.type('3\n');
      await menu.said('no run yet');
      menu.type('1\n');
      await menu.said('All 2 jobs ended normally');
      expect((await menu.finished).code).toBe(0);
      await until(() => net.effects().length === 2);
    },
  );
});
