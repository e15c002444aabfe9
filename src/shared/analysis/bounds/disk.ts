import type { BoundCandidate, SeriesFigure } from '../../model/analysis.ts';
import { formatCount, formatNumber } from '../../util/format.ts';
import type { DeviceFacts, RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import {
  type Assessment,
  figureOf,
  heldIn,
  isKnown,
  isWholeDevice,
  meanIn,
  ownOn,
  seriesMeaning,
  seriesNamed,
  seriesOfRule,
  together,
} from '../lines.ts';
import { amount, FULL, HALF, headcount, inSeconds, isAtLimit, percent, whole } from './words.ts';

/** Multiple of the latency of an I/O on the idle device: the rest is queueing. */
const AWAIT_GROWTH = 3;
/** I/Os in flight that a single stream of reads or writes cannot produce. */
const DEEP = 8;
/** Share of a device's traffic that is too small to keep it busy. */
const LITTLE = 0.1;
/** Percentage of the time in which all tasks with work waited for I/O. */
const STALLED = 40;

/** Devices at their purchased limits, and devices that everything waits for. */
export function assessDisks(evidence: RunEvidence, sessions: number | undefined): Assessment {
  const { hosts, window } = evidence;
  const candidates = hosts.flatMap((host) =>
    devicesOf(host).flatMap(
      (device) => limitOf(host, device, window) ?? busyOf(evidence, host, device, sessions) ?? [],
    ),
  );
  return {
    candidates,
    notWatched: hosts
      .filter((host) => host.roles.includes('server') && !devicesOf(host).length)
      .map(({ name }) => `the disks of ${name}`),
  };
}

/** Devices of a host with series; composed devices only if there are no others. */
export function devicesOf(host: WatchedHost): string[] {
  const rules = ['disk.*.utilisation', 'disk.*.iops', 'disk.*.read_mib_s', 'disk.*.write_mib_s'];
  const all = [...new Set(rules.flatMap((rule) => seriesOfRule(host, rule).flatMap(({ instance }) => instance ?? [])))];
  const whole = all.filter(isWholeDevice);
  return whole.length > 0 ? whole : all;
}

export const factsOf = ({ devices = [] }: WatchedHost, device: string): DeviceFacts | undefined =>
  devices.find(({ name }) => name === device) ?? devices.find(({ name }) => name === undefined);

/** At 90 % of the allowed IOPS or MiB/s: sustained, or as long as it has credits. */
function limitOf(host: WatchedHost, device: string, window: Window): BoundCandidate | undefined {
  const facts = factsOf(host, device);
  const iops = seriesNamed(host, `disk.${device}.iops`);
  const moved = ['read', 'write'].flatMap((way) => seriesNamed(host, `disk.${device}.${way}_mib_s`) ?? []);
  const total =
    moved.length > 0 ? together(moved, (values) => values.reduce((sum, value) => sum + value, 0)) : undefined;
  const found = [
    { line: iops, series: iops ? [iops] : [], limit: facts?.iops, burst: facts?.burst?.iops, unit: 'IOPS' },
    { line: total, series: moved, limit: facts?.mibS, burst: facts?.burst?.mibS, unit: 'MiB/s' },
  ].flatMap(({ line, series, limit, burst, unit }) =>
    [limit, burst].flatMap((most) => {
      if (!line || most === undefined) return [];
      const held = heldIn(line, window, (value) => isAtLimit(value, most));
      const words = `${most === burst ? 'its burst limit of ' : ''}${amount(most)} ${unit}`;
      return held ? [{ held, series, words, reached: meanIn(line, window) }] : [];
    }),
  );
  const [first] = found.sort((one, other) => other.held.share - one.held.share);
  if (!first || first.held.share < HALF) return undefined;
  return {
    verdict: 'volume-limit',
    host: host.name,
    instance: device,
    share: first.held.share,
    sentence: `${device} of ${host.name} at the limit of ${facts?.words ?? 'the volume'} ${inSeconds(first.held.share)}: ${amount(first.reached)} of ${first.words}.`,
    evidence: first.series.map((series) => figureOf(host, series, window)),
  };
}

/** Mean number of I/Os in flight up to which a device processes one at a time. */
const ONE = 1.5;

/** A tool that issues one I/O after the other keeps a device busy that could process many: only a rotating disk is then saturated. */
export function isOneByOne({ queueDepth, window }: RunEvidence, host: WatchedHost, device: string): boolean {
  if (queueDepth !== 1 || factsOf(host, device)?.rotational) return false;
  const queue = seriesNamed(host, `disk.${device}.queue`);
  // Write-back comes in deep queues, whatever the tool does.
  return !isKnown(queue, window) || meanIn(queue, window) <= ONE;
}

/**
 * A device that is never idle, with evidence that work waits for it: a device that processes many I/Os in parallel is not saturated because
 * one is always in flight.
 */
function busyOf(
  evidence: RunEvidence,
  host: WatchedHost,
  device: string,
  sessions: number | undefined,
): BoundCandidate | undefined {
  const { window } = evidence;
  const busy = seriesNamed(host, `disk.${device}.utilisation`);
  const held = busy && heldIn(busy, window, (value) => value >= FULL);
  if (!busy || !held || isOneByOne(evidence, host, device)) return undefined;
  if (isBusyForOthers(evidence, host, device, sessions)) return undefined;
  const [sign] = signsOf(evidence, host, device, sessions);
  if (!sign) return undefined;
  return {
    verdict: 'disk',
    host: host.name,
    instance: device,
    share: held.share,
    sentence: `${device} of ${host.name} at least ${FULL} % busy ${inSeconds(held.share)}, ${percent(meanIn(busy, window))} on average: ${sign.words}.`,
    evidence: [figureOf(host, busy, window), ...sign.evidence],
  };
}

/**
 * Whether a device is busy with work of others: sessions of the server are known not to wait for I/O, and reads of its processes, which
 * sessions wait for, are not most of the device's traffic; or hardly any of the traffic is from tool or server.
 */
function isBusyForOthers(
  { servers, window }: RunEvidence,
  host: WatchedHost,
  device: string,
  sessions: number | undefined,
): boolean {
  const meanOf = (rule: string): number | undefined => {
    const series = seriesNamed(host, rule);
    return isKnown(series, window) ? meanIn(series, window) : undefined;
  };
  const [reads, writes] = [meanOf(`disk.${device}.read_mib_s`), meanOf(`disk.${device}.write_mib_s`)];
  const moved = reads === undefined && writes === undefined ? undefined : (reads ?? 0) + (writes ?? 0);
  const [ownReads, ownWrites] = ['read', 'write'].map((way) => ownOn(host, `proc.*.${way}_mib_s`, window));
  const waiters = servers.flatMap((server) => {
    const series = server.host === host.name ? seriesMeaning(server, 'io-waiters') : undefined;
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  // A request without a ticket cannot wait for a disk.
  const queued = servers
    .flatMap(({ series }) => series.filter(({ means }) => means === 'admission-waiters'))
    .reduce((sum, series) => sum + (isKnown(series, window) ? meanIn(series, window) : 0), 0);
  const counted = waiters.reduce((sum, each) => sum + each, 0);
  const areWaiting =
    waiters.length === 0 || sessions === undefined ? undefined : counted >= HALF * Math.max(1, sessions - queued);
  if (areWaiting) return false;
  const queue = meanOf(`disk.${device}.queue`) ?? 0;
  if (moved === undefined || ownReads === undefined)
    return areWaiting === false && queue < Math.max(DEEP, HALF * (sessions ?? 0));
  if (areWaiting === undefined) return ownReads + (ownWrites ?? 0) < LITTLE * moved;
  // A server that reads through memory maps or the page cache does not know which sessions wait.
  return !(ownReads >= HALF * moved && counted < HALF * queue);
}

interface Sign {
  readonly words: string;
  readonly evidence: readonly SeriesFigure[];
}

function signsOf(
  { servers, window, queueDepth }: RunEvidence,
  host: WatchedHost,
  device: string,
  sessions: number | undefined,
): Sign[] {
  const facts = factsOf(host, device);
  const known = (id: string): WatchedSeries | undefined => {
    const series = seriesNamed(host, id);
    return isKnown(series, window) ? series : undefined;
  };
  const [queue, wait, stalled] = [
    known(`disk.${device}.queue`),
    known(`disk.${device}.await_ms`),
    known('pressure.io.full'),
  ];
  const figure = (series: WatchedSeries): SeriesFigure[] => [figureOf(host, series, window)];
  // Busy time contains no wait for I/O: if the CPU is saturated, no work waits for I/Os in flight.
  const cpu = known('cpu.busy');
  const isCpuFull = cpu !== undefined && meanIn(cpu, window) >= FULL;
  const signs: Sign[] = [];
  for (const server of servers) {
    // Its sessions wait for disks of the host it runs on.
    if (server.host !== undefined && server.host !== host.name) continue;
    const waiters = seriesMeaning(server, 'io-waiters');
    if (!isKnown(waiters, window) || sessions === undefined || meanIn(waiters, window) < HALF * sessions) continue;
    signs.push({
      words: `${formatNumber(whole(meanIn(waiters, window)))} of ${formatCount(whole(sessions), 'session')} waited for I/O`,
      evidence: [figureOf(server, waiters, window)],
    });
  }
  if (queue && queueDepth !== undefined && meanIn(queue, window) >= HALF * queueDepth)
    signs.push({
      words: `${headcount(meanIn(queue, window))} I/Os in flight on it; the tool keeps ${headcount(queueDepth)}`,
      evidence: figure(queue),
    });
  else if (
    queue &&
    queueDepth === undefined &&
    sessions !== undefined &&
    !isCpuFull &&
    meanIn(queue, window) >= HALF * sessions
  )
    signs.push({
      words: `${headcount(meanIn(queue, window))} I/Os in flight for ${formatCount(whole(sessions), 'client')}`,
      evidence: figure(queue),
    });
  if (stalled && meanIn(stalled, window) >= STALLED)
    signs.push({
      words: `all non-idle tasks waited for I/O ${percent(meanIn(stalled, window))} of the time`,
      evidence: figure(stalled),
    });
  if (wait && facts?.baseAwaitMs !== undefined && meanIn(wait, window) >= AWAIT_GROWTH * facts.baseAwaitMs)
    signs.push({
      words: `an I/O took ${amount(meanIn(wait, window))} ms, compared with ${amount(facts.baseAwaitMs)} ms on the idle device`,
      evidence: figure(wait),
    });
  if (facts?.rotational) signs.push({ words: 'a rotating disk does one I/O at a time', evidence: [] });
  return signs;
}
