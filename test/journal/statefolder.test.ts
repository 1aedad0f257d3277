import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareStateFolder, stateFolderOf } from '../../src/journal/statefolder.js';
import { tempFolder } from '../contract/temp-folder.js';

describe('the state of a net', () => {
  test('lies beside its file, by the name of the file', () => {
    expect(stateFolderOf('/srv/net/jobnet.csv', null)).toEqual({
      path: '/srv/net/.jobnet/jobnet.csv',
      claims: '/srv/net/.jobnet/jobnet.csv/claims/controller.d',
      runs: '/srv/net/.jobnet/jobnet.csv/runs',
      log: '/srv/net/.jobnet/jobnet.csv/controller.log',
      lastGood: '/srv/net/.jobnet/jobnet.csv/last-good.csv',
      backup: '/srv/net/.jobnet/jobnet.csv/before-in-place.csv',
      out: '/srv/net/.jobnet/jobnet.csv/out',
    });
  });

  test('can lie elsewhere, but for what must be on the file system of the CSV', () => {
    const state = stateFolderOf('/srv/net/jobnet.csv', '/var/lib/jobnet');
    expect([path.dirname(state.runs), state.out]).toEqual([state.path, '/srv/net/.jobnet/jobnet.csv/out']);
  });

  test('elsewhere is told from that of a net of the same name in another folder', () => {
    const states = ['/srv/a/jobnet.csv', '/srv/b/jobnet.csv'].map((file) =>
      stateFolderOf(file, '/var/lib/jobnet'),
    );
    expect(states[0]!.path).not.toBe(states[1]!.path);
  });

  test('elsewhere is the same every time', () => {
    const paths = [1, 2].map(() => stateFolderOf('/srv/a/jobnet.csv', '/var/lib/jobnet').path);
    expect(paths[0]).toBe(paths[1]);
  });
});

describe('preparing', () => {
  test('makes the folders and notes which folder this is', () => {
    const state = stateFolderOf(path.join(tempFolder(), 'jobnet.csv'), null);
    prepareStateFolder(state);
    const { dev, ino } = statSync(state.path, { bigint: true });
    expect([
      readdirSync(state.path).sort(),
      JSON.parse(readFileSync(path.join(state.path, 'state.json'), 'utf8')),
    ]).toEqual([['claims', 'runs', 'state.json'], { format: 1, device: String(dev), inode: String(ino) }]);
  });

  test('again changes nothing', () => {
    const state = stateFolderOf(path.join(tempFolder(), 'jobnet.csv'), null);
    prepareStateFolder(state);
    writeFileSync(path.join(state.path, 'state.json'), 'of another folder');
    prepareStateFolder(state);
    expect(readFileSync(path.join(state.path, 'state.json'), 'utf8')).toBe('of another folder');
  });

  test('says what the system says when a file is in the way', () => {
    const folder = tempFolder();
    writeFileSync(path.join(folder, '.jobnet'), '');
    const state = stateFolderOf(path.join(folder, 'jobnet.csv'), null);
    expect(() => prepareStateFolder(state)).toThrow('ENOTDIR');
  });

  test('finishes what a crash left half made', () => {
    const state = stateFolderOf(path.join(tempFolder(), 'jobnet.csv'), null);
    mkdirSync(state.claims, { recursive: true });
    prepareStateFolder(state);
    expect(readdirSync(state.path).sort()).toEqual(['claims', 'runs', 'state.json']);
  });
});
