import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { GOOD, net, refused } from './inspect-rig.js';
import { script, tempFolder, withoutPrivileges } from './support.js';

describe('a job without a usable script is refused, and the reason names what is wrong:', () => {
  test('no script at all, with both places that were looked at', () => {
    expect(net().inspect()).toEqual(refused({ kind: 'missing', paths: ['./jobs/J', './J'] }));
  });

  test('no script at all, with the name as the file has it', () => {
    const job = 'ガス'.normalize('NFC');
    expect(net().inspect(job)).toEqual(refused({ kind: 'missing', paths: [`./jobs/${job}`, `./${job}`] }));
  });

  test('a folder', () => {
    const { file, inspect } = net();
    mkdirSync(file('jobs', 'J'));
    expect(inspect()).toEqual(refused({ kind: 'not-a-file', path: './jobs/J', found: 'folder' }));
  });

  test('a FIFO', () => {
    const { file, inspect } = net();
    execFileSync('mkfifo', ['-m', '755', file('jobs', 'J')]);
    expect(inspect()).toEqual(refused({ kind: 'not-a-file', path: './jobs/J', found: 'other' }));
  });

  test('a device', () => {
    const { file, inspect } = net();
    symlinkSync('/dev/null', file('jobs', 'J'));
    expect(inspect()).toEqual(refused({ kind: 'not-a-file', path: './jobs/J', found: 'other' }));
  });

  test.each([
    { mode: 0o644, shown: '644' },
    { mode: 0o600, shown: '600' },
    { mode: 0o000, shown: '000' },
    { mode: 0o4644, shown: '4644' },
  ])('a file that is not executable, with its mode $shown', ({ mode, shown }) => {
    const { file, inspect } = net();
    chmodSync(script(file('jobs', 'J'), GOOD), mode);
    expect(inspect()).toEqual(refused({ kind: 'not-executable', path: './jobs/J', mode: shown }));
  });

  test('a folder that may not be entered', () => {
    const { folder, file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    chmodSync(path.dirname(folder), 0o755);
    chmodSync(file('jobs'), 0o600);
    const found = withoutPrivileges(inspect);
    chmodSync(file('jobs'), 0o755);
    expect(found).toEqual(refused({ kind: 'unreachable', path: './jobs/J', code: 'EACCES' }));
  });

  test('a link to itself', () => {
    const { file, inspect } = net();
    symlinkSync('J', file('jobs', 'J'));
    expect(inspect()).toEqual(refused({ kind: 'unreachable', path: './jobs/J', code: 'ELOOP' }));
  });

  test('a link that leads nowhere, and no other script is taken in its place', () => {
    const { file, inspect } = net();
    symlinkSync('gone', file('jobs', 'J'));
    script(file('J'), GOOD);
    expect(inspect()).toEqual(refused({ kind: 'missing', paths: ['./jobs/J'] }));
  });

  test('an empty file', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), '');
    expect(inspect()).toEqual(refused({ kind: 'empty', path: './jobs/J' }));
  });

  test.each([
    { what: 'behind #!', text: '#!/bin/bash\r\necho hi\r\nexit 0\r\n' },
    { what: 'without #!', text: 'echo hi\r\nexit 0\r\n' },
    { what: 'in a file of one line', text: '#!/bin/bash\r' },
    { what: 'behind arguments of #!', text: '#!/usr/bin/env bash\r\n' },
  ])('a carriage return in the first line, $what', ({ text }) => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), text);
    expect(inspect()).toEqual(refused({ kind: 'carriage-return', path: './jobs/J' }));
  });

  test.each(['\ufeff#!/bin/sh\n', '\ufeffecho hi\n', '\ufeff#!/bin/sh\r\n'])(
    'a byte-order mark: %j',
    (text) => {
      const { file, inspect } = net();
      script(file('jobs', 'J'), text);
      expect(inspect()).toEqual(refused({ kind: 'byte-order-mark', path: './jobs/J' }));
    },
  );

  test.each(['#!/nosuch/bash\n', '#! /nosuch/bash -e\n', '#!\t/nosuch/bash\t-e\n', '#!/nosuch/bash'])(
    'an interpreter that is missing: %j',
    (text) => {
      const { file, inspect } = net();
      script(file('jobs', 'J'), text);
      const problem = { kind: 'interpreter-missing', path: './jobs/J', interpreter: '/nosuch/bash' } as const;
      expect(inspect()).toEqual(refused(problem));
    },
  );

  test('an interpreter that went away after the last look', () => {
    const { file, inspect } = net();
    const interpreter = script(path.join(path.dirname(tempFolder()), 'sh'), GOOD);
    script(file('jobs', 'J'), `#!${interpreter}\n`);
    inspect();
    rmSync(interpreter);
    expect(inspect()).toEqual(refused({ kind: 'interpreter-missing', path: './jobs/J', interpreter }));
  });

  test('a script beside the file, by that path', () => {
    const { file, inspect } = net();
    script(file('J'), '');
    expect(inspect()).toEqual(refused({ kind: 'empty', path: './J' }));
  });
});
