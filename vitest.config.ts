import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests wait for servers and clocks most of the time: two files at once take half as long, also where Vitest would take one by one.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          include: ['src/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['e2e/testbed/test-setup.ts'],
          // Of a busy machine with two slow cores. A test that passes takes no longer for it.
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      { test: { name: 'dom', include: ['src/renderer/**/*.test.tsx'], environment: 'happy-dom', testTimeout: 60_000 } },
    ],
  },
});
