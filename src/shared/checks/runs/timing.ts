import {
  isKnown,
  percentileIn,
  type RunEvidence,
  seriesMeaning,
  valuesIn,
  type WatchedSeries,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { dipsOf, mean, rateUntil, stallsOf } from '../../stats/index.ts';
import { formatCount, formatDuration, formatPercent } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Seconds, or share of the time, without any operation that a mean must not hide. */
const STALLED = { longest: 2, share: 0.01 };
/** Percentage points by which a log or a cache fills, from the first tenth of a run to the last, without ever falling. */
const FILLED = 10;
const TENTHS = 10;
/** Scheduled events: their distance is a multiple of a minute within this tolerance, seconds, and so is their position in the minute. */
const BY_THE_CLOCK = 2;

const STALLS = {
  code: 'stalls-in-mean',
  title: 'The mean hides stalls',
  severity: 'warn',
  when: 'run',
  traps: ['T52'],
  why: 'The server completed nothing for seconds, and the mean over the run hardly shows it. Clients waited for the whole stall.',
  avoid: 'Check the timeline, and compare the share of stalled time as well as the mean.',
} satisfies PlainCheck;
const BLIND = {
  code: 'latency-blind',
  title: 'Latencies exclude waiting clients',
  severity: 'note',
  when: 'run',
  traps: ['T53'],
  why: 'When no operation completes in a second, tools report zero or no latency. Per-second percentiles then look best while the server is stalled.',
  avoid: 'In addition to percentiles, use clients ÷ throughput as latency: it includes waiting clients.',
} satisfies PlainCheck;
const TOO_SHORT = {
  code: 'too-short-for-checkpoints',
  title: 'The run ended before the log was full',
  severity: 'warn',
  when: 'run',
  traps: ['T57'],
  why: 'Dirty pages and log grew throughout the run and were never flushed. That cost comes later and is missing from this run’s figures.',
  avoid: 'Measure until the checkpoint age has dropped several times, or make the log smaller.',
} satisfies PlainCheck;
const CLOCK_ALIGNED = {
  code: 'dips-by-the-clock',
  title: 'Dips recur at the same second of the minute',
  severity: 'note',
  when: 'run',
  traps: ['T58', 'T54'],
  why: 'Events at the same second of the minute usually come from a scheduled job on the host or server, not from the load. Whether a run includes one depends on its start time.',
  avoid: 'Check timers and cron jobs on the hosts, and measure over several of their periods.',
} satisfies PlainCheck;
const ASYNC = {
  code: 'async-latency',
  title: 'Latencies of asynchronous I/O',
  severity: 'note',
  when: 'run',
  traps: ['T61'],
  why: 'The tool submits I/Os without waiting for each, so every latency includes its queue. Throughput is valid; latency reflects the queue depth.',
  avoid: 'To measure latency, use one I/O at a time, or a fixed rate.',
} satisfies PlainCheck;

export const timingFindings = (evidence: RunEvidence): Finding[] => [
  ...stallFindings(evidence),
  ...evidence.servers.flatMap(({ name, ...server }) =>
    ['checkpoint-age' as const, 'cache-dirty' as const]
      .flatMap((means) => seriesMeaning({ name, ...server }, means) ?? [])
      .flatMap((series) => fillingFindings(evidence, name, series))
      .slice(0, 1),
  ),
  ...clockFindings(evidence),
  ...(evidence.asynchronous && evidence.latency
    ? [found(ASYNC, 'The tool does not wait for each I/O: its latencies include the time in its own queue.')]
    : []),
];

function stallFindings({ rate, latency, window }: RunEvidence): Finding[] {
  if (!rate) return [];
  const { t, v } = rateUntil(rate, window.from, window.to);
  const stalls = stallsOf({ t, v }, window.from);
  const share = stalls.seconds > 0 ? stalls.stalled / stalls.seconds : 0;
  if (stalls.count === 0 || (stalls.longest < STALLED.longest && share < STALLED.share)) return [];
  const stopped = t.filter((_, index) => v[index] === 0);
  const blind = latency ? stopped.filter((second) => latencyAt(latency, second) === 0).length : 0;
  return [
    found(
      STALLS,
      `${formatCount(stalls.count, 'stall')}, the longest of ${formatDuration(stalls.longest)}: no operation completed in ${formatPercent(share, 1)} of the measured time.`,
    ),
    ...(blind > 0
      ? [
          found(
            BLIND,
            `In ${formatCount(blind, 'second')} no operation completed, and the tool reported a latency of zero for them.`,
          ),
        ]
      : []),
  ];
}

function latencyAt({ t, v }: NonNullable<RunEvidence['latency']>, second: number): number | undefined {
  const at = t.indexOf(second);
  return at < 0 ? undefined : v[at];
}

/** A fill level that only ever grew: by tenths of the run, so that noise does not count as work done. */
function fillingFindings({ window }: RunEvidence, server: string, series: WatchedSeries): Finding[] {
  if (!isKnown(series, window)) return [];
  const values = valuesIn(series, window);
  const size = Math.floor(values.length / TENTHS);
  if (size < 2) return [];
  const tenths = Array.from({ length: TENTHS }, (_, tenth) => mean(values.subarray(tenth * size, (tenth + 1) * size)));
  const [first = 0, last = 0] = [tenths[0], tenths.at(-1)];
  if (last - first < FILLED || tenths.some((value, index) => index > 0 && value <= (tenths[index - 1] ?? 0))) return [];
  const message = `${series.label} of ${server} rose from ${formatPercent(first / 100)} to ${formatPercent(last / 100)} and never dropped.`;
  return [
    found(
      TOO_SHORT,
      message,
      `${server}: ${series.id}, at most ${formatPercent(percentileIn(series, window, 100) / 100)}`,
    ),
  ];
}

function clockFindings({ rate, zero, window, clockErrorMs = 0 }: RunEvidence): Finding[] {
  const dips = rate && dipsOf([rate], window.from);
  if (!dips || zero === undefined || clockErrorMs > BY_THE_CLOCK * 1000) return [];
  const minutes = Math.round(dips.period / 60);
  if (minutes < 1 || Math.abs(dips.period - 60 * minutes) > BY_THE_CLOCK) return [];
  const inMinute = dips.at.map((at) => (zero / 1000 + at) % 60);
  const [first = 0] = inMinute;
  const away = inMinute.map((second) => ((second - first + 90) % 60) - 30);
  if (away.some((seconds) => Math.abs(seconds) > BY_THE_CLOCK)) return [];
  const message = `Dips come every ${formatDuration(60 * minutes)}, at second ${Math.round(first) % 60} of the minute each time.`;
  return [found(CLOCK_ALIGNED, message)];
}

export const TIMING_CHECKS = [STALLS, BLIND, TOO_SHORT, CLOCK_ALIGNED, ASYNC];
