import { metricOf } from '../metrics/index.ts';
import type { StepsTable } from '../model/result.ts';
import { nameInGroup, TOOK } from '../model/step.ts';
import { formatFigure, formatInterval, formatLevel, formatLevels, formatTimes, NO_VALUE } from '../util/format.ts';

/** Figures of a step divided by those of the earlier step it repeats, level by level; empty if it repeats none. */
export const earlierRatioText = ({ same, cells }: Pick<StepLine, 'same' | 'cells'>): string =>
  same === undefined
    ? ''
    : cells.map((cell) => (cell?.again === undefined ? NO_VALUE : formatTimes(cell.again))).join(' · ');

type StepLine = StepsTable['lines'][number];

/** A ratio as far as it is known: `at least ×1.31` and `at most ×0.70` where the load was the limit of the better side alone. */
export function ratioText({ ratio, limit }: NonNullable<StepLine['cells'][number]>): string {
  if (limit?.kind !== 'least' || ratio === undefined) return formatTimes(ratio);
  return `at ${ratio > 1 ? 'least' : 'most'} ${formatTimes(ratio)}`;
}

/** A group as a row above those of its steps, with the means of their ratios. */
export interface GroupLine extends StepLine {
  readonly isGroup: true;
  /** Sums and the kind of mean in its cells; empty without any. */
  readonly means: string;
  /** Seconds of all of its steps together, for each level. Undefined if not all of them end by themselves. */
  readonly sums?: readonly (number | undefined)[];
}

/** Rows of a table of steps, those of each group below a row for the group. */
export function linesInGroups({ lines, groups = [] }: StepsTable): (StepLine | GroupLine)[] {
  const open = new Map(groups.map((group) => [group.name, group]));
  return lines.flatMap((line) => {
    const group = open.get(line.group ?? '');
    if (!group) return [line];
    const { name, step, cells, inverted } = group;
    open.delete(name);
    const isAgain = cells.some(({ again }) => again !== undefined);
    const sums = cells.some(({ sum }) => sum !== undefined) ? cells.map(({ sum }) => sum) : undefined;
    const means = cells.some(({ ratio, again }) => ratio !== undefined || again !== undefined)
      ? `geometric mean${inverted === undefined ? '' : `, ${inverted} inverted`}`
      : '';
    const head: GroupLine = {
      ...{ isGroup: true, name, step, metric: sums ? TOOK : '', levels: {}, ...(isAgain && { same: line.same }) },
      cells: cells.map(({ sum: _, ...cell }) => ({ cell: -1, ...cell })),
      ...(sums && { sums }),
      means: [...(sums ? ['sum'] : []), ...(means === '' ? [] : [means])].join(', '),
    };
    return [head, line];
  });
}

/** Factors that are not columns of a table of steps, if its lines differ in them. */
export function factorsOfLines(lines: readonly Pick<StepLine, 'levels' | 'sum'>[]): string[] {
  const names = [...new Set(lines.flatMap(({ levels }) => Object.keys(levels)))];
  return names.filter((name) => new Set(lines.map(({ levels }) => levels[name])).size > 1);
}

/** A table of steps as text: for each level its figure, and its ratio to the baseline with the 95 % interval. */
export function stepsText(table: StepsTable) {
  const { factor, levels, baseline, lines } = table;
  const others = factorsOfLines(lines);
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
    rows: linesInGroups(table).map((line) => {
      const { name, group, metric, levels: own, cells } = line;
      const { means, sums } = 'isGroup' in line ? line : {};
      const { label, unit, digits } = metricOf(metric);
      return [
        group === undefined ? name : `· ${nameInGroup({ name, group })}`,
        ...others.map((other) => (means === undefined ? formatLevel(own[other]) : '')),
        means ?? (unit === '' ? label : `${label} (${unit})`),
        ...columns.map(({ place, isRatio }) => {
          const cell = cells[place];
          if (!isRatio && sums) return formatFigure(sums[place], digits);
          if (!isRatio) return means === undefined ? formatFigure(cell?.value, digits) : '';
          if (cell?.ratio === undefined) return NO_VALUE;
          const interval = cell.interval ? ` (${formatInterval(cell.interval)})` : '';
          return `${ratioText(cell)}${interval}${cell.limit?.kind === 'limited' ? ', undetermined' : ''}`;
        }),
        ...(repeats ? [earlierRatioText(line)] : []),
      ];
    }),
  };
}
