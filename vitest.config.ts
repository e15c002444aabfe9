import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PROJECTS } from './scripts/test/tiers.ts';
import { VitestOutcome } from './scripts/test/vitest-outcome.ts';

/** Walks and servers first: what takes minutes must not begin when the other worker has nothing left to do beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ['walks', 'servers', 'dom', 'pure'];
    const rank = ({ project }: TestSpecification): number => order.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Tests wait for servers and clocks most of the time: more files at once than a small machine has cores.
    maxWorkers: 3,
    reporters: ['default', new VitestOutcome()],
    sequence: { sequencer: LongestFirst },
    projects: PROJECTS.map(({ name, tier, include, exclude = [] }) => ({
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        // Tests of the unit tier share a process: loading every module anew for each file was half of their time. A test undoes what it stubs.
        isolate: tier !== 'unit',
        environment: name === 'dom' ? 'happy-dom' : 'node',
        globalSetup: tier === 'unit' ? [] : ['e2e/testbed/test-setup.ts'],
        // Of a busy machine with two slow cores. A test that passes takes no longer for it.
        testTimeout: 120_000,
        hookTimeout: 300_000,
      },
    })),
  },
});
