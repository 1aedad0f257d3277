/** Which characters the bytes of a file stand for, and that no byte is lost on the way back. */
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { decodeBytes } from '../../src/netfile/encoding.js';
import { sheetOf } from '../../src/netfile/read.js';
import { ENDED, LATER_TEXT, NOON_TEXT } from '../contract/net-file.js';
import { createRig, sheetIn } from './rig.js';

const HEADER = 'job,status,prev1\n';
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const cp932 = (text: string) => iconv.encode(text, 'cp932');

function textOf(file: Buffer): string | null {
  const decoded = decodeBytes(file);
  return decoded.kind === 'text' ? decoded.text : null;
}

function problemOf(file: Buffer) {
  const result = sheetOf(file);
  return result.kind === 'bad' ? result.problems[0] : null;
}

describe('the text of a file', () => {
  test('is UTF-8', () => {
    expect(textOf(Buffer.from('日次 集計,①㈱髙〜～'))).toBe('日次 集計,①㈱髙〜～');
  });

  test('CSV-01 keeps its byte-order mark, and no name gets it', () => {
    const file = Buffer.from('\ufeffjob,status\nA,9\n');
    expect([textOf(file)?.charCodeAt(0), sheetIn(file).net.names]).toEqual([0xfeff, ['A']]);
  });

  test('CSV-01 has its mark still when a row was written; without it the net is the same', async () => {
    const rows = (cells: string) => `job,status,stime,etime,prev1\nLOAD,${cells},\n`;
    const rig = createRig(`\ufeff${rows('9,,')}`);
    rig.netFile.show('LOAD', ENDED);
    await rig.flush();
    expect(rig.bytes().equals(Buffer.from(`\ufeff${rows(`0,${NOON_TEXT},${LATER_TEXT}`)}`))).toBe(true);
    expect(sheetIn(rows('9,,')).net).toEqual(sheetIn(`\ufeff${rows('9,,')}`).net);
  });

  test.each(['締め処理', '表示', 'ソ', 'ﾊﾝｶｸｶﾞ', '～', '①㈱髙', '七', '示'])(
    'CSV-05 is CP932 where it is not UTF-8: %s',
    (name) => {
      expect(textOf(cp932(`job,status\n${name},9\n`))).toBe(`job,status\n${name},9\n`);
    },
  );

  test('a second byte of 5C is no backslash, and one of a quote or a comma does not exist', () => {
    expect(sheetIn(cp932('job,status,prev1\n表,9,\n締め,9,表\n')).net.names).toEqual(['表', '締め']);
  });

  test.each([
    ['a cut character of UTF-8 behind a mark', Buffer.from('\ufeff日').subarray(0, 5)],
    ['a cut character of CP932', Buffer.from([0x93, 0xfa, 0x8e])],
    ['half a surrogate pair', Buffer.from([0xef, 0xbb, 0xbf, 0xed, 0xa0, 0x80])],
    ['a byte that CP932 does not have', Buffer.from([0x41, 0xfd])],
    ['Western text', Buffer.from('caf\xe9,r\xe9sum\xe9', 'latin1')],
  ])('is refused, never guessed, when it has %s', (_, file) => {
    expect(decodeBytes(file)).toEqual({ kind: 'unknown' });
  });
});

describe('CSV-10 refused with advice', () => {
  test.each([
    ['UTF-16 as Excel writes it', Buffer.from('\ufeffjob\tstatus\r\nA\t9\r\n', 'utf16le')],
    ['UTF-16 the other way round', Buffer.from('\ufeffjob,status\nA,9\n', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('job,status\nA,9\n', 'utf16le')],
    ['the same the other way round', Buffer.from('job,status\nA,9\n', 'utf16le').swap16()],
  ])('%s', (_, file) => {
    expect(problemOf(file)).toEqual({ code: 'encoding', found: 'utf-16' });
  });

  test.each([
    ['semicolons', 'job;status;prev1\nA;9;\n', ';'],
    ['tabs', 'job\tstatus\tprev1\nA\t9\t\n', 'tab'],
    ['a first line for a spreadsheet', 'sep=,\njob,status\nA,9\n', 'sep='],
    ['the same with a semicolon', 'sep=;\r\njob;status\r\nA;9\r\n', 'sep='],
    ['semicolons behind a mark', '\ufeffjob;status\nA;9\n', ';'],
  ])('%s', (_, text, found) => {
    expect(problemOf(Buffer.from(text))).toEqual({ code: 'separator', found });
  });

  test.each([
    ['all of it', Buffer.alloc(400)],
    ['its end', Buffer.concat([Buffer.from('job,status\nA,9\n'), Buffer.alloc(400)])],
    ['its beginning', Buffer.concat([Buffer.alloc(400), Buffer.from('job,status\nA,9\n')])],
  ])('STA-06 zeros where text should be are told as such: %s', (_, file) => {
    expect(problemOf(file)).toEqual({ code: 'encoding', found: 'zeros' });
  });

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a header only', Buffer.from(HEADER)],
    ['blank rows only', Buffer.from('\r\n\r\n,,,\r\n')],
  ])('%s is never taken for a net in which all is done', (_, file) => {
    expect(sheetOf(file).kind).toBe('bad');
  });
});

describe('characters with two codes in CP932 keep the one they have', () => {
  test.each([
    ['髙 of NEC', [0xee, 0xe0], '髙'],
    ['髙 of IBM', [0xfb, 0xfc], '髙'],
    ['㈱ of NEC', [0x87, 0x8a], '㈱'],
    ['∪ of JIS', [0x81, 0xbe], '∪'],
    ['∪ of NEC', [0x87, 0x9c], '∪'],
    ['￢ of IBM', [0xfa, 0x54], '￢'],
  ])('%s, also in a name', async (_, code, character) => {
    const row = (cells: string) => bytes('job,status,stime,etime,memo\r\n', code, `,${cells},`, code, '\r\n');
    const rig = createRig(row('9,,'));
    rig.netFile.show(character, ENDED);
    await rig.flush();
    expect(rig.bytes().equals(row(`0,${NOON_TEXT},${LATER_TEXT}`))).toBe(true);
  });

  test('every one of them, in one file', async () => {
    const codes = doubleCodes();
    const rows = (status: string) =>
      bytes('job,status,memo\n', ...codes.flatMap((code, index) => [`J${index},${status},`, code, '\n']));
    const rig = createRig(rows('9'));
    codes.forEach((_, index) => {
      rig.netFile.show(`J${index}`, { status: '0', startedAt: null, endedAt: null });
    });
    await rig.flush();
    expect([codes.length, rig.bytes().equals(rows('0'))]).toEqual([794, true]);
  });
});

/** All codes of characters that have more than one. */
function doubleCodes(): number[][] {
  const byCharacter = new Map<string, number[][]>();
  for (let first = 0x81; first <= 0xfc; first++) {
    for (let second = 0x40; second <= 0xfc; second++) {
      const isLead = first < 0xa0 || first >= 0xe0;
      const character = iconv.decode(Buffer.from([first, second]), 'cp932');
      if (!isLead || second === 0x7f || character.length !== 1 || character === '\ufffd') continue;
      byCharacter.set(character, [...(byCharacter.get(character) ?? []), [first, second]]);
    }
  }
  return [...byCharacter.values()].filter((codes) => codes.length > 1).flat();
}

describe('what another encoder would change stays', () => {
  test.each([
    ['a wave dash and a full-width tilde in UTF-8', Buffer.from('〜～−－')],
    ['a full-width tilde in CP932', Buffer.from([0x81, 0x60, 0x81, 0x7c])],
    ['half-width kana with its voice mark', Buffer.from([0xb6, 0xde])],
    ['a decomposed character', Buffer.from('カ\u3099')],
    ['an emoji', Buffer.from('🎌')],
    ['a yen sign and a backslash', Buffer.from('¥\\')],
  ])('%s', async (_, memo) => {
    const row = (status: string) =>
      Buffer.concat([bytes(`job,status,memo\nA,${status},`), memo, bytes('\n')]);
    const rig = createRig(row('9'));
    rig.netFile.show('A', ENDED);
    await rig.flush();
    expect(rig.bytes().equals(row('0'))).toBe(true);
  });
});
