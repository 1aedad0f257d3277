/**
 * Loaded before the command: the system refuses one of its calls that change something in a net's folder, or all of
 * them for a while. FAULT_AT is the number of the call, FAULT_CODE what the system says, FAULT_MS for how long (0: only
 * that call), FAULT_WHEN whether it says so before or after it has done what was asked, FAULT_NOTE a file that is told
 * which call it was. Nothing of this is in the product.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { FAULT_AT, FAULT_CODE = 'ENOSPC', FAULT_MS = '0', FAULT_WHEN = 'before', FAULT_NOTE } = process.env;
const FOLDER = `${process.cwd()}/`;
const note = fs.appendFileSync.bind(fs, FAULT_NOTE);
/** Descriptors of files in the folder that are open for writing. */
const ours = new Set();
let calls = 0;
let over = 0;

/** Null: this call is not refused. */
function refusal(name, target) {
  const isFirst = ++calls === Number(FAULT_AT);
  if (isFirst) over = Date.now() + Number(FAULT_MS);
  if (!isFirst && Date.now() >= over) return null;
  if (isFirst) note(`${name} ${target}\n`);
  return Object.assign(new Error(`${FAULT_CODE}: made up, ${name} '${target}'`), {
    code: FAULT_CODE,
    syscall: name,
    errno: -1,
  });
}

function met(name, target, call) {
  const error = refusal(name, target);
  if (error && FAULT_WHEN === 'before') throw error;
  const result = call();
  if (error) throw error;
  return result;
}

async function metLater(name, target, call) {
  const error = refusal(name, target);
  if (error && FAULT_WHEN === 'before') throw error;
  const result = await call();
  if (error) throw error;
  return result;
}

const isOurs = (path) => String(path).startsWith(FOLDER);
const changes = (flags) =>
  typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(String(flags ?? 'r'));

function patch(object, name, around) {
  const real = object[name];
  object[name] = around(real.bind(object));
}

for (const name of [
  'mkdirSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmSync',
  'truncateSync',
]) {
  patch(
    fs,
    name,
    (real) =>
      (path, ...rest) =>
        isOurs(path) ? met(name, path, () => real(path, ...rest)) : real(path, ...rest),
  );
}
patch(fs, 'openSync', (real) => (path, flags, ...rest) => {
  const open = () => real(path, flags, ...rest);
  const fd = isOurs(path) && changes(flags) ? met('openSync', path, open) : open();
  if (isOurs(path)) ours.add(fd);
  return fd;
});
patch(fs, 'closeSync', (real) => (fd) => {
  ours.delete(fd);
  return real(fd);
});
for (const name of ['writeSync', 'fsyncSync', 'ftruncateSync']) {
  patch(
    fs,
    name,
    (real) =>
      (fd, ...rest) =>
        ours.has(fd) ? met(name, fd, () => real(fd, ...rest)) : real(fd, ...rest),
  );
}
patch(fs, 'fdatasync', (real) => (fd, done) => {
  const error = refusal('fdatasync', fd);
  if (error && FAULT_WHEN === 'before') setImmediate(done, error);
  else real(fd, (own) => done(error ?? own));
});

patch(
  fs.promises,
  'rm',
  (real) =>
    async (path, ...rest) =>
      await metLater('rm', path, () => real(path, ...rest)),
);
patch(fs.promises, 'open', (real) => async (path, flags, ...rest) => {
  const open = () => real(path, flags, ...rest);
  if (!(isOurs(path) && changes(flags))) return await open();
  const handle = await metLater('open', path, open);
  for (const name of ['write', 'writeFile', 'sync', 'chmod', 'truncate']) {
    patch(
      handle,
      name,
      (own) =>
        async (...args) =>
          await metLater(name, path, () => own(...args)),
    );
  }
  return handle;
});
syncBuiltinESMExports();
