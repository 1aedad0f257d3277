/** The checks without tests, side by side: types, purity of the core, lint and format, import rules, unused code. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;

const CHECKS = [
  [
    'build and types of tests',
    'sh',
    ['-c', 'node scripts/build.mjs && node_modules/.bin/tsc -p test/tsconfig.json'],
  ],
  ['purity of the core', bin('tsc'), ['-p', 'src/core/tsconfig.json']],
  ['lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['import rules', process.execPath, ['scripts/check-imports.mjs']],
  ['unused code', bin('knip'), []],
];

const results = await Promise.all(CHECKS.map(run));
const failed = results.filter((ok) => !ok).length;
console.log(`${results.length - failed} checks passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function run([name, command, args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });
}
