import { metricOf } from '../metrics/index.ts';
import type { StepsTable } from '../model/result.ts';
import { formatFigure, formatInterval, formatLevel, formatLevels, formatTimes, NO_VALUE } from '../util/format.ts';

/** Figures of a step divided by those of the earlier one that it repeats, level by level; empty for one that repeats none. */
export const againText = ({ same, cells }: StepsTable['lines'][number]): string =>
  same === undefined
    ? ''
    : cells.map((cell) => (cell?.again === undefined ? NO_VALUE : formatTimes(cell.again))).join(' · ');

/** A table of steps as text: for each level its figure, and its ratio to the baseline with the 95 % interval. */
export function stepsText({ factor, levels, baseline, lines }: StepsTable) {
  const others = [...new Set(lines.flatMap((line) => Object.keys(line.levels)))];
  const columns = levels.flatMap((level, place) => {
    const title = factor === undefined ? 'figure' : formatLevels({ [factor]: level });
    const hasRatio = baseline !== undefined && String(level) !== String(baseline);
    return [{ title, place, isRatio: false }, ...(hasRatio ? [{ title: 'ratio', place, isRatio: true }] : [])];
  });
  const repeats = lines.some(({ same }) => same !== undefined);
  return {
    head: ['step', ...others, 'metric', ...columns.map(({ title }) => title), ...(repeats ? ['to earlier step'] : [])],
    /** Columns from this one on are numbers. */
    numbers: others.length + 2,
    rows: lines.map((line) => {
      const { name, metric, levels: own, cells } = line;
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
        ...(repeats ? [againText(line)] : []),
      ];
    }),
  };
}
