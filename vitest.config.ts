import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './scripts/lib/terminal.ts';
import { isNight, ONLY_AT_NIGHT, PROJECTS } from './scripts/test/tiers.ts';
import { readTimings } from './scripts/test/timings.ts';
import { VitestOutcome } from './scripts/test/vitest-outcome.ts';

const timings = readTimings();

/**
 * New files are of unknown length and start before all others. One project follows the other: where the next file is of another one, Vitest ends the
 * process, and its modules are loaded anew.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const wall = ({ moduleId }: TestSpecification): number => timings[path.relative(root, moduleId)]?.wall ?? Infinity;
    const sorted = files.toSorted((a, b) => wall(b) - wall(a));
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return sorted.toSorted((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project));
  }
}

/**
 * Much of what tests make is garbage at once: with little room it is searched again and again, by threads that take the two cores from other files.
 * Most code runs a few times only: compiled at its first call, it takes less time than interpreted.
 */
const FOR_SHORT_TESTS = ['--max-semi-space-size=64', '--single-threaded-gc', '--always-sparkplug'];

export default defineConfig({
  test: {
    reporters: ['default', new VitestOutcome()],
    sequence: { sequencer: LongestFirst },
    projects: PROJECTS.map(({ name, tier, include, exclude = [] }) => ({
      test: {
        name,
        include: [...include],
        exclude: [...exclude, ...(isNight() ? [] : [ONLY_AT_NIGHT])],
        // Files share processes: loading every module anew for each of them was half of their time. A test undoes what it stubs.
        isolate: false,
        ...(tier === 'unit' && { execArgv: FOR_SHORT_TESTS }),
        // Our sources are what Node runs as they are, and keeps compiled. Only the page needs a bundler.
        experimental: name === 'dom' ? {} : { viteModuleRunner: false, nodeLoader: false },
        environment: name === 'dom' ? 'happy-dom' : 'node',
        setupFiles: [
          'scripts/test/vitest-setup.ts',
          ...(tier === 'unit' ? [] : ['e2e/testbed/test-cleanup.ts']),
          ...(name === 'dom' ? ['src/renderer/testing/setup.ts'] : []),
        ],
        globalSetup: tier === 'unit' ? [] : ['e2e/testbed/test-setup.ts'],
        // For a busy machine with two slow cores. A test that passes takes no longer for it.
        testTimeout: tier === 'unit' ? 120_000 : 480_000,
        hookTimeout: 300_000,
        ...(tier !== 'unit' && { expect: { poll: { timeout: 420_000 } } }),
      },
    })),
  },
});
