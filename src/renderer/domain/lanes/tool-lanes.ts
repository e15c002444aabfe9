import type { Choosable, LaneLine } from '../../../shared/chart-models/index.ts';
import { firstLanes } from '../../../shared/metrics/first-look.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import type { SeriesData } from '../../../shared/model/result.ts';

export const TOOL_GROUP = 'tool';
const ID = `${TOOL_GROUP}/`;

/** A lane for each metric of the tool, the primary one first. */
export function toolLanes(primary: string | null, metrics: readonly string[]): Choosable[] {
  if (primary === null) return [];
  const all = [...new Set([primary, ...metrics])].filter((id) => metrics.includes(id));
  const shown = firstLanes(primary, metrics);
  return all.map((id) => {
    const { label, unit, digits } = metricOf(id);
    return {
      id: `${ID}${id}`,
      group: TOOL_GROUP,
      title: label,
      unit,
      digits,
      shape: 'lines',
      rows: 1,
      isMain: shown.includes(id),
    };
  });
}

/** The metric of a lane of the tool; undefined for other lanes. */
export const metricOfLane = (id: string): string | undefined => (id.startsWith(ID) ? id.slice(ID.length) : undefined);

/**
 * Values of all runs as one line, or one for each generator if they cannot be combined: runs follow one another, and the line breaks
 * between them. Runs of parallel steps have a line for each step. `zero`: epoch milliseconds of second 0 of the axis.
 */
export function toolLines(data: readonly SeriesData[], windows: readonly RunWindow[], zero: number): LaneLine[] {
  const start = new Map(
    windows.map((window) => [window.runId, { from: (window.zero - zero) / 1000, pace: window.pace ?? 1 }]),
  );
  const whole = new Set(data.filter(({ generator }) => generator === null).map(({ runId }) => runId));
  const drawn = data
    .filter(({ runId, generator, t }) => t.length > 0 && start.has(runId) && (generator === null || !whole.has(runId)))
    .sort((one, other) => (start.get(one.runId)?.from ?? 0) - (start.get(other.runId)?.from ?? 0));
  const steps = new Map(windows.map(({ runId, parallel = '' }) => [runId, parallel]));
  const generators = [...new Set(drawn.map(({ generator }) => generator ?? 0))].sort((one, other) => one - other);
  // Runs of no parallel group come first.
  const parallel = [...new Set(drawn.map(({ runId }) => steps.get(runId) ?? ''))].sort();
  const lines = parallel.flatMap((step) => generators.map((generator) => ({ step, generator })));
  return lines.flatMap(({ step, generator }, slot) => {
    const own = drawn.filter((entry) => (entry.generator ?? 0) === generator && steps.get(entry.runId) === step);
    if (own.length === 0) return [];
    const several = generators.length > 1 ? `generator ${generator + 1}` : '';
    return [
      {
        key: [step, `generator ${generator}`].filter(Boolean).join(', '),
        label: [step, several].filter(Boolean).join(', ') || 'tool',
        slot,
        ...joined(own, start),
      },
    ];
  });
}

/** Joins runs one after the other, with a break in between. */
function joined(
  runs: readonly SeriesData[],
  start: ReadonlyMap<number, { from: number; pace: number }>,
): { t: Float64Array; v: Float64Array } {
  const length = runs.reduce((sum, { t }) => sum + t.length + 1, 0);
  const [t, v] = [new Float64Array(length), new Float64Array(length)];
  let at = 0;
  for (const run of runs) {
    const { from = 0, pace = 1 } = start.get(run.runId) ?? {};
    for (let index = 0; index < run.t.length; index += 1, at += 1) {
      t[at] = from + pace * (run.t[index] ?? 0);
      v[at] = run.v[index] ?? Number.NaN;
    }
    t[at] = (t[at - 1] ?? 0) + 0.001;
    v[at] = Number.NaN;
    at += 1;
  }
  return { t, v };
}
