import type { Finding } from '../model/finding.ts';
import type { StartFacts } from './facts.ts';

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.');

/** The machine that makes the load must not be what limits it. */
export const generatorChecks = (facts: StartFacts): Finding[] =>
  facts.generators.flatMap((generator) => checksOf(generator, facts));

function checksOf(
  generator: StartFacts['generators'][number],
  { targetAddress, experiment, generators }: StartFacts,
): Finding[] {
  const findings: Finding[] = [];
  const { facts } = generator;
  const own = new Set(facts?.networks.flatMap((network) => network.addresses) ?? []);
  if (targetAddress !== undefined && (isLoopback(targetAddress) || own.has(targetAddress))) {
    findings.push({
      code: 'same-machine',
      severity: 'warn',
      message: 'Load generator and target are on the same machine, so they take CPU time from each other.',
      evidence: `The target's address, ${targetAddress}, is one of ${generator.name}'s own.`,
      next: 'For figures about the server alone, generate the load on another machine.',
    });
  }
  const all = mostThreads(experiment);
  const threads = all === undefined ? undefined : Math.ceil(all / generators.length);
  if (facts && threads !== undefined && threads > facts.cpuCount * 16) {
    findings.push({
      code: 'many-threads-per-core',
      severity: 'note',
      message: `${threads} threads on ${facts.cpuCount} cores of ${generator.name}: look at its CPU before blaming the server.`,
    });
  }
  if (facts?.cpuGovernor !== undefined && facts.cpuGovernor !== 'performance') {
    findings.push({
      code: 'cpu-governor',
      severity: 'note',
      message: `The CPU governor of ${generator.name} is “${facts.cpuGovernor}”: clock speed follows the load, and results with it.`,
      next: 'Set it to “performance” for the time of the measurement.',
    });
  }
  return findings;
}

function mostThreads(experiment: StartFacts['experiment']): number | undefined {
  const factor = experiment.factors.find((entry) => (entry.option ?? entry.name) === 'threads');
  const values = (factor?.levels ?? [experiment.workload.options.threads]).filter((value) => typeof value === 'number');
  return values.length > 0 ? Math.max(...values) : undefined;
}
