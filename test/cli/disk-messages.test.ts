import { describe, expect, test } from 'vitest';
import { messagesIn } from '../../src/cli/messages/index.js';

const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE'];

describe.each(['en', 'ja'] as const)('STA-10 what is said of the journal in %s', (language) => {
  const texts = CODES.map((code) => messagesIn(language).journalFault(code));

  test.each(CODES)('names the code %s', (code) => {
    expect(messagesIn(language).journalFault(code)).toContain(code);
  });

  test('differs by more than the code: a full disk is not a read-only one', () => {
    const bare = texts.map((text) => text.replace(/E[A-Z]+/, ''));
    expect(new Set(bare).size).toBe(CODES.length);
  });
});
