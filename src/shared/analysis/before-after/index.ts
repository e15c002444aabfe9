import type { SeriesBeforeAfter } from '../../model/analysis.ts';
import type { Meaning, MonitoredSeries } from '../../model/monitored.ts';
import { formatFigure, formatNumber } from '../../util/format.ts';
import type { RunEvidence, WatchedSeries, Window } from '../evidence.ts';
import { isOuterLink, isWholeDevice, seriesMeaning, seriesNamed, seriesOfRule } from '../lines.ts';
import { type BeforeAfter, beforeAfter } from './ratio.ts';

/** Measures of the demand on a server. */
const LOADS: readonly Meaning[] = ['statements', 'transactions'];
/**
 * Resources that a change on a live system usually saves: few series, as each additional one makes it harder to separate all of them from
 * chance. By rule, with words that are clear on their own.
 */
const OF_HOST: Readonly<Record<string, string>> = { 'cpu.busy': 'CPU busy', 'mem.used_mib': 'Memory used' };
const OF_DEVICES: Readonly<Record<string, string>> = {
  'disk.*.read_mib_s': 'Read from disk',
  'disk.*.write_mib_s': 'Written to disk',
};
const OF_LINKS: Readonly<Record<string, string>> = {
  'net.*.rx_mib_s': 'Received',
  'net.*.tx_mib_s': 'Sent',
};
const WORDS: Readonly<Record<string, string>> = { ...OF_HOST, ...OF_DEVICES, ...OF_LINKS };
/** Below this a device or link is as good as idle, MiB/s. */
const IDLE = 0.05;

/** Whether a series is compared. */
export const isCompared = ({ rule, means }: Pick<MonitoredSeries, 'rule' | 'means'>): boolean =>
  rule in WORDS || (means !== undefined && LOADS.includes(means));

/** A series to compare, with the name of its source. */
export interface ComparedSeries {
  readonly source: string;
  readonly series: WatchedSeries;
  readonly label: string;
  readonly isLoad?: true;
  /** The rate of it that Kneepoint itself causes; absent: none. */
  readonly own?: number;
}

/** Kneepoint does not sample at the same moments of each second, and connections occasionally send keep-alives. */
const OWN_MARGIN = 1.5;
const OWN_MORE = 1;

/** Whether a rate is no more than Kneepoint's own requests to a server. */
export const isOwnOnly = (rate: number, own: number | undefined): boolean =>
  own !== undefined && rate <= OWN_MARGIN * own + OWN_MORE;

export const OWN_ONLY = 'about as many as Kneepoint itself sends';

/** Series of a watched run that are compared before and after a moment: the load first, then resource use of hosts. */
export function comparedSeries(
  { servers, hosts }: Pick<RunEvidence, 'servers' | 'hosts'>,
  window: Window,
): ComparedSeries[] {
  const loads = servers.flatMap((server): ComparedSeries[] => {
    const series = LOADS.map((means) => seriesMeaning(server, means)).find((each) => each !== undefined);
    return series ? [{ source: server.name, series, label: series.label, isLoad: true }] : [];
  });
  const ofHosts = hosts.flatMap((host) => {
    const devices = Object.keys(OF_DEVICES)
      .flatMap((rule) => seriesOfRule(host, rule))
      .filter(({ instance = '' }) => isWholeDevice(instance));
    const links = Object.keys(OF_LINKS)
      .flatMap((rule) => seriesOfRule(host, rule))
      .filter(({ instance = '' }) => isOuterLink(instance, host));
    const busy = [...devices, ...links].filter((series) => highestIn(series, window) >= IDLE);
    const single = Object.keys(OF_HOST).flatMap((id) => seriesNamed(host, id) ?? []);
    return [...single, ...busy].map((series) => ({
      source: host.name,
      series,
      label: WORDS[series.rule] ?? series.label,
    }));
  });
  return [...loads, ...ofHosts];
}

function highestIn({ t, v }: WatchedSeries, { from, to }: Window): number {
  let highest = 0;
  t.forEach((at, index) => {
    const value = v[index] ?? Number.NaN;
    if (at > from && at <= to && value > highest) highest = value;
  });
  return highest;
}

/**
 * Each series on both sides of a moment: loads in their order, then the others by the size of their difference. Omits those without any
 * known value on a side.
 */
export function compareMoment<T extends ComparedSeries>(
  compared: readonly T[],
  before: Window,
  after: Window,
): (T & { readonly change: BeforeAfter & { readonly isIdle?: true } })[] {
  const found = compared.flatMap((each) => {
    const change = beforeAfter(each.series, before, after, compared.length);
    if (!change) return [];
    const means = { before: change.before, after: change.after };
    if (!Object.values(means).every((rate) => isOwnOnly(rate, each.own))) return [{ ...each, change }];
    const idle = { ...means, verdict: 'not-known', why: `These are ${OWN_ONLY}.`, isIdle: true } as const;
    return [{ ...each, change: idle }];
  });
  // A change from or to zero is the largest, and has no ratio.
  const size = ({ change: { verdict, ratio } }: { change: BeforeAfter }): number => {
    if (verdict === 'more' || verdict === 'less')
      return ratio === undefined ? Number.MAX_VALUE : Math.abs(Math.log(ratio));
    return verdict === 'same' ? 0 : -1;
  };
  return found.sort(
    (one, other) => Number(other.isLoad ?? false) - Number(one.isLoad ?? false) || size(other) - size(one),
  );
}

/**
 * Sentences on what the main series shows about a moment, and whether everything else may be compared. `isOffered`: the work of the servers
 * is requested by others, or at a rate that the tool holds; a tool that runs as fast as it can uses it to measure what the system achieves.
 */
export function momentSentences(series: readonly SeriesBeforeAfter[], isOffered: boolean): string[] {
  const [main] = series;
  if (!main) return ['Too few samples on one side to compare.'];
  const loads = series.filter(({ isLoad }) => isLoad);
  if (loads.length === 0)
    return [ratioSentence(main), 'No server reports its load: compare only if the load was the same.'];
  const asked = loads.filter(({ isIdle }) => !isIdle);
  if (asked.length === 0) return [ratioSentence(main), NO_LOAD];
  const isChanged = asked.some(({ verdict }) => verdict === 'more' || verdict === 'less');
  const known = isChanged ? 'changed' : asked.every(({ verdict }) => verdict === 'same') ? 'same' : 'not-known';
  return [ratioSentence(main), (isOffered ? OF_LOAD : OF_WORK)[known]];
}

const NO_LOAD = 'No load to compare: the other ratios describe an idle server.';

type Known = 'changed' | 'same' | 'not-known';
const OF_LOAD: Readonly<Record<Known, string>> = {
  changed: 'The load changed, which affects the other ratios.',
  same: 'The load was the same, so the other ratios show the effect of the change.',
  'not-known': 'The load may have changed: treat the other ratios with care.',
};
const OF_WORK: Readonly<Record<Known, string>> = {
  changed: 'Throughput changed, which affects the use of host resources.',
  same: 'Throughput was the same within 3 %.',
  'not-known': 'Throughput may have changed.',
};

/** Words of a verdict. */
export const CHANGE_WORDS: Readonly<Record<SeriesBeforeAfter['verdict'], string>> = {
  more: 'more',
  less: 'less',
  same: 'the same',
  'not-known': 'unclear',
};

/** “Statements”, “Written, sda”. */
export const nameOfSeries = ({ label, instance }: Pick<SeriesBeforeAfter, 'label' | 'instance'>): string =>
  instance === undefined ? label : `${label}, ${instance}`;

/** “Statements of “db”: 1,020 → 980 per s, ×0.96 (0.93 to 0.99).” */
function ratioSentence(row: SeriesBeforeAfter): string {
  const { source, unit, digits = 1, before, after, verdict, why } = row;
  const figures = `${formatFigure(before, digits)} → ${formatFigure(after, digits)}${unit === '' ? '' : ` ${unit}`}`;
  if (row.isIdle) return `${nameOfSeries(row)} of “${source}”: ${figures}, ${OWN_ONLY}.`;
  const interval = intervalWords(row);
  const end = { same: `${CHANGE_WORDS.same} within 3 %`, 'not-known': 'no known difference' };
  const words = verdict === 'more' || verdict === 'less' ? CHANGE_WORDS[verdict] : end[verdict];
  return `${nameOfSeries(row)} of “${source}”: ${figures}${interval === undefined ? '' : `, ${interval}`}, ${words}.${why === undefined ? '' : ` ${why}`}`;
}

/** “×0.96 (0.93 to 0.99)”. */
export const intervalWords = ({
  ratio,
  low,
  high,
}: Pick<SeriesBeforeAfter, 'ratio' | 'low' | 'high'>): string | undefined =>
  ratio === undefined || low === undefined || high === undefined
    ? undefined
    : `×${formatNumber(ratio, 2)} (${formatNumber(low, 2)} to ${formatNumber(high, 2)})`;
