import {
  devicesOf,
  isKnown,
  isServer,
  meanIn,
  ownOn,
  type RunEvidence,
  seriesMeaning,
  seriesNamed,
  stepOf,
  sumOf,
  valuesIn,
  type WatchedHost,
  type WatchedSeries,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatFigure, formatNumber, formatPercent } from '../../util/format.ts';
import { median } from '../../util/numbers.ts';
import { found, type PlainCheck } from '../check.ts';

/** Cache misses of the server per second, with a minimum size, and the share of them that reaches disks. */
const WARM = { misses: 100, share: 0.2, pageMib: 4 / 1024 };
/** Share by which a device that is never idle does more or less in the last third than in the first. */
const PACE = 0.2;
/** Percentage of its time that a device is busy. */
const ALWAYS_BUSY = 90;
/** Minimum milliseconds of a flush that reaches anything which keeps data without power, and minimum flushes per second for a finding. */
const FLUSH = { ms: 0.02, perSecond: 20 };
/**
 * The log syncs of a server, divided by the maximum of the fastest tested folder of its host. Some servers include syncs of data files,
 * which several threads do at once; syncs that end in a cache are tens of times as many.
 */
const BEYOND_TEST = 4;
/** MiB waiting to be written, and MiB/s, from before the run. */
const PENDING = { dirtyMib: 256, mibS: 20 };
/** Seconds examined before second 0: an earlier trial whose writes have ended by then does not disturb this one. */
const BEFORE = 3;
/**
 * Share of a device's traffic by other processes that is worth mentioning, with a minimum of MiB/s: a file system journal belongs to no
 * process and is smaller.
 */
const OTHERS = { share: 0.5, mibS: 10 };
/** Percentage of a busy CPU and of an idle disk, and rows read for each row written, at which reads hide the potential of writes. */
const READS = { cpu: 90, disk: 30, rows: 10 };

const WARM_CACHE = {
  code: 'page-cache-warm',
  title: 'Reads served by the page cache',
  severity: 'warn',
  when: 'run',
  traps: ['T41', 'T06'],
  why: 'Pages missing in the server’s cache came from the host’s memory, not from disk. A result meant for a disk-bound load then measures memory.',
  avoid: 'Drop the caches before each run, use direct I/O, or use more data than the host has memory.',
} satisfies PlainCheck;
const DEVICE_PACE = {
  code: 'device-changed-pace',
  title: 'The device became slower or faster',
  severity: 'warn',
  when: 'run',
  traps: ['T43', 'T46', 'T83'],
  why: 'Fresh flash, write caches and burst credits are fast until exhausted. The mean then mixes two speeds and depends on the length of the run.',
  avoid: 'Precondition the device, measure longer than its cache or credits last, and exclude the time before.',
} satisfies PlainCheck;
const FLUSH_TOO_FAST = {
  code: 'flush-too-fast',
  title: 'Flushes return at once',
  severity: 'warn',
  when: 'run',
  traps: ['T62'],
  why: 'No medium persists data this fast: a write cache acknowledged the flush. Without power-loss protection, a power cut loses acknowledged data.',
  avoid:
    'Check whether the device protects its cache against power loss, and whether a virtual disk passes flushes on.',
} satisfies PlainCheck;
const SYNCS_BEYOND_TEST = {
  code: 'syncs-beyond-test',
  title: 'More log syncs than the disk can do',
  severity: 'warn',
  when: 'run',
  traps: ['T62'],
  why: 'A server syncs its log sequentially, so its sync rate cannot exceed that of a synced-writes test in the log folder. Either the syncs do not reach that disk, or the log is in a folder that was not tested.',
  avoid:
    'Test the folder of the server’s log: Hosts › the host › Synced writes, or kneepoint host syncs. If it is the tested one, check which write cache acknowledges the syncs.',
} satisfies PlainCheck;
const WRITES_PENDING = {
  code: 'writes-pending',
  title: 'Earlier writes still in progress',
  severity: 'warn',
  when: 'run',
  traps: ['T37', 'T40'],
  why: 'Data loading or the previous trial left dirty pages, which were still being written when this run began. These writes shared the disk with the first part of the run.',
  avoid: 'Wait before each trial until disks are quiet: see Measurement.',
} satisfies PlainCheck;
const DISK_SHARED = {
  code: 'disk-shared',
  title: 'Something else used the disk',
  severity: 'warn',
  when: 'run',
  traps: ['T58', 'T79'],
  why: 'Most I/O on this device came from other processes, such as a backup, a copy or an indexer. They may not run next time.',
  avoid: 'Find the process, stop it during the measurement, and repeat.',
} satisfies PlainCheck;
const READS_HIDE_WRITES = {
  code: 'reads-hide-writes',
  title: 'Reads saturate the CPU in a write workload',
  severity: 'note',
  when: 'run',
  traps: ['T16'],
  why: 'Reads of the mixed workload use all CPU time while disks are idle, and so limit its writes. The run shows little about write performance.',
  avoid: 'To measure writes, use fewer point selects and ranges per transaction.',
} satisfies PlainCheck;

export const storageFindings = (evidence: RunEvidence): Finding[] =>
  evidence.hosts
    .filter(isServer)
    .flatMap((host) => [
      ...cacheFindings(evidence, host),
      ...devicesOf(host).flatMap((device) => [
        ...paceFindings(evidence, host, device),
        ...flushFindings(evidence, host, device),
      ]),
      ...beyondTest(evidence, host),
      ...sharedFindings(evidence, host),
      ...pendingFindings(evidence, host),
      ...hiddenFindings(evidence, host),
    ]);

/** Sum of a series over all devices of a host. */
function devicesSum(host: WatchedHost, rule: string, window: RunEvidence['window']): number | undefined {
  const lines = devicesOf(host).flatMap((device) => seriesNamed(host, `disk.${device}.${rule}`) ?? []);
  const sum = sumOf(lines);
  return isKnown(sum, window) ? meanIn(sum, window) : undefined;
}

function cacheFindings({ servers, window }: RunEvidence, host: WatchedHost): Finding[] {
  const reads = devicesSum(host, 'read_iops', window);
  // Read-ahead fetches many pages with one I/O.
  const mibS = devicesSum(host, 'read_mib_s', window);
  if (reads === undefined || mibS === undefined) return [];
  return servers.flatMap((server) => {
    const misses = seriesMeaning(server, 'cache-misses');
    if (server.host !== host.name || !isKnown(misses, window)) return [];
    const missed = meanIn(misses, window);
    if (missed < WARM.misses || reads > WARM.share * missed || mibS > WARM.share * missed * WARM.pageMib) return [];
    const message = `${server.name} read ${formatNumber(missed)} pages per second that were not in its cache, and the disks of ${host.name} did ${formatNumber(reads)} reads per second.`;
    return [found(WARM_CACHE, message, `${server.name}: ${misses.id}`)];
  });
}

function paceFindings({ window }: RunEvidence, host: WatchedHost, device: string): Finding[] {
  const busy = seriesNamed(host, `disk.${device}.utilisation`);
  const moved = sumOf(['read', 'write'].flatMap((way) => seriesNamed(host, `disk.${device}.${way}_mib_s`) ?? []));
  if (!isKnown(busy, window) || !isKnown(moved, window) || meanIn(busy, window) < ALWAYS_BUSY) return [];
  const values = valuesIn(moved, window);
  const third = Math.floor(values.length / 3);
  const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
  if (third < 10 || !(Math.abs(last / first - 1) >= PACE)) return [];
  const message = `${device} of ${host.name} was always busy and moved ${formatFigure(first, 1)} MiB/s in the first third of the run, ${formatFigure(last, 1)} MiB/s in the last.`;
  return [found(DEVICE_PACE, message, `${host.name}: disk.${device}.read_mib_s, disk.${device}.write_mib_s`)];
}

function flushFindings({ servers, window }: RunEvidence, host: WatchedHost, device: string): Finding[] {
  const flush = seriesNamed(host, `disk.${device}.flush_await_ms`);
  // Without flushes there is no value: the server must report that it syncs.
  const syncs = logSyncs(servers, host, window);
  if (!isKnown(flush, window) || !syncs.some(({ rate }) => rate >= FLUSH.perSecond)) return [];
  const took = meanIn(flush, window);
  if (took >= FLUSH.ms) return [];
  const message = `A flush of ${device} of ${host.name} took ${formatFigure(took * 1000, 1)} µs on average.`;
  return [found(FLUSH_TOO_FAST, message, `${host.name}: ${flush.id}`)];
}

/** The log syncs per second of each server on a host. */
const logSyncs = (servers: RunEvidence['servers'], host: WatchedHost, window: RunEvidence['window']) =>
  servers.flatMap((server) => {
    const series = seriesMeaning(server, 'log-syncs');
    return server.host === host.name && isKnown(series, window)
      ? [{ server, series, rate: meanIn(series, window) }]
      : [];
  });

function beyondTest({ servers, window }: RunEvidence, host: WatchedHost): Finding[] {
  const [fastest] = [...(host.syncs ?? [])].sort((one, other) => other.most - one.most);
  if (!fastest) return [];
  return logSyncs(servers, host, window).flatMap(({ server, series, rate }) => {
    if (rate <= BEYOND_TEST * fastest.most) return [];
    const message = `${server.name} synced its log ${formatNumber(rate)} times per second; a test in ${fastest.path} of ${host.name} did at most ${formatNumber(fastest.most)} synced writes per second.`;
    return [found(SYNCS_BEYOND_TEST, message, `${server.name}: ${series.id}; ${host.name}: synced writes`)];
  });
}

/** Traffic of all devices other than that of tool and server. */
function sharedFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const both = (of: (way: string) => number | undefined): number | undefined => {
    const [read, written] = [of('read'), of('write')];
    return read === undefined || written === undefined ? undefined : read + written;
  };
  const moved = both((way) => devicesSum(host, `${way}_mib_s`, window));
  const own = both((way) => ownOn(host, `proc.*.${way}_mib_s`, window));
  if (moved === undefined || own === undefined) return [];
  const others = moved - own;
  if (others < OTHERS.mibS || others < OTHERS.share * moved) return [];
  const message = `The disks of ${host.name} moved ${formatFigure(moved, 1)} MiB/s, of which load tool and server read and wrote ${formatFigure(own, 1)} MiB/s.`;
  return [found(DISK_SHARED, message, `${host.name}: disk.*.read_mib_s, disk.*.write_mib_s`)];
}

/** From the last seconds before the tool began, when none of this run's work is in progress. */
function pendingFindings(_evidence: RunEvidence, host: WatchedHost): Finding[] {
  const before = { from: -BEFORE, to: 0 };
  // In each of these seconds, as a short burst may already have ended.
  const leastBefore = (series: WatchedSeries | undefined): number => {
    const values = series ? valuesIn(series, before) : [];
    return series && values.length * stepOf(series.t) >= BEFORE / 2 ? Math.min(...values) : 0;
  };
  const dirty = leastBefore(seriesNamed(host, 'mem.dirty_mib'));
  const written = devicesOf(host).reduce(
    (sum, device) => sum + leastBefore(seriesNamed(host, `disk.${device}.write_mib_s`)),
    0,
  );
  // Only large values: unknown and zero are both 0.
  const pending = [
    ...(dirty >= PENDING.dirtyMib ? [`had at least ${formatNumber(dirty)} MiB of dirty pages`] : []),
    ...(written >= PENDING.mibS ? [`wrote at least ${formatFigure(written, 1)} MiB/s`] : []),
  ];
  if (pending.length === 0) return [];
  const message = `In the ${BEFORE} s before the run ${host.name} ${pending.join(' and ')}.`;
  return [found(WRITES_PENDING, message, `${host.name}: mem.dirty_mib`)];
}

function hiddenFindings({ servers, window }: RunEvidence, host: WatchedHost): Finding[] {
  const cpu = seriesNamed(host, 'cpu.busy');
  const busiest = devicesOf(host).flatMap((device) => {
    const series = seriesNamed(host, `disk.${device}.utilisation`);
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  if (!isKnown(cpu, window) || meanIn(cpu, window) < READS.cpu) return [];
  if (busiest.length === 0 || Math.max(...busiest) >= READS.disk) return [];
  return servers.flatMap((server) => {
    const [read, written] = [seriesMeaning(server, 'rows-read'), seriesMeaning(server, 'rows-written')];
    if (server.host !== host.name || !isKnown(read, window) || !isKnown(written, window)) return [];
    const [reads, writes] = [meanIn(read, window), meanIn(written, window)];
    if (writes < 1 || reads < READS.rows * writes) return [];
    const message = `The CPU of ${host.name} was ${formatPercent(meanIn(cpu, window) / 100)} busy and its disks ${formatPercent(Math.max(...busiest) / 100)}, with ${formatNumber(reads / writes)} rows read for each row written.`;
    return [found(READS_HIDE_WRITES, message, `${server.name}: ${read.id}, ${written.id}`)];
  });
}

export const STORAGE_CHECKS = [
  WARM_CACHE,
  DEVICE_PACE,
  FLUSH_TOO_FAST,
  SYNCS_BEYOND_TEST,
  DISK_SHARED,
  WRITES_PENDING,
  READS_HIDE_WRITES,
];
