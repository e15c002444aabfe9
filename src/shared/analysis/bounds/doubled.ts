import type { BoundCandidate } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import { capital } from '../../util/format.ts';
import type { RunEvidence, WatchedHost } from '../evidence.ts';
import {
  clientsOf,
  coresOf,
  isGenerator,
  isKnown,
  isOuterLink,
  isServer,
  meanIn,
  ownOn,
  seriesMeaning,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import { withoutNiced } from './cpu.ts';
import { devicesOf, factsOf } from './disk.ts';
import { limitOf } from './network.ts';
import { busiestThreadOn, clientsOn, isReading } from './sockets.ts';
import { amount, percent } from './words.ts';

/** A resource whose busy time grows with the throughput, with its utilisation in percent. */
interface Used {
  readonly verdict: BoundCandidate['verdict'];
  readonly host: string;
  readonly instance?: string;
  readonly words: string;
  readonly percent: number;
}

/**
 * All such resources of a run. Devices only if they process one I/O at a time, or have a purchased limit: the parallelism of others is
 * unknown.
 */
function usedIn(evidence: RunEvidence): Used[] {
  const { hosts, window } = evidence;
  return hosts
    .filter((host) => isServer(host) || isGenerator(host))
    .flatMap((host) => {
      const { name } = host;
      const { line } = withoutNiced(host, window);
      const own = isServer(host) ? 'cpu' : 'generator-cpu';
      return [
        ...(isKnown(line, window)
          ? [{ verdict: own, host: name, words: `the CPU of ${name}`, percent: meanIn(line, window) } as const]
          : []),
        ...threadsOf(evidence, host),
        ...busyThreadOf(evidence, host),
        ...['net.*.tx_mib_s', 'net.*.rx_mib_s'].flatMap((rule) =>
          seriesOfRule(host, rule).flatMap((series) => {
            const limit = limitOf(host, series);
            const instance = series.instance ?? '';
            if (!limit || !isKnown(series, window) || !isOuterLink(instance, host)) return [];
            const verdict = isServer(host) ? ('network' as const) : ('generator-network' as const);
            const words = `link ${instance} of ${name}`;
            return [{ verdict, host: name, instance, words, percent: (100 * meanIn(series, window)) / limit.value }];
          }),
        ),
        ...devicesOf(host).flatMap((device) => {
          const busy = seriesNamed(host, `disk.${device}.utilisation`);
          if (!factsOf(host, device)?.rotational || !isKnown(busy, window)) return [];
          const words = `${device} of ${name}`;
          return [{ verdict: 'disk' as const, host: name, instance: device, words, percent: meanIn(busy, window) }];
        }),
      ];
    });
}

/** A tool or server with fewer threads than its host has cores saturates these before the CPU. */
function threadsOf({ load, window }: RunEvidence, host: WatchedHost): Used[] {
  const threads = load.find((part) => part.host === host.name)?.threads;
  const cores = coresOf(host) ?? 0;
  if (!isGenerator(host) || isServer(host) || threads === undefined || threads >= cores) return [];
  const used = ownOn(host, 'proc.*.cpu', window);
  if (used === undefined) return [];
  const words = `the tool’s threads on ${host.name}`;
  return [{ verdict: 'generator-core', host: host.name, words, percent: used / threads }];
}

/**
 * A single thread of the tool that others may wait for: not if each client has its own, or if the tool is known to read all responses as
 * they arrive.
 */
function busyThreadOf(evidence: RunEvidence, host: WatchedHost): Used[] {
  const thread = busiestThreadOn(evidence, host);
  const clients = clientsOn(evidence, host);
  const threads = evidence.load.find((part) => part.host === host.name)?.threads;
  if (!thread || clients === undefined || clients < 2 || isReading(evidence, host)) return [];
  if (threads !== undefined && threads >= clients) return [];
  const words = `the busiest thread of ${thread.instance ?? ''} on ${host.name}`;
  return [{ verdict: 'generator-core', host: host.name, words, percent: meanIn(thread, evidence.window) }];
}

/** The busiest resource; undefined if no server's CPU is known. */
export function busiestOf(evidence: RunEvidence, but?: BoundCandidate): Used | undefined {
  const all = usedIn(evidence);
  if (!all.some(({ verdict }) => verdict === 'cpu')) return undefined;
  // A quota is less than the CPU of its host.
  const isIt = ({ verdict, host }: Used): boolean =>
    verdict === but?.verdict && host === but.host && !(but.instance !== undefined && verdict.endsWith('cpu'));
  const others = all.filter((each) => !isIt(each));
  return others.sort((one, other) => other.percent - one.percent)[0];
}

/** Mean number of clients that are sending or receiving at the speed of links; for a single client, the share of its time. */
export const linksUsed = (evidence: RunEvidence): number =>
  usedIn(evidence)
    .filter(({ verdict }) => verdict === 'network' || verdict === 'generator-network')
    .reduce((sum, { percent: busy }) => sum + busy / 100, 0);

/** Percentage of a gain that is too small to mention. */
const LITTLE = 5;
const MOST = 100;

/**
 * The gain from doubling a resource. By the utilisation law everything else gets busier in proportion to the throughput, which can grow
 * only until the next resource is saturated; halving a wait leaves the rest of the time unchanged. If the gain cannot be calculated, names
 * the figure that would decide it.
 */
export function doubledWords(evidence: RunEvidence, bound: BoundCandidate): string {
  const { verdict } = bound;
  const next = busiestOf(evidence, bound);
  const upTo = next && next.percent > 0 ? 100 * Math.min(1, Math.max(0, 100 / next.percent - 1)) : undefined;
  const byNext = (twice: string): string => {
    if (upTo === undefined) return `The gain from ${twice} is unknown: no other possible bottleneck was watched.`;
    if (upTo < LITTLE)
      return `${capital(twice)} would gain almost nothing: ${next?.words} is already ${percent(next?.percent ?? 0)} busy.`;
    return upTo >= MOST
      ? `${capital(twice)} could gain up to twice the throughput: no other watched resource was more than half busy.`
      : `${capital(twice)} would gain at most ${percent(upTo)}: then ${next?.words}, ${percent(next?.percent ?? 0)} busy, is saturated.`;
  };
  switch (verdict) {
    case 'cpu':
    case 'generator-cpu':
      return byNext(bound.instance === undefined ? 'twice the cores' : 'twice the quota');
    case 'one-core':
    case 'generator-core':
      return byNext('a core twice as fast, or a second thread,');
    case 'network':
    case 'generator-network':
      return byNext('twice the bandwidth');
    case 'volume-limit':
      return byNext('twice the limit');
    case 'pool':
      return byNext(`twice the ${admittedBy(evidence, bound)}`);
    case 'clients':
      return byNext('twice the clients');
    case 'disk':
      return (
        waitedWords(evidence, ['io-waiters'], 'a disk twice as fast', upTo) ??
        (factsOfBound(evidence, bound)
          ? byNext('a disk twice as fast')
          : 'The gain from a faster disk depends on its idle I/O latency, which is unknown here.')
      );
    case 'locks':
      return (
        waitedWords(evidence, ['lock-waiters', 'lock-wait-time'], 'locks held half as long', upTo) ??
        'The gain from fewer conflicts depends on how long locks are held: compare with a run on more rows or tables.'
      );
    case 'log':
      return (
        waitedWords(evidence, ['log-waiters', 'log-wait-time'], 'a log written twice as fast', upTo) ??
        'The gain from a faster log depends on the latency of its writes: compare with a run that does not wait for it.'
      );
    case 'memory':
      return 'The gain from more memory depends on the size of the working set: compare with a run on less data.';
    case 'path':
      return 'If the round trip is the limit, more clients help; if something in between serialises requests, they do not: compare with a run with twice the clients.';
    default:
      return '';
  }
}

/** Name of the limit on admission, from the series that it was derived from. */
function admittedBy({ servers }: RunEvidence, { evidence }: BoundCandidate): string {
  const ids = new Set(evidence.map(({ id }) => id));
  const means = servers.flatMap(({ series }) => series.flatMap((each) => (ids.has(each.id) ? (each.means ?? []) : [])));
  if (!means.includes('admission-waiters')) return 'connections';
  return means.includes('tickets-free') ? 'tickets' : 'threads';
}

const factsOfBound = ({ hosts }: RunEvidence, { host, instance }: BoundCandidate): boolean =>
  hosts.some((each) => each.name === host && factsOf(each, instance ?? '')?.rotational === true);

/** Halving a wait: the rest of an operation's time remains, as long as nothing else is saturated by then. */
function waitedWords(
  evidence: RunEvidence,
  means: readonly Meaning[],
  twice: string,
  upTo: number | undefined,
): string | undefined {
  const { servers, window } = evidence;
  const clients = clientsOf(evidence);
  // If several series cover the same waits, the one with the most; times are milliseconds in each second.
  const waiting = servers.flatMap((server) => {
    const waits = means.flatMap((each) => {
      const series = seriesMeaning(server, each);
      return isKnown(series, window) ? [meanIn(series, window) / (each.endsWith('-time') ? 1000 : 1)] : [];
    });
    return waits.length > 0 ? [Math.max(...waits)] : [];
  });
  if (clients === undefined || waiting.length === 0) return undefined;
  const part = Math.min(1, waiting.reduce((sum, each) => sum + each, 0) / clients);
  const lift = 100 * (1 / (1 - part / 2) - 1);
  const most = Math.min(lift, upTo ?? lift);
  if (most < LITTLE) return undefined;
  return `${capital(twice)} would gain about ${amount(most)} %${upTo !== undefined && upTo < lift ? ', as something else is full then' : ''}.`;
}
