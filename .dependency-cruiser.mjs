/**
 * Nobody imports upward: core <- engine <- adapters <- cli. Adapters never import each other. `host` holds what the
 * system says of processes and files, and knows nothing of jobnet.
 */
const ADAPTERS = ['journal', 'netfile', 'executor', 'claim'];

const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'Files of one topic do not need each other both ways.'),
    forbid(
      'core-is-pure',
      { path: '^src/core/' },
      { path: '^src/(?!core/)' },
      'The core imports only itself.',
    ),
    forbid(
      'core-knows-no-node',
      { path: '^src/core/' },
      { dependencyTypes: ['core'] },
      'The core runs anywhere.',
    ),
    forbid(
      'core-imports-pure-libraries',
      { path: '^src/core/' },
      { path: 'node_modules', pathNot: 'node_modules/(graphlib|csv-parse)/' },
      'Two libraries, both pure.',
    ),
    forbid(
      'engine-imports-core',
      { path: '^src/engine/' },
      { path: '^src/(?!core/|engine/)' },
      'Ports are injected.',
    ),
    forbid(
      'host-is-lowest',
      { path: '^src/host/' },
      { path: '^src/(?!host/)' },
      'Host knows nothing of jobnet.',
    ),
    forbid(
      'operator-stands-alone',
      { path: '^src/operator/' },
      { path: '^src/(?!operator/|host/)' },
      'A socket and a folder for it, nothing else.',
    ),
    ...ADAPTERS.map((adapter) =>
      forbid(
        `${adapter}-imports-down`,
        { path: `^src/${adapter}/` },
        { path: `^src/(?!core/|engine/|host/|${adapter}/)` },
        'Adapters never import each other, nor the command line.',
      ),
    ),
    forbid(
      'fakes-are-for-tests',
      { path: '^src/(?!engine/fakes/)' },
      { path: '^src/engine/fakes/' },
      'No fake in the product.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
