import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readyByHand, SHELLS, type Shell } from './shells.js';
import { script } from './support.js';

/** The code of a job that is a script of this content. */
async function codeOf(shell: Shell, content: string | Uint8Array, mode = 0o755): Promise<number> {
  const launcher = await readyByHand(shell);
  script(path.join(launcher.folder, 'jobs', 'J'), content, mode);
  return codeIn(await launcher.run('J', './jobs/J'));
}

function codeIn(answer: string | undefined): number {
  return Number(/^E (\d+) J\.1$/.exec(answer ?? '')![1]);
}

/** Bytes that are no program and no text; read as a text, they break the grammar of a shell. */
const JUNK = Buffer.from('\x7fELF\0)(\0\n\xff\xfe', 'latin1');

for (const shell of SHELLS)
  describe.skipIf(!shell.program)(`the code that a launcher in ${shell.name} sees`, () => {
    const isBusybox = shell.name.startsWith('busybox');

    test.each([0, 1, 2, 77, 126, 127, 128, 137, 255])('is the code of the job: %d', async (code) => {
      expect(await codeOf(shell, `#!/bin/sh\nexit ${code}\n`)).toBe(code);
    });

    test.each([
      { signal: 'HUP', number: 1 },
      { signal: 'INT', number: 2 },
      { signal: 'ABRT', number: 6 },
      { signal: 'KILL', number: 9 },
      { signal: 'SEGV', number: 11 },
      { signal: 'PIPE', number: 13 },
      { signal: 'TERM', number: 15 },
    ])('is 128 + $number for a death by $signal', async ({ signal, number }) => {
      expect(await codeOf(shell, `#!/bin/sh\nulimit -c 0\nkill -${signal} $$\n`)).toBe(128 + number);
    });

    test('is 0 for exit 256, of which only the low eight bits arrive', async () => {
      const launcher = await readyByHand(shell);
      expect(codeIn(await launcher.run('J', '/usr/bin/env', 'perl', '-e', 'exit 256'))).toBe(0);
    });

    test('is 127 for a file that is not there', async () => {
      const launcher = await readyByHand(shell);
      expect(codeIn(await launcher.run('J', './jobs/nosuch'))).toBe(127);
    });

    test('is 127 for a missing interpreter', async () => {
      expect(await codeOf(shell, '#!/nosuch/interpreter\n')).toBe(127);
    });

    test('is 127 for an interpreter with a carriage return behind it', async () => {
      expect(await codeOf(shell, '#!/bin/sh\r\nexit 0\r\n')).toBe(127);
    });

    test("is 127 for a script's own last command that is missing", async () => {
      expect(await codeOf(shell, '#!/bin/sh\nnosuchcommand\n')).toBe(127);
    });

    test('is 126 for a file of mode 644', async () => {
      expect(await codeOf(shell, '#!/bin/sh\n', 0o644)).toBe(126);
    });

    test('is 126 for a folder', async () => {
      const launcher = await readyByHand(shell);
      mkdirSync(path.join(launcher.folder, 'jobs', 'J'), { recursive: true });
      expect(codeIn(await launcher.run('J', './jobs/J'))).toBe(126);
    });

    test('is 126 for a file that is open for writing', async () => {
      const launcher = await readyByHand(shell);
      const fd = openSync(script(path.join(launcher.folder, 'J'), '#!/bin/sh\n'), 'r+');
      const code = codeIn(await launcher.run('J', './J'));
      closeSync(fd);
      expect(code).toBe(126);
    });

    test('is 126 for arguments that are too long', async () => {
      const launcher = await readyByHand(shell);
      expect(codeIn(await launcher.run('J', '/bin/echo', 'x'.repeat(140_000)))).toBe(126);
    });

    test(`is ${isBusybox ? 2 : 126} for binary junk`, async () => {
      expect(await codeOf(shell, JUNK)).toBe(isBusybox ? 2 : 126);
    });

    test('is 0 for an empty file, which is why a launcher never gets one', async () => {
      expect(await codeOf(shell, '')).toBe(0);
    });

    test('is that of a script without #!, which the shell runs itself', async () => {
      expect(await codeOf(shell, 'exit 7\n')).toBe(7);
    });

    test('is that of a script behind a byte-order mark, which is why a launcher never gets one', async () => {
      expect(await codeOf(shell, '\ufeff#!/bin/sh\nexit 7\n')).toBe(7);
    });
  });
