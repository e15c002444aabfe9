import { along, type Painter, type TimelineLine } from '../../../../../shared/chart-models/index.ts';
import type { SeriesData } from '../../../../../shared/model/result.ts';
import { EACH_GENERATOR, generatorWords } from '../../../../../shared/model/result-words.ts';
import type { Run } from '../../../../../shared/model/session.ts';
import { formatLevels } from '../../../../../shared/util/format.ts';

export const levelsOf = (run: Pick<Run, 'levels'>): string => formatLevels(run.levels) || 'the only cell';
export const nameOf = (run: Pick<Run, 'levels' | 'repeat'>): string => `${levelsOf(run)}, repeat ${run.repeat + 1}`;

interface Wanted {
  metric: string;
  paint: Painter;
  /** Metric along the axis instead of time. */
  way: string | undefined;
}

/** A line for each run, or for each of its generators, in the order of `runs`; over its own time, or along another of its metrics. */
export function linesOf(
  data: readonly SeriesData[],
  runs: readonly Run[],
  { metric, paint, way }: Wanted,
): TimelineLine[] {
  const wholes = new Set(data.filter(({ generator }) => generator === null).map(({ runId }) => runId));
  const progressOf = (runId: number, generator: number | null) => {
    const known = data.filter((entry) => entry.runId === runId && entry.metric === way);
    return known.find((entry) => entry.generator === null) ?? known.find((entry) => entry.generator === generator);
  };
  const lineOf = (run: Run, own: readonly SeriesData[], entry: SeriesData): TimelineLine[] => {
    const progress = way && progressOf(entry.runId, entry.generator);
    if (way && !progress) return [];
    const { t, v } = progress ? along(entry, progress) : entry;
    const several = own.some(({ generator }) => generator !== null && generator > 0);
    const generator = generatorWords(entry.generator, several);
    const beside = entry.generator !== null && wholes.has(run.id);
    return [
      {
        key: `run ${run.id}/${entry.generator ?? 'all'}`,
        name: beside ? EACH_GENERATOR : levelsOf(run),
        weight: beside ? 'part' : 'normal',
        label: `${nameOf(run)}${generator}${run.partial ? ', partial' : ''}`,
        ...paint(run.levels),
        t,
        v,
      },
    ];
  };
  return runs.flatMap((run) => {
    const own = data.filter(({ runId }) => runId === run.id);
    return own.filter((entry) => entry.metric === metric).flatMap((entry) => lineOf(run, own, entry));
  });
}
