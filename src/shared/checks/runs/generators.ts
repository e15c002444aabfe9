import {
  clientsOf,
  coresOf,
  heldIn,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  ownerOf,
  type RunEvidence,
  seriesNamed,
  seriesOfRule,
  type WatchedHost,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatCount, formatPercent } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Percentage of its CPU from which on a generator delays its own clock and its handling of responses. */
const BUSY = 80;
const MOST = 0.6;
/** Share by which a generator's part of the load may differ from the others. */
const UNEQUAL = 0.2;

const GENERATOR_CPU = {
  code: 'generator-cpu',
  title: 'CPU of a generator above 80 %',
  severity: 'warn',
  when: 'run',
  traps: ['T24', 'T26'],
  why: 'Above 80 % the load tool itself waits for CPU time and counts it as server latency. Throughput and percentiles then partly measure the tool.',
  avoid:
    'Divide the load between more generators, or use one with more cores. Until then, do not read the curve beyond this load: it shows the generator, not the server.',
} satisfies PlainCheck;
const CO_LOCATED = {
  code: 'co-located',
  replaces: 'same-machine',
  title: 'Generator and server on one host',
  severity: 'warn',
  when: 'run',
  traps: ['T22', 'T101'],
  why: 'The load tool competes with the server for CPU, and the network is not measured. Results hold for this set-up only.',
  avoid: 'For figures about the server alone, generate the load on another host.',
} satisfies PlainCheck;
const CLIENTS_FILL_CORES = {
  code: 'clients-fill-cores',
  title: 'As many clients as cores on a shared host',
  severity: 'warn',
  when: 'run',
  traps: ['T101', 'T69'],
  why: 'When clients and server share the cores, one client per core keeps all of them busy. Such points measure the scheduler.',
  avoid: 'Use fewer clients than cores, or generate the load on another host.',
} satisfies PlainCheck;
const GENERATORS_UNEQUAL = {
  code: 'generators-unequal',
  title: 'Generators produce unequal load',
  severity: 'note',
  when: 'run',
  traps: ['T30', 'T31'],
  why: 'Generators with the same number of clients should reach the same throughput. One that falls behind is slower or farther away, and the sum hides it.',
  avoid: 'Compare CPU and network of the generators, and their round trips to the server.',
} satisfies PlainCheck;

export function generatorFindings(evidence: RunEvidence): Finding[] {
  return [
    ...evidence.hosts.flatMap((host) => (isGenerator(host) && isServer(host) ? sharedFindings(evidence, host) : [])),
    ...evidence.hosts.flatMap((host) => (isGenerator(host) && !isServer(host) ? busyFindings(evidence, host) : [])),
    ...unequalFindings(evidence),
  ];
}

function busyFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const busy = seriesNamed(host, 'cpu.busy');
  const held = busy && heldIn(busy, window, (value) => value >= BUSY);
  if (!busy || !held || held.share < MOST) return [];
  const message = `The CPU of ${host.name}, which generates the load, was ${formatPercent(meanIn(busy, window) / 100)} busy on average and above ${BUSY} % in ${formatPercent(held.share)} of the seconds.`;
  return [found(GENERATOR_CPU, message, `${host.name}: ${busy.id}`)];
}

function sharedFindings(evidence: RunEvidence, host: WatchedHost): Finding[] {
  const { window } = evidence;
  const tools = seriesOfRule(host, 'proc.*.cpu').filter(
    (series) => ownerOf(host, series.instance ?? '') === 'tool' && isKnown(series, window),
  );
  const used = tools.reduce((sum, series) => sum + meanIn(series, window), 0);
  const cores = coresOf(host);
  const part =
    tools.length > 0 && cores !== undefined
      ? ` The load tool took ${formatPercent(used / 100 / cores)} of its CPU.`
      : '';
  const clients = clientsOf(evidence);
  return [
    found(
      CO_LOCATED,
      `Load and server were both on ${host.name}.${part}`,
      tools.map(({ id }) => id).join(', ') || undefined,
    ),
    ...(clients !== undefined && cores !== undefined && clients >= cores
      ? [
          found(
            CLIENTS_FILL_CORES,
            `${formatCount(clients, 'client')} and the server shared ${formatCount(cores, 'core')} of ${host.name}.`,
          ),
        ]
      : []),
  ];
}

function unequalFindings({ load, window }: RunEvidence): Finding[] {
  const parts = load.flatMap(({ host, rate, connections, threads }) => {
    const clients = connections ?? threads;
    return rate && isKnown(rate, window) && clients ? [{ host, each: meanIn(rate, window) / clients }] : [];
  });
  if (parts.length < 2 || parts.length < load.length) return [];
  const sorted = [...parts].sort((one, other) => one.each - other.each);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (!low || !high || !(low.each < (1 - UNEQUAL) * high.each)) return [];
  const message = `A client on ${low.host} completed ${formatPercent(1 - low.each / high.each)} fewer operations than one on ${high.host}.`;
  return [found(GENERATORS_UNEQUAL, message)];
}

export const GENERATOR_CHECKS = [GENERATOR_CPU, CO_LOCATED, CLIENTS_FILL_CORES, GENERATORS_UNEQUAL];
