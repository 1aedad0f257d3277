/** A replaced file is read again unless its times prove that nobody wrote since: two writes may share one time. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStrays } from '../../src/netfile/strays.js';
import { sheetIn } from './rig.js';

const OLD = 'job,status\na,1\n';
const NEW = 'job,status\na,0\n';

/** An open file whose times never change, whatever is written. */
const file = vi.hoisted(() => ({ text: '', reads: 0, ctimeNs: 1n }));

vi.mock('node:fs/promises', () => ({
  open: async () => ({
    stat: async (options?: { bigint: boolean }) => {
      const { length } = file.text;
      return options ? { size: BigInt(length), ino: 1n, ctimeNs: file.ctimeNs, nlink: 0n } : { size: length };
    },
    read: async (buffer: Buffer, offset: number, length: number) => {
      file.reads++;
      return { bytesRead: Buffer.from(file.text).copy(buffer, offset, 0, length) };
    },
    close: async () => undefined,
  }),
}));

/** A file that was replaced and has been looked at; `after` lets so much time pass, `look` counts the reads. */
async function lookedAt(ctimeNs: bigint) {
  Object.assign(file, { text: OLD, reads: 0, ctimeNs });
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  onTestFinished(() => now.mockRestore());
  const strays = createStrays({ now: () => null, earlier: () => [], began: '' });
  await (await strays.open('x', sheetIn(OLD))).keep(0);
  const look = async () => {
    const before = file.reads;
    await strays.look(0);
    return file.reads > before;
  };
  await look();
  return { look, after: (ms: number) => now.mockReturnValue(1000 + ms) };
}

test.each([
  ['that tells parts of a second', 1n, 49, 50],
  ['that tells whole seconds', 1_000_000_000n, 2099, 2100],
])('on a file system %s', async (_, ctimeNs, soon, later) => {
  const { look, after } = await lookedAt(ctimeNs);
  after(soon);
  expect(await look()).toBe(true);
  file.text = NEW;
  after(later);
  expect(await look()).toBe(true);
});

test('what was read when its times were old already is not read again', async () => {
  const { look, after } = await lookedAt(1n);
  after(50);
  expect([await look(), await look()]).toEqual([true, false]);
});
