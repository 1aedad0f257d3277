/** What the commands on claims say: the folder in every message, and all of it in Japanese as well. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ClaimsBench, createClaimsBench, STEERED } from './claims-bench.js';

/** Every kind of message, with how it comes about. */
const SITUATIONS: readonly (readonly [
  what: string,
  prepare: (bench: ClaimsBench) => Promise<unknown>,
  args: readonly string[],
  ja: string,
])[] = [
  ['held', hold, ['lock', 'run', 'job', '-n', '--', 'true'], 'job は占有されています'],
  ['broken', hold, ['lock', 'break', 'job', '--reason', 'x'], 'job の 1 番を解除しました'],
  ['not held', nothing, ['lock', 'break', 'job', '--reason', 'x'], 'job は占有されていません'],
  ['no claims', nothing, ['lock', 'list'], 'に占有はありません'],
  ['begins', nothing, ['once', 'job', '--key', 'k', '--', 'true'], 'job k: 開始します'],
  ['done already', doneOnce, ['once', 'job', '--key', 'k', '--', 'true'], 'に実行済みです（終了コード 0）'],
  ['forgotten', doneOnce, ['once', 'forget', 'job', '--key', 'k', '--reason', 'x'], '記録を取り消しました'],
  [
    'nothing to forget',
    nothing,
    ['once', 'forget', 'job', '--key', 'k', '--reason', 'x'],
    '記録がありません',
  ],
  ['not yours', nothing, ['lease', 'renew', 'job', '--token', '3'], '3 番はもう job を占有していません'],
  ['damaged', damaged, ['lock', 'run', 'job', '-n', '--', 'true'], 'は占有の記録ではありません'],
  ['fenced', fenced, ['fence', 'write', 'out.txt', '--token', '1'], 'トークン 1 では'],
];

test.each(SITUATIONS)('%s: names the folder, also in Japanese', async (_, prepare, args, said) => {
  const bench = createClaimsBench();
  await prepare(bench);
  const own = args.includes('--') ? args.indexOf('--') : args.length;
  const { out, err } = await bench.run([...args.slice(0, own), '--lang', 'ja', ...args.slice(own)]);
  expect(out + err).toContain(said);
  expect(out + err).toContain(bench.folder);
});

async function nothing(): Promise<void> {}

async function hold(bench: ClaimsBench): Promise<void> {
  await bench.start(['lock', 'run', 'job', '--', ...STEERED]).command();
}

async function doneOnce(bench: ClaimsBench): Promise<void> {
  await bench.run(['once', 'job', '--key', 'k', '--', 'true']);
}

async function fenced(bench: ClaimsBench): Promise<void> {
  await bench.run(['fence', 'write', 'out.txt', '--token', '2']);
}

async function damaged(bench: ClaimsBench): Promise<void> {
  await hold(bench);
  bench.file(path.join('claims', 'job.d', '00000001'), 'no record');
}
