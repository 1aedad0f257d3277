/** `jobnet fence write`: the file is replaced as a whole, unless a higher token has written it. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClaimsBench } from './claims-bench.js';

const write = (token: number, target = 'out.txt') => ['fence', 'write', target, '--token', String(token)];

describe('a write under a token', () => {
  test('has the standard input as its content, byte by byte', async () => {
    const bench = createClaimsBench();
    const input = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256));
    const { code, out, err } = await bench.run(write(1), { input });
    expect([code, out, err]).toEqual([0, '', '']);
    expect(readFileSync(path.join(bench.folder, 'out.txt')).equals(input)).toBe(true);
  });

  test('with a lower token than one that has written is 13, and says which', async () => {
    const bench = createClaimsBench();
    await bench.run(write(7), { input: 'seven' });
    const { code, err } = await bench.run(write(6), { input: 'six' });
    expect([code, bench.read('out.txt'), bench.read('out.txt.fence')]).toEqual([13, 'seven', '7']);
    expect(err).toBe(`token 6 may not write ${path.join(bench.folder, 'out.txt')}: 7 has written\n`);
  });

  test('with the same token is the next content', async () => {
    const bench = createClaimsBench();
    await bench.run(write(7), { input: 'one' });
    await bench.run(write(7), { input: 'two' });
    expect(bench.read('out.txt')).toBe('two');
  });

  test('has its token from the lease that it runs under', async () => {
    const bench = createClaimsBench();
    const main = path.resolve('dist/cli/main.js');
    const command = ['sh', '-c', 'echo page | "$0" "$1" fence write out.txt', process.execPath, main];
    await bench.run(['lease', 'run', 'publish', '--', 'true']);
    expect((await bench.run(['lease', 'run', 'publish', '--', ...command])).code).toBe(0);
    expect([bench.read('out.txt'), bench.read('out.txt.fence')]).toEqual(['page\n', '2']);
  });

  test('with nothing as its input is an empty file', async () => {
    const bench = createClaimsBench();
    bench.file('out.txt', 'before');
    await bench.run(write(1));
    expect(bench.read('out.txt')).toBe('');
  });

  test('keeps the mode, and follows a link', async () => {
    const bench = createClaimsBench();
    chmodSync(bench.file('real.txt', 'before'), 0o640);
    symlinkSync('real.txt', path.join(bench.folder, 'link.txt'));
    await bench.run(write(1, 'link.txt'), { input: 'after' });
    const isLink = lstatSync(path.join(bench.folder, 'link.txt')).isSymbolicLink();
    const mode = statSync(path.join(bench.folder, 'real.txt')).mode & 0o777;
    expect([isLink, mode, bench.read('real.txt')]).toEqual([true, 0o640, 'after']);
  });

  test.each([
    ['written', 7],
    ['refused', 1],
  ])('leaves nothing but the fence beside the file: %s', async (_, token) => {
    const bench = createClaimsBench();
    await bench.run(write(5), { input: 'five' });
    await bench.run(write(token), { input: 'next' });
    expect(readdirSync(bench.folder).sort()).toEqual(['out.txt', 'out.txt.fence', 'out.txt.fence.d']);
    const left = readdirSync(path.join(bench.folder, 'out.txt.fence.d')).filter(
      (name) => !/^\d{8}$/.test(name),
    );
    expect(left).toEqual([]);
  });
});

describe('a write that cannot be', () => {
  test.each([
    ['without a token', ['fence', 'write', 'out.txt'], 2],
    ['with 0', write(0), 2],
    ['with what is no number', ['fence', 'write', 'out.txt', '--token', 'abc'], 2],
    ['into a folder that is not there', write(1, 'none/out.txt'), 4],
  ])('%s is exit %#', async (_, args, code) => {
    expect((await createClaimsBench().run(args, { input: 'x' })).code).toBe(code);
  });

  test('names the folder that cannot be used', async () => {
    const bench = createClaimsBench();
    const { err } = await bench.run(write(1, 'none/out.txt'), { input: 'x' });
    expect(err).toContain(path.join(bench.folder, 'none'));
  });

  test('where the fence is damaged is exit 4 and names it', async () => {
    const bench = createClaimsBench();
    bench.file('out.txt.fence', 'abc');
    mkdirSync(path.join(bench.folder, 'out.txt.fence.d'));
    const { code, err } = await bench.run(write(1), { input: 'x' });
    expect([code, err.includes(path.join(bench.folder, 'out.txt.fence'))]).toEqual([4, true]);
  });
});
