/** Compiles src to dist, incrementally. Says plainly what is missing when the compiler is not installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = `${root}node_modules/typescript/bin/tsc`;

if (!existsSync(compiler)) {
  console.error('The TypeScript compiler is not installed. Run: npm ci');
  console.error('(NODE_ENV=production and --omit=dev leave it out; building needs it.)');
  process.exit(4);
}
const { status } = spawnSync(process.execPath, [compiler, '-p', `${root}tsconfig.json`], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
