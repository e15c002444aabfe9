import { definedIn, definitionOf, measuresOf } from '../../../shared/measures/index.ts';
import { metricName } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ComparedCell, Comparison } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import type { TargetDescription } from '../../../shared/model/target.ts';
import { formatCount, formatDuration, named } from '../../../shared/util/format.ts';
import { differentData, differentDurability, differentOptions, differentWorkloads, toolOf } from './conditions.ts';
import { differentWays, differing, warning } from './found.ts';
import { differentHosts } from './host-differences.ts';
import type { ComparedSession } from './pairs.ts';

/** Reasons that make a comparison of two sessions unfair, the most serious first. Empty if all is equal. */
export function unfairness(
  a: ComparedSession,
  b: ComparedSession,
  settings: Comparison['settings'],
  cells: readonly ComparedCell[],
): Finding[] {
  return [
    ...severalChanges(a, b, settings),
    ...differentDurability(a, b, cells),
    ...differentServers(a.detail, b.detail),
    ...differentWays(a.detail, b.detail),
    ...differentWorkloads(a, b),
    ...differentData(a, b),
    ...differentTimes(a, b),
    ...differentTools(a, b),
    ...differentMeasures(a, b),
    ...differentGenerators(a.detail, b.detail),
    ...differentHosts(a.detail, b.detail),
  ];
}

const serverOf = (detail: SessionDetail): string | undefined => wordsOfAll(detail, versionWords);
const middlewareOf = (detail: SessionDetail): string | undefined =>
  wordsOfAll(detail, (server) => server && (versionWords(server.middleware) ?? 'nothing'));

/** The servers of all targets, each once, in an order that does not depend on their names in cells. */
function wordsOfAll(
  detail: SessionDetail,
  words: (server: TargetDescription | undefined) => string | undefined,
): string | undefined {
  const all = new Set(targetsOf(detail).flatMap(({ description }) => words(description) ?? []));
  return all.size === 0 ? undefined : [...all].sort().join(', ');
}

const versionWords = (server: (Pick<TargetDescription, 'product'> & { version?: string | undefined }) | undefined) =>
  server && [server.product, server.version].filter(Boolean).join(' ');

const cpuOf = ({ hosts }: SessionDetail): string =>
  hosts.map(({ facts }) => `${facts?.cpuCount}${facts?.cpuModel}`).join();

/** With one change a difference has one possible cause; with several, none of them can be named. */
function severalChanges(a: ComparedSession, b: ComparedSession, settings: Comparison['settings']): Finding[] {
  const changed = [
    ...(differing(serverOf(a.detail), serverOf(b.detail)) ? ['server'] : []),
    ...(differing(middlewareOf(a.detail), middlewareOf(b.detail)) ? ['proxy or pooler'] : []),
    ...settings.filter(({ rank }) => rank === 'matters').map(({ name }) => name),
    ...differentOptions(a, b).map(({ title }) => title),
    ...(toolOf(a) === toolOf(b) && a.detail.toolVersion === b.detail.toolVersion ? [] : ['tool']),
    ...(cpuOf(a.detail) === cpuOf(b.detail) ? [] : ['generators']),
  ];
  if (changed.length < 2) return [];
  return [
    warning(
      'several-differences',
      `${formatCount(changed.length, 'thing')} differ at once: ${named(changed)}.`,
      'A difference cannot be attributed to one of them. Change one thing at a time.',
    ),
  ];
}

function differentServers(a: SessionDetail, b: SessionDetail): Finding[] {
  const servers = differing(serverOf(a), serverOf(b));
  const behind = differing(middlewareOf(a), middlewareOf(b));
  return [
    ...(servers
      ? [
          warning(
            'different-servers',
            `The server differs: ${servers.join(' and ')}.`,
            'Defaults change between versions: review the settings that differ.',
          ),
        ]
      : []),
    ...(behind
      ? [
          warning(
            'different-middleware',
            `Middleware between tool and server differs: ${behind.join(' and ')}.`,
            'Use the same on both sides, unless it is under test.',
          ),
        ]
      : []),
  ];
}

function differentTimes(a: ComparedSession, b: ComparedSession): Finding[] {
  const cuts = differing(a.result.warmup, b.result.warmup);
  const { duration } = a.detail.experiment.measure;
  const longer = differing(duration, b.detail.experiment.measure.duration);
  return [
    ...(cuts
      ? [
          warning(
            'different-warm-ups',
            `The warm-up differs: the first ${cuts.map(formatDuration).join(' and ')} of each run are excluded.`,
            'The side with the shorter cut may still have been warming up. Set the same cut for both.',
          ),
        ]
      : []),
    ...(longer
      ? [
          warning(
            'different-durations',
            `Run lengths differ (${longer.map(formatDuration).join(' and ')}), so they include different parts of the warm-up.`,
            'Compare runs of the same length.',
          ),
        ]
      : []),
  ];
}

/** A measure of both sides with one name, unit and direction, but two formulas. */
function differentMeasures(a: ComparedSession, b: ComparedSession): Finding[] {
  const { metric } = a.result;
  const definition = ({ detail }: ComparedSession) => definitionOf(measuresOf(definedIn(detail)), metric);
  const differ = differing(definition(a), definition(b));
  if (!differ) return [];
  const [one, other] = differ;
  return [
    warning(
      'different-measures',
      `“${metricName(metric)}” is calculated differently: ${one} in the baseline, ${other} in the other.`,
      'Use the same formula on both sides.',
    ),
  ];
}

function differentTools(a: ComparedSession, b: ComparedSession): Finding[] {
  if (toolOf(a) !== toolOf(b)) {
    return [
      warning(
        'different-tools',
        'The sessions were measured with different tools.',
        'Different tools measure different things.',
      ),
    ];
  }
  const [one, other] = [a.detail.toolVersion, b.detail.toolVersion];
  if (one === other) return [];
  return [
    warning(
      'different-tool-versions',
      `The tool differs: ${one ?? 'unknown'} and ${other ?? 'unknown'}.`,
      'Repeat one of them with the same version.',
    ),
  ];
}

function differentGenerators(a: SessionDetail, b: SessionDetail): Finding[] {
  if (cpuOf(a) === cpuOf(b)) return [];
  return [
    warning('different-generators', 'The load generators have different CPUs.', 'Use the same generator for both.'),
  ];
}
