/** Claims on a file system that answers as real ones do once in a million times. */
import type fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { acquireClaim } from '../../src/claim/claim.js';
import { tempFolder } from '../contract/temp-folder.js';
import { DEAD, namesOf, recordOf, writeRecord } from './records.js';

/** What the system was asked, in order; a test may put an answer of its own before the true one. */
const system = vi.hoisted(() => ({
  calls: [] as string[],
  once: new Map<string, (real: () => unknown) => unknown>(),
}));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  const watched = Object.fromEntries(
    (['linkSync', 'readdirSync', 'unlinkSync', 'fsyncSync'] as const).map((name) => [
      name,
      (...args: unknown[]) => {
        system.calls.push([name, ...args.filter((arg) => typeof arg === 'string').map(baseName)].join(' '));
        const answer = system.once.get(name);
        system.once.delete(name);
        const call = () => (real[name] as (...all: unknown[]) => unknown)(...args);
        return answer ? answer(call) : call();
      },
    ]),
  );
  return { ...real, ...watched };
});

function baseName(file: string): string {
  return path.basename(file).replace(/^tmp\..*/, 'tmp');
}

beforeEach(() => {
  system.calls.length = 0;
  system.once.clear();
});

describe('a claim', () => {
  test('is held when the number exists with its own id: only the reply was lost', () => {
    const folder = tempFolder();
    system.once.set('linkSync', (real) => {
      real();
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
    });
    expect(acquireClaim(folder, 0)).toMatchObject({ kind: 'held', claim: { number: 1 } });
  });

  test('is not held when the number was made by somebody else in between', () => {
    const folder = tempFolder();
    system.once.set('linkSync', (real) => {
      writeRecord(folder, '00000001', recordOf());
      return real();
    });
    expect(acquireClaim(folder, 0)).toMatchObject({ kind: 'busy', holder: { number: 1 } });
  });

  test('is not held when a higher number was made in between; the lost bid stays where it is', () => {
    const folder = tempFolder();
    system.once.set('linkSync', (real) => {
      writeRecord(folder, '00000002', recordOf());
      return real();
    });
    const { kind } = acquireClaim(folder, 0);
    expect([kind, namesOf(folder)]).toEqual(['busy', ['00000001', '00000002']]);
  });

  test('does not begin at 1 again because one listing came back empty', () => {
    const folder = tempFolder();
    writeRecord(folder, '00000040', recordOf());
    system.once.set('readdirSync', () => []);
    acquireClaim(folder, 0);
    expect(namesOf(folder)).toEqual(['00000040']);
  });

  test('looks again when the highest number was tidied away before it was read', () => {
    const folder = tempFolder();
    writeRecord(folder, '00000041', recordOf(DEAD));
    system.once.set('readdirSync', () => ['00000007']);
    expect(acquireClaim(folder, 0)).toMatchObject({ kind: 'held', claim: { number: 42 } });
  });

  test('is durable before it is believed: record, number, folder, and only then the deciding listing', () => {
    acquireClaim(tempFolder(), 0);
    const from = system.calls.indexOf('fsyncSync');
    expect(system.calls.slice(from).map((call) => call.split(' ')[0])).toEqual([
      'fsyncSync', // the record
      'readdirSync',
      'readdirSync', // again, as it was empty
      'linkSync',
      'fsyncSync', // the folder
      'readdirSync', // decides
      'readdirSync', // to tidy
      'unlinkSync', // what was prepared
    ]);
  });

  test('leaves nothing prepared when its record cannot be written', () => {
    const folder = tempFolder();
    system.once.set('fsyncSync', () => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    expect([() => acquireClaim(folder, 0), () => namesOf(folder)].map(caught)).toEqual(['no space', []]);
  });
});

describe('tidying', () => {
  test('takes a number away before its companions, whatever the order of the listing', () => {
    const folder = tempFolder();
    const old = ['00000002.beat', '00000002.released', '00000002'];
    writeRecord(folder, '00000040', recordOf(DEAD));
    for (const name of old) writeRecord(folder, name, recordOf(DEAD));
    system.once.set('linkSync', (real) => {
      // The listing that decides comes next, and then the one to tidy by.
      system.once.set('readdirSync', (listed) => {
        system.once.set('readdirSync', () => [...old, '00000040', '00000041']);
        return listed();
      });
      return real();
    });
    acquireClaim(folder, 0);
    const removed = system.calls.filter((call) => call.startsWith('unlinkSync 0'));
    expect([removed[0], removed.length]).toEqual(['unlinkSync 00000002', 3]);
  });
});

function caught(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return (error as Error).message;
  }
}
