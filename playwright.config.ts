import { defineConfig } from '@playwright/test';
import type { Mode } from './e2e/testbed/electron/app.ts';

// One worker: the machine that measures must not be busy with another test.
export default defineConfig<object, { mode: Mode }>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  use: { actionTimeout: 15_000, navigationTimeout: 30_000 },
  forbidOnly: process.env.CI === 'true',
  reporter: 'list',
  projects: [
    { name: 'browser', testIgnore: '**/window*.spec.ts', use: { mode: 'browser' } },
    // Everything about the window, and whatever else carries the tag.
    { name: 'electron', grep: /@window/, use: { mode: 'electron' } },
  ],
});
