import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInspector } from '../../src/executor/inspect.js';
import { GOOD, net } from './inspect-rig.js';
import { script, tempFolder, withoutPrivileges } from './support.js';

describe('a job is startable', () => {
  test('by the script in jobs/', () => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), GOOD);
    expect(inspect()).toMatchObject({ kind: 'startable', argv: ['./jobs/J'], interpreter: '/bin/sh' });
  });

  test('by the script beside the file', () => {
    const { file, inspect } = net();
    script(file('J'), GOOD);
    expect(inspect()).toMatchObject({ kind: 'startable', argv: ['./J'] });
  });

  test('by the script beside the file, where jobs is a file', () => {
    const folder = tempFolder();
    script(path.join(folder, 'jobs'), '');
    script(path.join(folder, 'J'), GOOD);
    expect(createInspector(folder, new Map()).inspect('J')).toMatchObject({
      kind: 'startable',
      argv: ['./J'],
    });
  });

  test('by the script in jobs/, where both are there', () => {
    const { file, inspect } = net();
    script(file('J'), GOOD);
    script(file('jobs', 'J'), GOOD);
    expect(inspect()).toMatchObject({ kind: 'startable', argv: ['./jobs/J'] });
  });

  test.each(['month end', "it's", '$(touch PWNED)', '`id`', '*', '日次 集計', 'a;touch PWNED', '-n'])(
    'whatever its name: %s',
    (name) => {
      const { file, inspect } = net();
      script(file('jobs', name), GOOD);
      expect(inspect(name)).toMatchObject({ kind: 'startable', argv: [`./jobs/${name}`] });
    },
  );

  test('CSV-13 by a script whose name on disk is decomposed, as a Mac writes it', () => {
    const { file, inspect } = net();
    script(file('jobs', 'ガス'.normalize('NFD')), GOOD);
    expect(inspect('ガス'.normalize('NFC'))).toMatchObject({
      kind: 'startable',
      argv: [`./jobs/${readdirSync(file('jobs'))[0]}`],
    });
  });

  test('by a link to a script, wherever that is', () => {
    const { file, inspect } = net();
    symlinkSync(script(path.join(tempFolder(), 'shared.sh'), GOOD), file('jobs', 'J'));
    expect(inspect()).toMatchObject({ kind: 'startable', argv: ['./jobs/J'] });
  });

  test.each([
    { text: GOOD, interpreter: '/bin/sh' },
    { text: '#! /usr/bin/env bash\n', interpreter: '/usr/bin/env' },
    { text: '#!/bin/sh -e\nexit 0\n', interpreter: '/bin/sh' },
    { text: '#!/bin/sh', interpreter: '/bin/sh' },
  ])('by the interpreter that it names: $text', ({ text, interpreter }) => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), text);
    expect(inspect()).toMatchObject({ kind: 'startable', interpreter, needsShell: false });
  });

  test.each(['exit 7\n', '# no interpreter\nexit 7\n', '#!\nexit 7\n', '\nexit 7\n'])(
    'by /bin/sh, when it names none: %j',
    (text) => {
      const { file, inspect } = net();
      script(file('jobs', 'J'), text);
      expect(inspect()).toMatchObject({ kind: 'startable', interpreter: '/bin/sh', needsShell: true });
    },
  );

  test('by an interpreter that is found from the folder of the net', () => {
    const { file, inspect } = net();
    script(file('tools', 'run'), GOOD);
    script(file('jobs', 'J'), '#!tools/run\n');
    expect(inspect()).toMatchObject({ kind: 'startable', interpreter: 'tools/run' });
  });

  test.each([
    { what: 'a NUL behind a carriage return', bytes: '\x7fELF\r\0\n' },
    { what: 'a first line that ends in one', bytes: '\x7fELF\0\r\n\0' },
  ])('as a program, which has no interpreter: $what', ({ bytes }) => {
    const { file, inspect } = net();
    script(file('jobs', 'J'), Buffer.from(bytes, 'latin1'));
    expect(inspect()).toMatchObject({ kind: 'startable', interpreter: null, needsShell: false });
  });

  test('as a program that may be executed and not read, of which no version is known', () => {
    const { folder, file, inspect } = net();
    script(file('jobs', 'J'), GOOD, 0o111);
    for (const open of [path.dirname(folder), folder, path.dirname(file('jobs', 'J'))])
      chmodSync(open, 0o755);
    expect(withoutPrivileges(inspect)).toMatchObject({
      kind: 'startable',
      script: 'unreadable',
      interpreter: null,
    });
  });

  test('by its command, whatever lies in jobs/', () => {
    const folder = tempFolder();
    mkdirSync(path.join(folder, 'jobs', 'J'), { recursive: true });
    const found = createInspector(folder, new Map([['J', 'echo hi | cat']])).inspect('J');
    expect(found).toMatchObject({ kind: 'startable', argv: ['/bin/sh', '-c', 'echo hi | cat'] });
  });

  test('by its command also where there is no jobs/', () => {
    const found = createInspector(tempFolder(), new Map([['J', 'exit 3']])).inspect('J');
    expect(found).toMatchObject({ kind: 'startable', interpreter: '/bin/sh' });
  });
});
