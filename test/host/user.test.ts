import type os from 'node:os';
import { expect, test, vi } from 'vitest';
import { userName } from '../../src/host/user.js';

const system = vi.hoisted(() => ({ hasName: true }));

vi.mock('node:os', async (importOriginal) => ({
  ...(await importOriginal<typeof os>()),
  userInfo: () => {
    if (system.hasName) return { username: 'op' };
    throw new Error('uv_os_get_passwd returned ENOENT');
  },
}));

test('a user is known by name', () => {
  expect(userName()).toBe('op');
});

test('a user without a name, as in many containers, is known by number', () => {
  system.hasName = false;
  expect(userName()).toBe(`uid ${process.getuid!()}`);
});
