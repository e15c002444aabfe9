import {
  isKnown,
  type MetServer,
  type RunEvidence,
  type WatchedHost,
  type WatchedServer,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatCount, formatDuration, formatPercent } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Share of the measured seconds that may be missing. */
const MISSING = 0.02;
/** Uncertainty in ± milliseconds above which it is unclear what happened in the same second. */
const UNSURE = 1000;

const NOT_MONITORED = {
  code: 'not-monitored',
  title: 'Host or server not watched',
  severity: 'warn',
  when: 'run',
  traps: ['T70'],
  why: 'Without CPU, disk, network and server metrics, the bottleneck of a run is unknown. It may be something that was not monitored.',
  avoid:
    'Watch the generators, the server and its host: all are watched unless the experiment turns them off. Set “Server host” in the target. Only Linux hosts can be watched.',
} satisfies PlainCheck;
const MONITOR_GAPS = {
  code: 'monitor-gaps',
  title: 'Seconds not recorded',
  severity: 'warn',
  when: 'run',
  traps: ['T60'],
  why: 'An overloaded server answers monitoring queries late, so samples are missing where they matter most. Gaps are shown as gaps, never as zero.',
  avoid: 'Check the host’s series at these seconds: they do not depend on the server.',
} satisfies PlainCheck;
const SAMPLES_DAMAGED = {
  code: 'samples-damaged',
  title: 'Stored series are damaged',
  severity: 'warn',
  when: 'run',
  traps: [],
  why: 'Stored samples of a host or server do not match their checksum. Series based on them have no values there, and the bottleneck was found without them.',
  avoid: 'Check the disk that holds the library. If you need these series, restore the library from a backup.',
} satisfies PlainCheck;
const CLOCKS_APART = {
  code: 'clocks-apart',
  title: 'Clock offsets are uncertain',
  severity: 'note',
  when: 'run',
  traps: ['T58'],
  why: 'Series of hosts and tool are aligned by measured clock offsets. If an offset is uncertain, cause and effect within a few seconds cannot be distinguished.',
  avoid: 'Synchronise the clocks of the hosts (NTP or chrony).',
} satisfies PlainCheck;

export function watchingFindings(evidence: RunEvidence): Finding[] {
  const { hosts, servers, window, zero, clockErrorMs } = evidence;
  const all = [...hosts.filter(({ roles }) => roles.some((role) => role !== 'other')), ...servers];
  const silent = all.filter(({ series }) => !series.some((each) => isKnown(each, window)));
  return [
    ...unwatched(evidence).map((message) => found(NOT_MONITORED, message)),
    ...silent.map((each) => found(NOT_MONITORED, silentWords(each))),
    ...(zero === undefined
      ? []
      : all.filter((each) => !silent.includes(each)).flatMap((each) => gapFindings(each, window, zero))),
    ...all.flatMap(({ name, damaged: [first, ...more] = [] }) =>
      first === undefined
        ? []
        : [
            found(
              SAMPLES_DAMAGED,
              `Stored samples of ${name} are damaged: ${first}${more.length > 0 ? ` and ${formatCount(more.length, 'more series', 'more series')}` : ''} ${more.length > 0 ? 'have' : 'has'} no values there.`,
            ),
          ],
    ),
    ...(clockErrorMs !== undefined && clockErrorMs > UNSURE
      ? [
          found(
            CLOCKS_APART,
            `The series of tool and hosts are aligned only to within ${formatDuration(clockErrorMs / 1000)}.`,
          ),
        ]
      : []),
  ];
}

/**
 * Sources that were not to be watched, with what is unknown because of it: a sentence for the generators, the server host, and the server.
 */
function unwatched({ hosts, servers, load, met }: RunEvidence): string[] {
  const without = (names: readonly string[]): string[] =>
    [...new Set(names)].filter((name) => !hosts.some((host) => host.name === name));
  const generators = without(load.map(({ host }) => host));
  const [one, ...others] = generators;
  const ofGenerators =
    one === undefined
      ? []
      : others.length === 0
        ? [`${one} generated load but was not watched: it may have been the bottleneck.`]
        : [`${generators.join(', ')} generated load but were not watched: they may have been the bottleneck.`];
  return [...ofGenerators, ...(met ? [...ofPlace(met, without(met.places)), ...ofServer(met, servers)] : [])];
}

function ofPlace({ name, places }: MetServer, missing: readonly string[]): string[] {
  const unknown = 'its CPU, disks or network may have been the bottleneck.';
  if (places.length === 0)
    return [`The host of ${name} was not watched, because the target does not specify it: ${unknown}`];
  return missing.length === 0 ? [] : [`The host of ${name}, ${missing.join(', ')}, was not watched: ${unknown}`];
}

const ofServer = ({ name }: MetServer, servers: readonly WatchedServer[]): string[] =>
  servers.some((server) => server.name === name)
    ? []
    : [`The server ${name} was not watched: locks, its log or its cache may have been the bottleneck.`];

function silentWords({ name, problem, ...source }: WatchedHost | WatchedServer): string {
  if ('system' in source && source.system !== undefined)
    return `${name} runs ${source.system}, but only Linux hosts can be watched.`;
  return `Nothing was recorded on ${name} during most of this run.${problem === undefined ? '' : ` ${problem}`}`;
}

function gapFindings(
  { name, gaps = [] }: WatchedHost | WatchedServer,
  { from, to }: RunEvidence['window'],
  zero: number,
): Finding[] {
  const inside = gaps
    .map((gap) => ({ from: Math.max(from, (gap.from - zero) / 1000), to: Math.min(to, (gap.to - zero) / 1000) }))
    .filter((gap) => gap.to > gap.from);
  const missing = inside.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  if (missing < MISSING * (to - from)) return [];
  const [first] = inside;
  const message = `${formatCount(inside.length, 'gap')} in the series of ${name}, ${formatDuration(Math.round(missing))} or ${formatPercent(missing / (to - from))} of the measured time, the first at second ${Math.round(first?.from ?? 0)}.`;
  return [found(MONITOR_GAPS, message)];
}

export const WATCHING_CHECKS = [NOT_MONITORED, MONITOR_GAPS, SAMPLES_DAMAGED, CLOCKS_APART];
