/** One process of the locks bench: `bare` does what a lock must do to files, `library` takes and releases a lock. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

const [mode, folder, times] = process.argv.slice(2);
const repeat = Number(times);

await (mode === 'bare' ? bare(Math.ceil(repeat / 10)) : library(Math.ceil(repeat / 10)));
const from = process.hrtime.bigint();
await (mode === 'bare' ? bare(repeat) : library(repeat));
console.log(JSON.stringify({ ms: Number(process.hrtime.bigint() - from) / 1e6, times: repeat }));

async function library(count) {
  const { withLock } = await import('../../dist/index.js');
  for (let at = 0; at < count; at++) await withLock('bench', () => undefined, { dir: folder });
}

/** Record, listing, link, folder, listing, listing to tidy by, what fell out of the 32 kept, release. */
async function bare(count) {
  const own = path.join(folder, 'bare.d');
  mkdirSync(own, { recursive: true });
  const record = `${JSON.stringify({ format: 1, kind: 'process', host: 'bench', pid: process.pid, id: 'x'.repeat(32) })}\n`;
  let number = Math.max(0, ...readdirSync(own).map((name) => Number.parseInt(name, 10)));
  for (let at = 0; at < count; at++) {
    number++;
    const name = (value) => path.join(own, String(value).padStart(8, '0'));
    const prepared = path.join(own, 'tmp.bare');
    const fd = openSync(prepared, 'wx');
    writeSync(fd, record);
    fsyncSync(fd);
    closeSync(fd);
    readdirSync(own);
    if (number > 1) readFileSync(name(number - 1), 'utf8');
    linkSync(prepared, name(number));
    const opened = openSync(own, 'r');
    fsyncSync(opened);
    closeSync(opened);
    readdirSync(own);
    readdirSync(own);
    if (number > 32) for (const suffix of ['', '.released']) unlinkSync(`${name(number - 32)}${suffix}`);
    unlinkSync(prepared);
    closeSync(openSync(`${name(number)}.released`, 'wx'));
  }
}
