import type { Finding } from '../model/finding.ts';
import type { Durability, TargetDescription } from '../model/target.ts';
import { formatCount, formatNumber } from '../util/format.ts';
import type { StartFacts } from './check.ts';

/** From this round trip on it is a significant part of every short statement, milliseconds. */
const LONG_MS = 1;
/** Above this number of connections, OpenSSL 1.0 was seen not to scale: its locks are per process. */
const OLD_TLS_CONNECTIONS = 32;

/** Hosts between generator and server, and the guarantees of the server. */
export const targetChecks = (facts: StartFacts): Finding[] => [
  ...durabilityFindings(facts),
  ...wayFindings(facts),
  ...libraryFindings(facts),
];

function wayFindings({ roundTrips = [], target }: StartFacts): Finding[] {
  const far = roundTrips.filter(({ ms }) => ms >= LONG_MS);
  const [first] = [...far].sort((one, other) => other.ms - one.ms);
  const middle = target?.middleware;
  const nearest = Math.min(...roundTrips.map(({ ms }) => ms));
  return [
    ...(first
      ? [
          {
            code: 'long-round-trip',
            severity: 'note' as const,
            message: `A round trip from ${first.from} to the target takes ${formatNumber(first.ms, 2)} ms: one client gets at most ${formatNumber(1000 / first.ms)} statements per second, however fast the server is.`,
            next: 'Measure from a host nearer to the server, or with enough clients to hide the round trip.',
          },
        ]
      : []),
    ...(middle
      ? [
          {
            code: 'hop-in-between',
            severity: 'note' as const,
            message: `${middle.product.replace(/^a /, 'A ')} is between generator and server: it adds a hop to each statement, noticeable with few clients but hardly with many.`,
            ...(roundTrips.length > 0 && {
              evidence: `round trip to it: ${formatNumber(nearest, 3)} ms; from it to the server: not measured`,
            }),
            next: 'Compare at several numbers of clients, with and without it.',
          },
        ]
      : []),
  ];
}

function libraryFindings({ generators, target }: StartFacts): Finding[] {
  const library = target?.tlsLibrary;
  const most = Math.max(0, ...generators.map(({ encrypts, workers }) => (encrypts ? (workers?.most ?? 0) : 0)));
  if (!library || !/OpenSSL (0\.|1\.0)/i.test(library) || most <= OLD_TLS_CONNECTIONS) return [];
  return [
    {
      code: 'old-tls-library',
      severity: 'warn',
      message: `The server encrypts with ${library}, which stops scaling beyond about ${OLD_TLS_CONNECTIONS} connections; this experiment uses ${most}.`,
      evidence: `TLS library: ${library}`,
      next: 'Use a server with OpenSSL 1.1 or later, or report the library with the result.',
    },
  ];
}

/** A server that loses confirmed writes is fast for the wrong reason. */
function durabilityFindings({ target }: StartFacts): Finding[] {
  const durability = target?.durability;
  if (!durability || durability.level === 'safe' || durability.level === 'unknown') return [];
  return [
    {
      code: 'durability',
      severity: durability.level === 'unsafe' ? 'warn' : 'note',
      message:
        durability.level === 'unsafe'
          ? 'With the current settings, a power cut can lose committed transactions or damage the data.'
          : 'With the current settings, a power cut can lose the most recent committed transactions.',
      evidence: durability.why,
      next: 'Compare only with systems of equal durability.',
    },
  ];
}

/** From here on the load tool itself waits for a CPU. */
const MOST_WORKERS_PER_CORE = 16;

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || address.startsWith('127.');

/** The generator must not be the bottleneck. */
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
      evidence: `The target's address, ${targetAddress}, belongs to ${generator.name}.`,
      next: 'For figures about the server alone, generate the load on another machine.',
    });
  }
  if (facts && workers && workers.most > facts.cpuCount * MOST_WORKERS_PER_CORE) {
    findings.push({
      code: 'many-threads-per-core',
      severity: 'note',
      message: `${formatCount(workers.most, ...workers.unit)} on ${formatCount(facts.cpuCount, 'core')} of ${generator.name}: the generator itself may be the bottleneck. Check its CPU.`,
    });
  }
  if (facts?.cpuGovernor !== undefined && facts.cpuGovernor !== 'performance') {
    findings.push({
      code: 'cpu-governor',
      severity: 'note',
      message: `The CPU governor of ${generator.name} is “${facts.cpuGovernor}”: clock speed, and so the results, vary with the load.`,
      next: 'Set it to “performance” during the measurement.',
    });
  }
  if (encrypts && facts?.cpuFeatures?.includes('aes') === false) {
    findings.push({
      code: 'no-aes',
      severity: 'warn',
      message: `The CPU of ${generator.name} has no AES instructions, but the load tool encrypts its connections.`,
      next: 'Use a generator with AES instructions, or turn encryption off if it is not under test.',
    });
  }
  return findings;
}

/** The tables that a workload uses, as far as known. */
interface UsedTables {
  readonly names?: readonly string[];
  /** Their storage engine, by the server's own name. */
  readonly storage?: string;
}

/** Worst first. An unknown level may be as bad as the worst, so only certain harm comes before it. */
const WORST: readonly Durability['level'][] = ['unsafe', 'unknown', 'relaxed', 'safe'];

/** The lowest guarantee of several that are used together; undefined without any. */
export const leastDurable = (all: readonly Durability[]): Durability | undefined =>
  WORST.flatMap((level) => all.filter((each) => each.level === level))[0];

const unknown = (why: string): Durability => ({ level: 'unknown', why });

/**
 * The effect of a power cut on the tables that a workload uses: settings of one storage engine do not apply to tables of another. Undefined
 * if the target stores nothing.
 */
export function durabilityOfTables(
  target: Pick<TargetDescription, 'durability' | 'storage'>,
  { names, storage: wanted }: UsedTables,
): Durability | undefined {
  const { durability, storage } = target;
  if (!storage) return durability;
  if (wanted !== undefined) {
    const found = storage.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    return found?.durability ?? unknown(`The server does not report on tables of ${wanted}.`);
  }
  const inUse = storage.filter(
    ({ tables }) => tables.length > 0 && (!names || tables.some((table) => names.includes(table))),
  );
  if (names) return leastDurable(inUse.map((each) => each.durability)) ?? durability;
  const levels = new Set(inUse.map((each) => each.durability.level));
  return levels.size < 2
    ? durability
    : unknown(
        `The database has tables of ${inUse.map(({ name }) => name).join(' and ')}, and it is unknown which ones the workload uses.`,
      );
}
