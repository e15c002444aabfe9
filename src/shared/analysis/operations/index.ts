import { metricOf } from '../../metrics/index.ts';
import type { OperationCost } from '../../model/analysis.ts';
import type { HostRole } from '../../model/monitored.ts';
import type { RunEvidence, WatchedHost } from '../evidence.ts';
import { coresOf, isGenerator, isServer, ownerOf, seriesNamed, seriesOfRule, together } from '../lines.ts';
import { devicePart, linkPart, meaningPart, statementsPart, switchParts } from './parts.ts';
import { amplification, operationsOf, type Part, ratioOf, workingSet } from './ratios.ts';

/** Singular of a rate's unit: `transaction` for tps. */
export function operationWord(metric: string): string {
  const { unit, label } = metricOf(metric);
  if (unit === 'tps') return 'transaction';
  if (unit === 'qps') return 'query';
  return label === 'Events' ? 'event' : 'operation';
}

const MIB = 2 ** 20;

/**
 * Costs of one operation on hosts and server over the measured seconds: the sum of a series over the seconds with values of it and of the
 * throughput, divided by the operations of the same seconds. A cost of a role requires values of all its hosts. Hosts that are both
 * generator and server count by the processes of each. Costs of a host without a server do not name one.
 */
export function perOperation(evidence: RunEvidence): OperationCost[] {
  const { rate, hosts, onItsOwnHost } = evidence;
  if (!rate) return [];
  const operations = operationsOf(rate);
  const many = `${operationWord(rate.metric)}s`.replace(/ys$/, 'ies');
  const servers = hosts.filter(isServer);
  const generators = hosts.filter(({ roles }) => roles.includes('generator'));
  const place = onItsOwnHost ? 'host' : 'server';
  const cost = (id: string, label: string, unit: string, digits: number, part: Part | undefined): OperationCost[] => {
    const found = part && ratioOf(part, operations, evidence.window);
    if (!found) return [];
    return [
      {
        id,
        label,
        unit,
        digits,
        value: found.value,
        ...(part.source !== undefined && { source: part.source }),
        formula: `(${part.words}) ÷ (${many} per second), both summed over ${found.seconds} measured seconds`,
        from: part.from,
      },
    ];
  };
  const costs = [
    ...cost('cpu_us_server', `CPU of the ${place}`, 'µs', 1, cpuParts(servers, 'server')),
    ...cost('cpu_us_generator', 'CPU of the generators', 'µs', 1, cpuParts(generators, 'generator')),
    ...hosts.flatMap((host) =>
      processes(host).flatMap(([name, part]) => cost('cpu_us_process', `CPU of the ${name} process`, 'µs', 1, part)),
    ),
    ...cost('reads', 'Disk read I/Os', 'I/Os', 3, devicePart(servers, ['read_iops'], 1, 'read I/Os per second')),
    ...cost('writes', 'Disk write I/Os', 'I/Os', 3, devicePart(servers, ['write_iops'], 1, 'write I/Os per second')),
    ...cost('read_bytes', 'Read from disk', 'B', 0, devicePart(servers, ['read_mib_s'], MIB, 'MiB/s read × 1,048,576')),
    ...cost(
      'written_bytes',
      'Written to disk',
      'B',
      0,
      devicePart(servers, ['write_mib_s'], MIB, 'MiB/s written × 1,048,576'),
    ),
    ...cost('sent_bytes', `Sent by the ${place}`, 'B', 0, linkPart(servers, 'tx')),
    ...cost('received_bytes', `Received by the ${place}`, 'B', 0, linkPart(servers, 'rx')),
    ...cost(
      'log_bytes',
      'Written to the log',
      'B',
      0,
      meaningPart(evidence, 'log-mib', MIB, 'MiB/s of log × 1,048,576'),
    ),
    ...cost('log_syncs', 'Syncs of the log', 'syncs', 3, meaningPart(evidence, 'log-syncs', 1, 'syncs per second')),
    ...cost('rows_read', 'Rows read', 'rows', 1, meaningPart(evidence, 'rows-read', 1, 'rows read per second')),
    ...cost(
      'rows_written',
      'Rows written',
      'rows',
      1,
      meaningPart(evidence, 'rows-written', 1, 'rows written per second'),
    ),
    ...cost('statements', 'Statements, including those of the monitor', 'statements', 1, statementsPart(evidence)),
    ...cost(
      'cache_misses',
      'Pages not found in the cache',
      'pages',
      3,
      meaningPart(evidence, 'cache-misses', 1, 'pages per second'),
    ),
    ...cost('context_switches', `Context switches of the ${place}`, 'switches', 1, switchParts(servers)),
  ];
  return [...costs, ...amplification(costs), ...workingSet(evidence)];
}

/** Each process of a host that belongs to tool or server. */
function processes(host: WatchedHost): [string, Part][] {
  return seriesOfRule(host, 'proc.*.cpu').flatMap((series) => {
    const name = series.instance ?? '';
    if (!ownerOf(host, name)) return [];
    const words = `% of a core that ${name} used × 10,000 µs`;
    return [
      [
        name,
        { lines: [series], scale: 10_000, words, from: [{ source: host.name, id: series.id }], source: host.name },
      ],
    ];
  });
}

const MICROSECONDS = 1_000_000;

interface HostPart extends Pick<Part, 'lines' | 'from'> {
  /** A host of both tool and server: counted by process. */
  readonly shared: boolean;
  readonly lessSteal: boolean;
}

/**
 * CPU time used by hosts of a role, each second, in percent of one core: all of it on hosts with only this role, on shared hosts that of
 * the role's processes. Undefined if one of them does not report it.
 */
function cpuParts(hosts: readonly WatchedHost[], role: Exclude<HostRole, 'other'>): Part | undefined {
  const parts = hosts.map((host) => partOf(host, role));
  if (parts.length === 0 || parts.some((part) => !part)) return undefined;
  const known = parts.flatMap((part) => part ?? []);
  return {
    lines: known.flatMap(({ lines }) => lines),
    scale: MICROSECONDS / 100,
    words: wordsOf(known),
    from: known.flatMap(({ from }) => from),
  };
}

function wordsOf(parts: readonly HostPart[]): string {
  if (parts.some(({ shared }) => shared)) return 'CPU seconds of its processes × 1,000,000 µs';
  if (parts.some(({ lessSteal }) => lessSteal)) return '(busy − steal) share of the CPU × cores × 1,000,000 µs';
  return 'busy share of the CPU × cores × 1,000,000 µs';
}

function partOf(host: WatchedHost, role: Exclude<HostRole, 'other'>): HostPart | undefined {
  if (isGenerator(host) && isServer(host)) {
    const owner = role === 'generator' ? 'tool' : 'server';
    const lines = seriesOfRule(host, 'proc.*.cpu').filter(({ instance = '' }) => ownerOf(host, instance) === owner);
    return lines.length === 0
      ? undefined
      : { lines, from: lines.map(({ id }) => ({ source: host.name, id })), shared: true, lessSteal: false };
  }
  const busy = seriesNamed(host, 'cpu.busy');
  const cores = coresOf(host);
  if (!busy || cores === undefined) return undefined;
  // Stolen time counts as busy, but no operation used it.
  const steal = seriesNamed(host, 'cpu.steal');
  const taken = steal?.v.some(Number.isFinite) ? [steal] : [];
  return {
    lines: [together([busy, ...taken], ([all = 0, stolen = 0]) => (all - stolen) * cores)],
    from: [busy, ...taken].map(({ id }) => ({ source: host.name, id })),
    shared: false,
    lessSteal: taken.length > 0,
  };
}
