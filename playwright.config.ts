import { defineConfig } from '@playwright/test';
import type { Mode } from './e2e/testbed/electron/app.ts';
import { isNight, ONLY_AT_NIGHT } from './scripts/test/tiers.ts';

const leftOut = isNight() ? [] : [ONLY_AT_NIGHT];

export default defineConfig<object, { mode: Mode }>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: leftOut,
  outputDir: 'test-results',
  // For a busy machine with two slow cores. A test that passes takes no longer for it.
  timeout: 480_000,
  expect: { timeout: 60_000 },
  // A trace is every step with the page before and after it. Pictures of each frame would cost a quarter of all the browser's CPU.
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    trace: { mode: process.env.KNEEPOINT_TRACE === '1' ? 'retain-on-failure' : 'off', screenshots: false },
  },
  forbidOnly: process.env.CI === 'true',
  reporter: 'list',
  projects: [
    { name: 'browser', testIgnore: [...leftOut, '**/window*.spec.ts'], use: { mode: 'browser' } },
    // Everything about the window, and whatever else carries the tag.
    { name: 'electron', grep: /@window/, use: { mode: 'electron' } },
  ],
});
