/** A net that runs while the test edits its file. */
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { localTime } from '../../src/netfile/localtime.js';
import { createBench, csvOf, type NetBench, type Steered, until } from './workbench.js';

export const WATCHES = [['auto'], ['poll']] as const;

/** Ways to save a new text, as tools do it. */
export const WRITERS: Record<string, (net: NetBench, text: string) => void> = {
  'by rename, as sed -i and vim do': (net, text) => {
    writeFileSync(`${net.file}.new`, text);
    renameSync(`${net.file}.new`, net.file);
  },
  'in place, as a redirection does': (net, text) => writeFileSync(net.file, text),
  'in place without truncation, as 1<> does': (net, text) =>
    void execFileSync('/bin/sh', ['-c', 'cat 1<>"$0"', net.file], { input: text }),
};

/** A net that runs until the test lets `last` end: edits come while it does. */
export async function whileRunning(
  rows: readonly (readonly string[])[],
  args: readonly string[],
  act: (net: NetBench, last: Steered) => Promise<void>,
  prepare: (net: NetBench) => void = () => undefined,
) {
  const net = createBench(csvOf([...rows, ['LAST']]), { jobs: rows.map(([job]) => job!) });
  prepare(net);
  const last = net.steered('LAST');
  const running = net.start('start', '--keep-going', ...args);
  await last.started();
  await act(net, last);
  await last.exit(0);
  return { net, ...(await running.finished) };
}

/** As scripts write it: date +"%Y/%m/%d %H:%M:%S". */
export const timeNow = () => localTime(Date.now());
export const edit = (net: NetBench, from: RegExp, to: string) => net.read().replace(from, to);
export const settledAs = (net: NetBench, job: string, status: string) =>
  until(() => net.statuses()[job] === status);
