import { metricOf } from '../../../shared/metrics/index.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell, Comparison, SessionResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { ratioInterval } from '../../../shared/stats/index.ts';
import { formatTimes } from '../../../shared/util/format.ts';
import { differencesOf } from './differences.ts';
import { settingDifferences } from './settings.ts';
import { formatPercent } from './words.ts';

/** Share above which noise hides any difference that a person would look for: to speak of none would mislead. */
const SAYS_NOTHING = 0.5;

export interface ComparedSession {
  detail: SessionDetail;
  result: SessionResult;
}

/** Cell by cell: ratio to the baseline with its interval, and a verdict that calls a difference real only when the interval says so. */
export function compareSessions(baseline: ComparedSession, other: ComparedSession): Comparison {
  const metric = baseline.result.metric;
  const cells = pairCells(baseline, other).map((pair) => compareCell(pair, metric));
  return {
    metric,
    metrics: baseline.result.metrics.filter((id) => other.result.metrics.includes(id)),
    baseline: { id: baseline.detail.session.id, name: baseline.detail.session.name },
    other: { id: other.detail.session.id, name: other.detail.session.name },
    verdict: overall(cells, metric),
    cells,
    differences: differencesOf(baseline.detail, other.detail),
    settings: settingDifferences(baseline.detail.target, other.detail.target),
    findings: fairness(baseline.detail, other.detail),
  };
}

interface Pair {
  levels: Levels;
  baseline?: CellResult;
  other?: CellResult;
}

/**
 * Cells meet by what both sessions say of a factor: its level, or the fixed option of a session that does not vary it.
 * Where one session varies a factor of which the other says nothing, each of its cells meets the one cell of the other;
 * where both do, no pairing would be fair and the cells stay alone.
 */
function pairCells(baseline: ComparedSession, other: ComparedSession): Pair[] {
  const factors = [baseline, other].flatMap(({ detail }) => detail.experiment.factors);
  const shared = [...new Map(factors.map((factor) => [factor.name, factor.option ?? factor.name]))].filter(
    ([name, option]) => isSaid(baseline, name, option) && isSaid(other, name, option),
  );
  const groups = new Map<string, { baseline: CellResult[]; other: CellResult[] }>();
  for (const side of ['baseline', 'other'] as const) {
    const { detail, result } = side === 'baseline' ? baseline : other;
    const { options } = detail.experiment.workload;
    for (const cell of result.cells) {
      const key = JSON.stringify(shared.map(([name, option]) => String(cell.levels[name] ?? options[option])));
      const group = groups.get(key) ?? { baseline: [], other: [] };
      groups.set(key, group);
      group[side].push(cell);
    }
  }
  return [...groups.values()].flatMap((group) => pairsOf(group.baseline, group.other));
}

const isSaid = ({ detail }: ComparedSession, name: string, option: string): boolean =>
  detail.experiment.factors.some((factor) => factor.name === name) ||
  Object.hasOwn(detail.experiment.workload.options, option);

function pairsOf(baseline: readonly CellResult[], other: readonly CellResult[]): Pair[] {
  if (Math.min(baseline.length, other.length) !== 1) {
    return [
      ...baseline.map((cell) => ({ levels: cell.levels, baseline: cell })),
      ...other.map((cell) => ({ levels: cell.levels, other: cell })),
    ];
  }
  return baseline.flatMap((left) =>
    other.map((right) => ({ levels: { ...left.levels, ...right.levels }, baseline: left, other: right })),
  );
}

function compareCell(pair: Pair, metric: string): ComparedCell {
  const { baseline, other } = pair;
  if (!baseline?.spread || !other?.spread) {
    return {
      ...pair,
      verdict: 'missing',
      sentence: missingWords(pair),
    };
  }
  const plain = other.spread.mean / baseline.spread.mean;
  const interval = ratioInterval(baseline.means, other.means);
  if (!interval) {
    return {
      ...pair,
      ...(Number.isFinite(plain) && { ratio: plain }),
      verdict: 'too-few',
      sentence: 'Not enough complete repeats to tell a difference from noise (two or more on each side are needed).',
    };
  }
  const { ratio, low, high } = interval;
  const found = { ...pair, ratio, interval: { low, high } };
  if (low <= 1 && high >= 1) {
    const floor = Math.max(high - 1, 1 - low);
    if (floor > SAYS_NOTHING) {
      const sentence = `Too noisy to tell: ${formatTimes(low)} to ${formatTimes(high)} all fit.`;
      return { ...found, verdict: 'too-noisy', sentence };
    }
    const sentence = `No difference larger than the noise of ${formatPercent(floor)}.`;
    return { ...found, verdict: 'no-difference', sentence };
  }
  const better = metricOf(metric).better === 'lower' ? ratio < 1 : ratio > 1;
  const sizes = [Math.abs(low - 1), Math.abs(high - 1)].sort((a, b) => a - b) as [number, number];
  return {
    ...found,
    verdict: better ? 'better' : 'worse',
    sentence: `${ratio > 1 ? 'Higher' : 'Lower'} by ${formatPercent(Math.abs(ratio - 1))}, 95 % interval ${formatPercent(sizes[0])} to ${formatPercent(sizes[1])}.`,
  };
}

function missingWords({ baseline, other }: Pair): string {
  if (!baseline) return 'The baseline has no cell that belongs to this one.';
  if (!other) return 'The other session has no cell that belongs to this one.';
  if (!baseline.spread && !other.spread) return 'Neither session has a result here.';
  return `There is no result in ${baseline.spread ? 'the other session' : 'the baseline'}.`;
}

function overall(cells: readonly ComparedCell[], metric: string): string {
  const count = (verdict: ComparedCell['verdict']): number => cells.filter((cell) => cell.verdict === verdict).length;
  const label = metricOf(metric).label.toLowerCase();
  const [better, worse, same] = [count('better'), count('worse'), count('no-difference')];
  const [noisy, few] = [count('too-noisy'), count('too-few')];
  const judged = better + worse + same + noisy;
  if (judged === 0) {
    return few > 0
      ? 'Not enough complete repeats on both sides to call any difference real.'
      : 'The two sessions have no cell in common that both measured.';
  }
  const of = `of ${judged} ${judged === 1 ? 'cell' : 'cells'} compared by ${label}`;
  const parts = [
    better > 0 && `better in ${better}`,
    worse > 0 && `worse in ${worse}`,
    same > 0 && `no difference beyond noise in ${same}`,
    noisy > 0 && `too noisy to tell in ${noisy}`,
  ].filter(Boolean);
  return `Against the baseline: ${parts.join(', ')} ${of}.`;
}

function fairness(a: SessionDetail, b: SessionDetail): Finding[] {
  const findings: Finding[] = [];
  const warn = (code: string, message: string, next: string): void => {
    findings.push({ code, severity: 'warn', message, next });
  };
  if (a.session.tool !== b.session.tool) {
    warn(
      'different-tools',
      'The sessions were measured with different tools.',
      'Figures of different tools count different things.',
    );
  } else if (a.toolVersion !== b.toolVersion) {
    warn(
      'different-tool-versions',
      `The tool differs: ${a.toolVersion ?? 'unknown'} and ${b.toolVersion ?? 'unknown'}.`,
      'Repeat one of them with the same version.',
    );
  }
  if (a.experiment.measure.duration !== b.experiment.measure.duration) {
    warn(
      'different-durations',
      'The runs are not equally long, so they saw different parts of warming up.',
      'Compare runs of the same length.',
    );
  }
  const cpu = (detail: SessionDetail): string =>
    detail.hosts.map((host) => `${host.facts?.cpuCount}${host.facts?.cpuModel}`).join();
  if (cpu(a) !== cpu(b)) {
    warn(
      'different-generators',
      'The load came from machines with different CPUs.',
      'Use the same generator for both.',
    );
  }
  return findings;
}
