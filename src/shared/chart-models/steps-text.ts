import { metricOf } from '../metrics/index.ts';
import type { StepsTable } from '../model/result.ts';
import { formatFigure, formatInterval, formatLevel, formatLevels, formatTimes, NO_VALUE } from '../util/format.ts';

/** A table of steps as text: for each level its figure, and its ratio to the baseline with the 95 % interval. */
export function stepsText({ factor, levels, baseline, lines }: StepsTable) {
  const others = [...new Set(lines.flatMap((line) => Object.keys(line.levels)))];
  const columns = levels.flatMap((level, place) => {
    const title = factor === undefined ? 'figure' : formatLevels({ [factor]: level });
    const hasRatio = baseline !== undefined && String(level) !== String(baseline);
    return [{ title, place, isRatio: false }, ...(hasRatio ? [{ title: 'ratio', place, isRatio: true }] : [])];
  });
  return {
    head: ['step', ...others, 'metric', ...columns.map(({ title }) => title)],
    /** Columns from this one on are numbers. */
    numbers: others.length + 2,
    rows: lines.map(({ name, metric, levels: own, cells }) => {
      const { label, unit, digits } = metricOf(metric);
      return [
        name,
        ...others.map((other) => formatLevel(own[other])),
        unit === '' ? label : `${label} (${unit})`,
        ...columns.map(({ place, isRatio }) => {
          const { value, ratio, interval } = cells[place] ?? {};
          if (!isRatio) return formatFigure(value, digits);
          return ratio === undefined
            ? NO_VALUE
            : [formatTimes(ratio), ...(interval ? [`(${formatInterval(interval)})`] : [])].join(' ');
        }),
      ];
    }),
  };
}
