/** A large file that a program writes over and over, as long as the system takes for it. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Version } from '../../src/engine/ports.js';
import { systemClock } from '../../src/engine/system-clock.js';
import { createNetFile } from '../../src/netfile/netfile.js';
import { tempFolder } from '../contract/temp-folder.js';
import { BEGAN, sheetIn, until } from './rig.js';

const ROWS = 20_000;

test('WAT-02 a file that is truncated and written 60 times is taken once, as a whole', async () => {
  const folder = tempFolder();
  const file = path.join(folder, 'jobnet.csv');
  const text = `job,status\n${Array.from({ length: ROWS }, (_, index) => `J${index},9\n`).join('')}`;
  writeFileSync(file, text);
  writeFileSync(path.join(folder, 'copy.csv'), `${text}NEW,9\n`);
  mkdirSync(path.join(folder, 'out'));
  const netFile = createNetFile({
    file,
    sheet: sheetIn(text),
    outFolder: path.join(folder, 'out'),
    backup: path.join(folder, 'backup.csv'),
    lastGood: path.join(folder, 'last-good.csv'),
    began: BEGAN,
    watch: 'auto',
    isCurrent: () => true,
    clock: systemClock,
  });
  onTestFinished(() => netFile.close());
  const versions: Version[] = [];
  const events: string[] = [];
  netFile.listen({
    version: (version) => {
      versions.push(version);
      return 'taken';
    },
    event: ({ type }) => events.push(type),
    cells: () => null,
  });
  const rewrites = 'for i in $(seq 60); do awk "{print}" copy.csv >jobnet.csv; done';
  await promisify(execFile)('/bin/sh', ['-c', rewrites], { cwd: folder });
  await until(() => versions.length > 0);
  expect(versions.map(({ edits, net }) => [edits.added, edits.removed, net.names.length])).toEqual([
    [['NEW'], [], ROWS + 1],
  ]);
  expect(events).toEqual(['watching']);
});
