import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENDED, LATER_TEXT, NOON, NOON_TEXT, RUNNING } from '../contract/net-file.js';
import { tempFolder } from '../contract/temp-folder.js';
import { createRig, rigOn } from './rig.js';

describe('a write', () => {
  test('CSV-14 changes status, stime and etime of the rows shown, and no other byte', async () => {
    const rig = createRig(
      '\ufeffmemo,status,job,prev1,stime,etime\r\n"say ""hi""",9,a,,,\n\r\n"two\r\nlines",9,"b",a,"",""\r,,,,,\nlast,9,c,b,,',
    );
    rig.netFile.show('b', ENDED);
    await rig.flush();
    expect(rig.text()).toBe(
      `\ufeffmemo,status,job,prev1,stime,etime\r\n"say ""hi""",9,a,,,\n\r\n"two\r\nlines",0,"b",a,"${NOON_TEXT}","${LATER_TEXT}"\r,,,,,\nlast,9,c,b,,`,
    );
  });

  test('writes no times where there are no columns for them', async () => {
    const rig = createRig('job,status,prev1\na,9,\n');
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status,prev1\na,0,\n');
  });

  test('writes the time for which there is a column', async () => {
    const rig = createRig('job,etime,status\na,,9\n');
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toBe(`job,etime,status\na,${LATER_TEXT},0\n`);
  });

  test('CSV-13 finds its rows in the form of the name that the file has', async () => {
    const rig = createRig('job,status\n カ\u3099ス\u3000,9\n');
    rig.netFile.show('ガス', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status\n カ\u3099ス\u3000,0\n');
  });

  test('fills rows that are short', async () => {
    const rig = createRig('job,status,stime,etime\na\n');
    rig.netFile.show('a', RUNNING);
    await rig.flush();
    expect(rig.text()).toBe(`job,status,stime,etime\na,2,${NOON_TEXT}\n`);
  });

  test.each([
    ['all cells are as they are to be', `job,status,stime,etime\na,0,${NOON_TEXT},${LATER_TEXT}\n`],
    [
      'they differ only in blanks around them',
      `job,status,stime,etime\na, 0 ,${NOON_TEXT}\t, ${LATER_TEXT}\n`,
    ],
    ['the row is gone', 'job,status,stime,etime\nb,9,,\n'],
  ])('does not take place when %s', async (_, text) => {
    const rig = createRig(text);
    const before = rig.inode();
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.inode()).toBe(before);
  });

  test('leaves no temporary file behind', async () => {
    const rig = createRig('job,status\na,9\n');
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.leftOver()).toEqual([]);
  });

  test('of 10,000 rows is one write', async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `job${at}`);
    const rig = createRig(`job,status,stime,etime\n${names.map((name) => `${name},9,,\n`).join('')}`);
    for (const name of names) rig.netFile.show(name, RUNNING);
    await rig.flush();
    expect(rig.text().match(/,2,/g)).toHaveLength(10_000);
  });
});

describe('what somebody else wrote just before', () => {
  const TEXT = 'job,status,stime,etime,memo\na,9,,,\nb,9,,,\n';

  test.each([
    ['another row', 'job,status,stime,etime,memo\na,9,,,\nb,1,,,\n', `a,2,${NOON_TEXT},,\nb,1,,,`],
    [
      'another cell of the same row',
      'job,status,stime,etime,memo\na,9,,,mine\nb,9,,,\n',
      `a,2,${NOON_TEXT},,mine\nb,9,,,`,
    ],
    [
      'a new row above',
      'job,status,stime,etime,memo\nnew,9,,,\na,9,,,\nb,9,,,\n',
      `new,9,,,\na,2,${NOON_TEXT},,\nb,9,,,`,
    ],
    [
      'the rows in another order',
      'job,status,stime,etime,memo\nb,9,,,\na,9,,,\n',
      `b,9,,,\na,2,${NOON_TEXT},,`,
    ],
    ['a row less', 'job,status,stime,etime,memo\na,9,,,\n', `a,2,${NOON_TEXT},,`],
  ])('survives: %s', async (_, version, expected) => {
    const rig = createRig(TEXT);
    rig.netFile.show('b', { status: '9', startedAt: undefined, endedAt: undefined });
    await rig.flush();
    rig.netFile.show('a', RUNNING);
    rig.save(version);
    await rig.flush();
    expect(rig.text()).toBe(`job,status,stime,etime,memo\n${expected}\n`);
  });

  test('survives when it moves the columns', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('b', ENDED);
    await rig.flush();
    rig.netFile.show('a', RUNNING);
    rig.save('etime,status,job,stime\n,9,a,\n');
    await rig.flush();
    expect(rig.text()).toBe(`etime,status,job,stime\n,2,a,${NOON_TEXT}\n`);
  });

  test('survives when it came by a rename', async () => {
    const rig = createRig(TEXT);
    rig.netFile.show('a', RUNNING);
    writeFileSync(path.join(rig.folder, 'edited'), 'job,status,stime,etime,memo\na,9,,,mine\n');
    renameSync(path.join(rig.folder, 'edited'), rig.file);
    await rig.flush();
    expect(rig.text()).toBe(`job,status,stime,etime,memo\na,2,${NOON_TEXT},,mine\n`);
  });

  test('is written over in our own cells of our own rows', async () => {
    const rig = createRig(TEXT);
    rig.now.set('a', RUNNING);
    rig.netFile.show('a', RUNNING);
    rig.save('job,status,stime,etime,memo\na,1,x,y,\nb,9,,,\n');
    await rig.flush();
    expect(rig.text()).toBe(`job,status,stime,etime,memo\na,2,${NOON_TEXT},,\nb,9,,,\n`);
  });
});

describe('a row that was missing', () => {
  test('gets its cells with the next write after it is back', async () => {
    const rig = createRig('job,status\nb,9\n');
    rig.netFile.show('a', ENDED);
    await rig.flush();
    rig.save('job,status\na,9\nb,9\n');
    rig.netFile.show('b', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status\na,0\nb,0\n');
  });

  test('gets the last cells shown, not those of the time when it was missing', async () => {
    const rig = createRig('job,status\nb,9\n');
    rig.netFile.show('a', RUNNING);
    await rig.flush();
    rig.save('job,status\na,9\n');
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(rig.text()).toBe('job,status\na,0\n');
  });
});

describe('STA-07 the file itself', () => {
  test.each([0o600, 0o640, 0o664, 0o444, 0o2664])('keeps its mode: %o', async (mode) => {
    const rig = createRig('job,status\na,9\n');
    chmodSync(rig.file, mode);
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(statSync(rig.file).mode & 0o7777).toBe(mode);
  });

  test.skipIf(process.getuid?.() !== 0)('keeps its owner and group', async () => {
    const rig = createRig('job,status\na,9\n');
    chownSync(rig.file, 1234, 2345);
    rig.netFile.show('a', ENDED);
    await rig.flush();
    const { uid, gid } = statSync(rig.file);
    expect([uid, gid, rig.events]).toEqual([1234, 2345, []]);
  });

  test.skipIf(process.getuid?.() !== 0)('keeps its mode although the owner is another', async () => {
    const rig = createRig('job,status\na,9\n');
    chownSync(rig.file, 1234, 2345);
    chmodSync(rig.file, 0o2664);
    rig.netFile.show('a', ENDED);
    await rig.flush();
    expect(statSync(rig.file).mode & 0o7777).toBe(0o2664);
  });

  test('is replaced behind a link, and the link stays', async () => {
    const folder = tempFolder();
    const real = path.join(folder, 'real', 'net.csv');
    mkdirSync(path.dirname(real));
    writeFileSync(real, 'job,status\na,9\n');
    const link = path.join(folder, 'jobnet.csv');
    symlinkSync(real, link);
    const { netFile } = rigOn(real);
    netFile.show('a', { status: '1', startedAt: NOON, endedAt: NOON });
    await netFile.flush();
    expect([readFileSync(link, 'utf8'), readlinkSync(link)]).toEqual(['job,status\na,1\n', real]);
  });
});
