/** The controller's own log on disk. Case LOG-06 of the field. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogFile } from '../../src/cli/controller/log-file.js';

function given(limits = { bytesMax: 20, filesMax: 3 }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jobnet-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'controller.log');
  const open = () =>
    createLogFile(file, { ...limits, lostLine: (lines, code) => `${lines} lost by ${code}\n` });
  const read = (name = 'controller.log') => readFileSync(path.join(folder, name), 'utf8');
  return { folder, file, open, read };
}

describe('rotation', () => {
  test('happens while it is written, and keeps so many files', () => {
    const { folder, open, read } = given();
    const log = open();
    for (let number = 1; number <= 7; number++) log.write(`line number ${number}\n`);
    expect(readdirSync(folder).sort()).toEqual(['controller.log', 'controller.log.1', 'controller.log.2']);
    expect(read()).toBe('line number 7\n');
    expect(read('controller.log.1')).toBe('line number 5\nline number 6\n');
    expect(read('controller.log.2')).toBe('line number 3\nline number 4\n');
  });

  test('happens when a controller starts with a large one', () => {
    const { open, read } = given();
    open().write('a line of twenty bytes\n');
    open().write('of the next\n');
    expect(read()).toBe('of the next\n');
    expect(read('controller.log.1')).toBe('a line of twenty bytes\n');
  });

  test('that cannot be done loses no line', () => {
    const { file, open, read } = given();
    mkdirSync(`${file}.1/full`, { recursive: true });
    mkdirSync(`${file}.2/full`, { recursive: true });
    const log = open();
    for (let number = 1; number <= 4; number++) log.write(`line number ${number}\n`);
    expect(read().split('\n')).toHaveLength(5);
  });
});

describe('a file that is not there any more', () => {
  test('moved away: the next line begins a new one', () => {
    const { file, open, read } = given();
    const log = open();
    log.write('one\n');
    renameSync(file, `${file}.moved`);
    log.write('two\n');
    expect(read()).toBe('two\n');
    expect(read('controller.log.moved')).toBe('one\n');
  });

  test('with its folder: nothing is thrown, and what was lost is said when the folder is back', () => {
    const { folder, open, read } = given({ bytesMax: 1000, filesMax: 3 });
    const log = open();
    log.write('one\n');
    rmSync(folder, { recursive: true });
    for (let number = 0; number < 3; number++) log.write('lost\n');
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    log.write('two\n');
    log.write('three\n');
    expect(read()).toBe('3 lost by ENOENT\ntwo\nthree\n');
  });
});

test('a place that cannot be written at the start is tried again with each line', () => {
  const { file, open, read } = given();
  mkdirSync(file);
  const log = open();
  log.write('one\n');
  rmdirSync(file);
  log.write('two\n');
  expect(read()).toBe('1 lost by EISDIR\ntwo\n');
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk costs the lines that do not fit, and says so later',
  () => {
    const { file, open, read } = given();
    symlinkSync('/dev/full', file);
    const log = open();
    log.write('one\n');
    log.write('two\n');
    rmSync(file);
    log.write('three\n');
    expect(read()).toBe('2 lost by ENOSPC\nthree\n');
  },
);
