import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { type HeatFigure, heatMap, isVaried } from '../../../../../shared/chart-models/index.ts';
import { heatColumns, MOST_HEAT_ROWS } from '../../../../../shared/metrics/first-look.ts';
import { metricOf } from '../../../../../shared/metrics/index.ts';
import { formatCount, formatDuration, formatLevel } from '../../../../../shared/util/format.ts';
import { useChartTheme } from '../../../../charts/index.ts';
import { BlockSkeleton, ProblemBanner } from '../../../../ui/index.ts';
import { useChoice } from '../../useResults.ts';
import { levelsOf, marksOf, nameOf } from './shown-runs.ts';
import { countWords, Drawn, useBuckets, type ViewProperties } from './views.tsx';

const LEAST_ROW = 4;
const TALLEST = 900;

const FIGURES: readonly { value: HeatFigure; label: string }[] = [
  { value: 'median', label: 'Colour: median' },
  { value: 'low', label: 'Colour: smallest per-second value' },
  { value: 'high', label: 'Colour: largest per-second value' },
  { value: 'change', label: 'Colour: change in each row' },
];

/** Each run is a row, time to the right, the metric as colour. */
export function HeatMap({ result, shown, cut, height, controls }: ViewProperties) {
  const theme = useChartTheme();
  const { runs, cells } = shown;
  const [chosen, setChosen] = useChoice('colour');
  const figure = FIGURES.find(({ value }) => value === chosen)?.value ?? 'median';
  const byCell = runs.length > MOST_HEAT_ROWS && cells.length < runs.length;
  const groups = useMemo(() => (byCell ? cells : runs.map((run) => [run])), [byCell, cells, runs]);
  const columns = heatColumns(groups.length);
  const { data, error } = useBuckets(groups, result.metric, columns);
  const model = useMemo(() => {
    const factors = result.factors.filter(isVaried);
    return heatMap(
      {
        measure: metricOf(result.metric),
        rows: groups.flatMap((group, index) => {
          const [first] = group;
          const buckets = data?.groups[index];
          if (!first || !buckets) return [];
          return [
            {
              name: byCell
                ? `${levelsOf(first, result.factors)}, ${formatCount(group.length, 'run')}`
                : nameOf(first, result.factors),
              group:
                factors.map(({ name }) => formatLevel(first.levels[name])).join(' / ') || `repeat ${first.repeat + 1}`,
              buckets,
              // Marks of a cell are on its first row.
              marks: marksOf(group, shown, result, groups[index - 1]?.[0]?.cell !== first.cell),
            },
          ];
        }),
        of: factors.map(({ name }) => name).join(' / '),
        figure,
        seconds: data?.seconds ?? 1,
        warmup: result.warmup,
      },
      theme,
    );
  }, [data, groups, byCell, shown, result, figure, theme]);
  if (error) return <ProblemBanner problem={error.problem} />;
  if (!data) return <BlockSkeleton height={height} words="Reading per-second data of all runs" />;
  const note = `${countWords(shown)}, a row for each ${byCell ? 'cell' : 'run'}; a tile is ${formatDuration(data.seconds)}`;
  return (
    <Drawn
      {...{ model, note, cut }}
      height={Math.max(height, Math.min(TALLEST, LEAST_ROW * groups.length))}
      controls={
        <>
          <Select
            aria-label="Colour"
            w={256}
            allowDeselect={false}
            data={[...FIGURES]}
            value={figure}
            onChange={(value) => setChosen(value === 'median' ? undefined : (value ?? undefined))}
          />
          {controls}
        </>
      }
    />
  );
}
