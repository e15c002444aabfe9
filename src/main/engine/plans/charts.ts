import { ladderFactor, NUMBER_HERE } from '../../../shared/chart-models/index.ts';
import { metricNamed } from '../../../shared/measures/index.ts';
import { KNOWN_METRICS, PROGRESS } from '../../../shared/metrics/index.ts';
import { type ChartChoice, isOfSeconds, MOST_PANELS } from '../../../shared/model/chart.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { namedLevels, valueOfLevel } from '../../../shared/model/factor.ts';
import { meantWords } from '../../../shared/util/nearest.ts';

type Path = (string | number)[];
type Placed = (path: Path, message: string) => DocumentProblem;
const nowhere: Placed = (path, message) => ({ path: path.join('.'), message });

/** Charts of a document that cannot be drawn as specified. */
export function chartProblems(experiment: Experiment, at: Placed = nowhere): DocumentProblem[] {
  return (experiment.charts ?? []).flatMap((chart, index) =>
    [
      ...metricProblems(chart, experiment),
      ...axisProblems(chart, experiment),
      ...panelProblems(chart, experiment),
      ...barProblems(chart, experiment),
      ...whiskerProblems(chart),
      ...onlyProblems(chart, experiment),
      ...markerProblems(chart, experiment),
    ].map(([path, message]) => at(['charts', index, ...path], message)),
  );
}

type Problem = [path: Path, message: string];

function metricProblems({ metric, ...choice }: ChartChoice, { derived = [] }: Experiment): Problem[] {
  const counts = countProblems({ metric, ...choice });
  if (counts) return counts;
  if (metric === undefined || metricNamed(metric, derived) !== undefined) return [];
  const meant = meantWords(metric, [...derived.map(({ name }) => name), ...KNOWN_METRICS]);
  return [[['metric'], `“${metric}” is neither a measure of this document nor a metric.${meant}`]];
}

/** Undefined if the chart has no counts. */
function countProblems({ kind, counts, metric, clip, markers }: ChartChoice): Problem[] | undefined {
  if (counts === undefined) return undefined;
  const others = Object.entries({ metric, clip, markers }).filter(([, value]) => value !== undefined);
  return [
    ...(kind === 'histogram'
      ? []
      : [[['counts'], `“counts” belongs to a histogram, not to ${kind}.`] satisfies Problem]),
    ...(counts.split(NUMBER_HERE).length === 2
      ? []
      : [[['counts'], 'Write one * for the number along the axis: hits_in_part_*_of_20.'] satisfies Problem]),
    ...others.map(
      ([name]): Problem => [[name], `A histogram of final figures takes no “${name}”: “counts” names the figures.`],
    ),
  ];
}

/** Whether a kind of chart has a factor's levels along its axis. */
const hasLevelsAlong = (kind: ChartChoice['kind']): boolean =>
  kind !== 'density' && kind !== 'histogram' && kind !== 'timeline';

function axisProblems({ kind, x, clip, log }: ChartChoice, { factors }: Experiment): Problem[] {
  const names = factors.map(({ name }) => name);
  const hasLevels = hasLevelsAlong(kind);
  return [
    ...(x !== undefined && kind === 'timeline' && !PROGRESS.includes(x)
      ? [
          [
            ['x'],
            `The x axis of a timeline is time or a metric that grows during a run: ${PROGRESS.join(', ')}.${meantWords(x, PROGRESS)}`,
          ] satisfies Problem,
        ]
      : []),
    ...(x !== undefined && !hasLevels && kind !== 'timeline'
      ? [
          [
            ['x'],
            `A ${kind} has no factor along its axis: “x” belongs to curve, bars, table, stairs and dots.`,
          ] satisfies Problem,
        ]
      : []),
    ...(x !== undefined && hasLevels && !names.includes(x)
      ? [[['x'], `There is no factor named “${x}”.${meantWords(x, names)}`] satisfies Problem]
      : []),
    ...(clip !== undefined && !isOfSeconds({ kind })
      ? [
          [
            ['clip'],
            `${kind === 'bars' ? 'Bars show' : `A ${kind} shows`} all figures: “clip” belongs to dots, density and histogram.`,
          ] satisfies Problem,
        ]
      : []),
    ...(log && kind === 'bars'
      ? [[['log'], 'Bars start at 0, which a log axis cannot show: use a curve.'] satisfies Problem]
      : []),
    ...(log && kind === 'table' ? [[['log'], 'A table has no axis of figures.'] satisfies Problem] : []),
  ];
}

function panelProblems({ kind, x, panels, over }: ChartChoice, { factors }: Experiment): Problem[] {
  if (over !== undefined && kind !== 'curve')
    return [
      [['over'], `Only a curve can overlay another session, not ${kind === 'bars' ? 'bars' : `a chart of ${kind}`}.`],
    ];
  if (over !== undefined && panels !== undefined)
    return [[['panels'], 'A chart that overlays another session cannot have panels.']];
  if (panels === undefined) return [];
  const names = factors.map(({ name }) => name);
  const factor = factors.find(({ name }) => name === panels);
  if (!factor) return [[['panels'], `There is no factor named “${panels}”.${meantWords(panels, names)}`]];
  if (factor.levels.length > MOST_PANELS)
    return [
      [['panels'], `“${panels}” has ${factor.levels.length} levels, but a chart has at most ${MOST_PANELS} panels.`],
    ];
  if (hasLevelsAlong(kind) && (x === panels || factors.length === 1))
    return [[['panels'], `“${panels}” is along the axis of the ${kind}: panels need another factor.`]];
  return [];
}

function onlyProblems({ only = {} }: ChartChoice, { factors }: Experiment): Problem[] {
  const named = namedLevels(factors);
  const names = named.map(({ name }) => name);
  return Object.entries(only).flatMap(([name, some]): Problem[] => {
    const factor = named.find((each) => each.name === name);
    if (!factor) return [[['only', name], `There is no factor named “${name}”.${meantWords(name, names)}`]];
    const levels = factor.levels.map(String);
    const missing = some.find((level) => !levels.includes(String(level)));
    if (missing === undefined) return [];
    return [[['only', name], `“${name}” has no level “${missing}”.${meantWords(String(missing), levels)}`]];
  });
}

function barProblems({ kind, x, panels, groups = [], against = {} }: ChartChoice, { factors }: Experiment): Problem[] {
  const names = factors.map(({ name }) => name);
  const baselines = Object.entries(against);
  if (kind === 'stairs' && panels !== undefined)
    return [[['panels'], 'Stairs have groups in place of panels: write “groups”.']];
  if (kind === 'table' && panels !== undefined)
    return [[['panels'], 'A table has rows in place of panels: write “groups”.']];
  if (kind !== 'bars' && kind !== 'table' && (kind !== 'stairs' || baselines.length > 0))
    return [
      ...(groups.length > 0 && kind !== 'stairs'
        ? [[['groups'], `“groups” belongs to bars, tables and stairs, not to a ${kind}.`] satisfies Problem]
        : []),
      ...(baselines.length > 0
        ? [[['against'], `“against” belongs to bars and tables, not to a ${kind}.`] satisfies Problem]
        : []),
    ];
  return [
    ...groups.flatMap((name, index): Problem[] => {
      const path = ['groups', index];
      if (!names.includes(name)) return [[path, `There is no factor named “${name}”.${meantWords(name, names)}`]];
      if (name === x || name === panels || groups.indexOf(name) < index)
        return [[path, `“${name}” is already used in this chart.`]];
      return [];
    }),
    ...(groups.length > 0 && panels !== undefined
      ? [[['groups'], 'Bars have either panels or groups.'] satisfies Problem]
      : []),
    ...(groups.length > 0 && groups.length === factors.length
      ? [[['groups'], `One factor must remain for the ${kind === 'table' ? 'columns' : 'axis'}.`] satisfies Problem]
      : []),
    ...(baselines.length > 1
      ? [[['against'], 'Ratios need a reference level of exactly one factor.'] satisfies Problem]
      : baselines.flatMap(([name, level]): Problem[] => {
          const factor = namedLevels(factors).find((each) => each.name === name);
          if (!factor) return [[['against'], `There is no factor named “${name}”.${meantWords(name, names)}`]];
          if (factor.levels.some((each) => String(each) === String(level))) return [];
          const levels = factor.levels.map(String);
          return [[['against', name], `“${name}” has no level “${level}”.${meantWords(String(level), levels)}`]];
        })),
  ];
}

function whiskerProblems({ kind, whiskers, against }: ChartChoice): Problem[] {
  if (whiskers === undefined) return [];
  if (kind !== 'curve' && kind !== 'bars')
    return [[['whiskers'], `“whiskers” belongs to curve and bars, not to ${kind}.`]];
  return against === undefined ? [] : [[['whiskers'], 'Bars of ratios have the 95 % interval of the ratio.']];
}

function markerProblems({ kind, x, panels, clip, markers = [] }: ChartChoice, { factors }: Experiment): Problem[] {
  const named = namedLevels(factors);
  const along =
    x === undefined ? ladderFactor(named.filter(({ name }) => name !== panels)) : named.find(({ name }) => name === x);
  if (kind === 'table' && markers.length > 0) return [[['markers'], 'A table has no lines across it.']];
  return markers.flatMap(({ name, level, value }, index): Problem[] => {
    const path = ['markers', index];
    if ((level === undefined) === (value === undefined))
      return [[path, `The marker “${name}” needs either a level or a value.`]];
    if (level !== undefined && (kind === 'bars' || kind === 'stairs'))
      return [[[...path, 'level'], 'Levels of bars and stairs have no numbers between them: write “value”.']];
    if (level !== undefined && kind !== 'curve' && kind !== 'dots')
      return [[[...path, 'level'], `A ${kind} has no levels along its axis: write “value”.`]];
    if (level !== undefined && along?.levels.some((each) => valueOfLevel(along, each) === undefined))
      return [[[...path, 'level'], `Levels of “${along.name}” are names, so a number has no position on this axis.`]];
    if (value !== undefined && clip !== undefined && value > clip)
      return [[[...path, 'value'], `The axis ends at ${clip}, below the marker “${name}”.`]];
    return [];
  });
}
