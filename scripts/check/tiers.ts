import { tierOf } from '../test/tiers.ts';
import type { Module } from './modules.ts';
import { type Complaint, isTest, targetOf } from './project.ts';

const STARTS_PROCESSES = ['node:child_process', 'node:worker_threads', 'node:cluster'];
const TESTBED = 'e2e/testbed/';

/**
 * Tests outside all tiers, and tests of the unit tier that need more than Node: the testbed, a separate process, or a module that starts one, even
 * through a test helper. Processes started deeper in the product do not count.
 */
export function checkTiers(modules: ReadonlyMap<string, Module>): Complaint[] {
  return [...modules.values()]
    .filter(({ file }) => /\.test\.tsx?$/.test(file))
    .flatMap((module) => {
      const tier = tierOf(module.file);
      if (!tier)
        return [{ file: module.file, line: 1, text: 'is a test that no tier runs: see scripts/test/tiers.ts' }];
      return tier === 'unit' ? processesOf(module, modules) : [];
    });
}

/** An assertion about a duration, or that something was just now. */
const OF_THE_CLOCK = /expect\([^;]*?(?:performance\.now\(\)|Math\.abs\([^;]*?Date\.now\(\))/g;

/** Assertions about wall time: a busy machine breaks them. Only tests that run with nothing else on the machine may have some. */
export function checkClocks(modules: ReadonlyMap<string, Module>): Complaint[] {
  return [...modules.values()]
    .filter(({ file }) => /\.(?:test\.tsx?|spec\.ts)$/.test(file) && !file.includes('.alone.'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(OF_THE_CLOCK)].map(({ index }) => ({
        file,
        line: text.slice(0, index).split('\n').length,
        text: 'asserts seconds of the wall: assert an order, or a time that was recorded, or call it *.alone.test.ts',
      })),
    );
}

function processesOf(test: Module, modules: ReadonlyMap<string, Module>): Complaint[] {
  const reached = new Set([test]);
  const complaints: Complaint[] = [];
  for (const module of reached)
    for (const { specifier, line, loads } of module.mentions) {
      if (loads === 'never') continue;
      const target = targetOf(module.file, specifier);
      const next = target === undefined ? undefined : modules.get(target);
      if (
        target?.startsWith(TESTBED) ||
        startsProcesses(specifier) ||
        next?.mentions.some((it) => it.loads !== 'never' && startsProcesses(it.specifier))
      )
        complaints.push({
          file: module.file,
          line,
          text: `imports ${target ?? specifier}, which starts processes, and is part of the unit tier: call ${test.file} *.servers.test.ts`,
        });
      else if (next && isTest(next.file)) reached.add(next);
    }
  return complaints;
}

const startsProcesses = (specifier: string): boolean => STARTS_PROCESSES.includes(specifier);
