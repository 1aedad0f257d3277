import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Real processes share two cores with the tests that watch them.
    maxWorkers: 2,
    reporters: ['default'],
  },
});
