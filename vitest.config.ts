import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: real processes share them with the tests that watch them, and many tests wait for times to pass.
    maxWorkers: 3,
    reporters: ['default'],
  },
});
