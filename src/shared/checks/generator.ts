import type { Finding } from '../model/finding.ts';
import { formatCount } from '../util/format.ts';
import type { StartFacts } from './facts.ts';

/** From here on the load tool itself waits for a processor. */
const MOST_WORKERS_PER_CORE = 16;

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.');

/** The machine that makes the load must not be what limits it. */
export const generatorChecks = (facts: StartFacts): Finding[] =>
  facts.generators.flatMap((generator) => checksOf(generator, facts));

function checksOf(generator: StartFacts['generators'][number], { targetAddress }: StartFacts): Finding[] {
  const findings: Finding[] = [];
  const { facts, workers, encrypts } = generator;
  const own = new Set(facts?.networks.flatMap((network) => network.addresses) ?? []);
  if (targetAddress !== undefined && (isLoopback(targetAddress) || own.has(targetAddress))) {
    findings.push({
      code: 'same-machine',
      severity: 'warn',
      message: 'Load generator and target are on the same machine, so they compete for CPU time.',
      evidence: `The target's address, ${targetAddress}, is one of ${generator.name}'s own.`,
      next: 'For figures about the server alone, generate the load on another machine.',
    });
  }
  if (facts && workers && workers.most > facts.cpuCount * MOST_WORKERS_PER_CORE) {
    findings.push({
      code: 'many-threads-per-core',
      severity: 'note',
      message: `${formatCount(workers.most, ...workers.unit)} on ${formatCount(facts.cpuCount, 'core')} of ${generator.name}: look at its CPU before blaming the server.`,
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
  if (encrypts && facts?.cpuFeatures?.includes('aes') === false) {
    findings.push({
      code: 'no-aes',
      severity: 'warn',
      message: `The CPU of ${generator.name} has no AES instructions, and the load tool encrypts its connections.`,
      next: 'Use a generator with these instructions, or switch encryption off if it is not what you measure.',
    });
  }
  return findings;
}
