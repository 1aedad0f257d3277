/** The events of a real folder, without the timer: the clock stands still. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WatchReason } from '../../src/core/words.js';
import { createFakeClock } from '../../src/engine/fakes/clock.js';
import { POLL_MS, startWatch } from '../../src/netfile/watch.js';
import { tempFolder } from '../contract/temp-folder.js';
import { until } from './rig.js';

async function watched() {
  const folder = path.join(tempFolder(), 'net');
  mkdirSync(folder);
  const file = path.join(folder, 'jobnet.csv');
  writeFileSync(file, 'job,status\nX,9\n');
  const clock = createFakeClock();
  const modes: [string, WatchReason['kind']][] = [];
  let hints = 0;
  const watch = startWatch({
    file,
    mode: 'auto',
    clock,
    onHint: () => hints++,
    onMode: (mode, why) => modes.push([mode, why.kind]),
  });
  onTestFinished(() => watch.close());
  await until(() => modes.length > 0);
  /** Resolves when the event of a change has come. */
  const seen = async (change: () => void) => {
    const before = hints;
    change();
    await until(() => hints > before);
  };
  return { folder, file, clock, modes, seen, hints: () => hints };
}

describe('WAT-01 the events of a folder', () => {
  test.each([
    ['sed -i', "sed -i 's/^X,9/X,9/' jobnet.csv"],
    ['mv', 'cp jobnet.csv n && mv n jobnet.csv'],
    ['cp', 'cp jobnet.csv n && cp n jobnet.csv'],
    ['tee', 'cp jobnet.csv n && tee jobnet.csv <n >/dev/null'],
    ['awk', 'cp jobnet.csv n && awk 1 n >jobnet.csv'],
    ['an editor that renames the old file away', 'mv jobnet.csv n && cp n jobnet.csv'],
    ['an editor that removes the old file', 'cp jobnet.csv n && rm jobnet.csv && mv n jobnet.csv'],
  ])('tell every save, and an append after them: %s', async (_, command) => {
    const { folder, modes, seen, hints } = await watched();
    const save = (line: string) => seen(() => void execFileSync('/bin/sh', ['-c', line], { cwd: folder }));
    for (let round = 0; round < 3; round++) await save(command);
    await save("echo 'Y,9' >>jobnet.csv");
    expect([hints() >= 4, modes]).toEqual([true, [['events', 'local']]]);
  });

  test('are told again when the folder was away and has come back', async () => {
    const { folder, file, clock, modes, seen } = await watched();
    renameSync(folder, `${folder}.away`);
    clock.advance(POLL_MS);
    mkdirSync(folder);
    clock.advance(POLL_MS);
    await until(() => modes.length === 2);
    await seen(() => writeFileSync(file, 'job,status\nX,0\n'));
    expect(modes).toEqual([
      ['events', 'local'],
      ['events', 'local'],
    ]);
  });

  test('are only those of the file: what jobs write beside it is none', async () => {
    const { folder, file, seen, hints } = await watched();
    for (let line = 0; line < 20; line++) appendFileSync(path.join(folder, `${line % 3}.log`), 'more\n');
    // Events come in their order: with this one all before have come.
    await seen(() => appendFileSync(file, 'Y,9\n'));
    expect(hints()).toBe(1);
  });
});
