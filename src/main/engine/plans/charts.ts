import { ladderFactor } from '../../../shared/chart-models/index.ts';
import { metricNamed } from '../../../shared/measures/index.ts';
import { KNOWN_METRICS } from '../../../shared/metrics/index.ts';
import { type ChartChoice, MOST_PANELS } from '../../../shared/model/chart.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { namedLevels, valueOfLevel } from '../../../shared/model/factor.ts';
import { meantWords } from '../../../shared/util/nearest.ts';

type Path = (string | number)[];
type Placed = (path: Path, message: string) => DocumentProblem;
const nowhere: Placed = (path, message) => ({ path: path.join('.'), message });

/** Charts of a document that cannot be drawn as they are written. */
export function chartProblems(experiment: Experiment, at: Placed = nowhere): DocumentProblem[] {
  return (experiment.charts ?? []).flatMap((chart, index) =>
    [
      ...metricProblems(chart, experiment),
      ...axisProblems(chart, experiment),
      ...panelProblems(chart, experiment),
      ...markerProblems(chart, experiment),
    ].map(([path, message]) => at(['charts', index, ...path], message)),
  );
}

type Problem = [path: Path, message: string];

function metricProblems({ metric }: ChartChoice, { derived = [] }: Experiment): Problem[] {
  if (metric === undefined || metricNamed(metric, derived) !== undefined) return [];
  const meant = meantWords(metric, [...derived.map(({ name }) => name), ...KNOWN_METRICS]);
  return [[['metric'], `“${metric}” is neither a measure of this document nor a metric.${meant}`]];
}

function axisProblems({ kind, x, clip }: ChartChoice, { factors }: Experiment): Problem[] {
  const names = factors.map(({ name }) => name);
  const hasLevels = kind === 'curve' || kind === 'dots';
  return [
    ...(x !== undefined && !hasLevels
      ? [[['x'], `A ${kind} has no factor along its axis: “x” belongs to curve and dots.`] satisfies Problem]
      : []),
    ...(x !== undefined && hasLevels && !names.includes(x)
      ? [[['x'], `There is no factor named “${x}”.${meantWords(x, names)}`] satisfies Problem]
      : []),
    ...(clip !== undefined && kind === 'curve'
      ? [[['clip'], 'A curve shows all figures: “clip” belongs to dots, density and histogram.'] satisfies Problem]
      : []),
  ];
}

function panelProblems({ kind, x, panels }: ChartChoice, { factors }: Experiment): Problem[] {
  if (panels === undefined) return [];
  const names = factors.map(({ name }) => name);
  const factor = factors.find(({ name }) => name === panels);
  if (!factor) return [[['panels'], `There is no factor named “${panels}”.${meantWords(panels, names)}`]];
  if (factor.levels.length > MOST_PANELS)
    return [[['panels'], `“${panels}” has ${factor.levels.length} levels, and a chart at most ${MOST_PANELS} panels.`]];
  if ((kind === 'curve' || kind === 'dots') && (x === panels || factors.length === 1))
    return [[['panels'], `“${panels}” is along the axis of the ${kind}: panels need another factor.`]];
  return [];
}

function markerProblems({ kind, x, panels, clip, markers = [] }: ChartChoice, { factors }: Experiment): Problem[] {
  const named = namedLevels(factors);
  const along =
    x === undefined ? ladderFactor(named.filter(({ name }) => name !== panels)) : named.find(({ name }) => name === x);
  return markers.flatMap(({ name, level, value }, index): Problem[] => {
    const path = ['markers', index];
    if ((level === undefined) === (value === undefined))
      return [[path, `The marker “${name}” needs either a level or a value.`]];
    if (level !== undefined && kind !== 'curve' && kind !== 'dots')
      return [[[...path, 'level'], `A ${kind} has no levels along its axis: write “value”.`]];
    if (level !== undefined && along?.levels.some((each) => valueOfLevel(along, each) === undefined))
      return [[[...path, 'level'], `Levels of “${along.name}” are names, so a number has no place among them.`]];
    if (value !== undefined && clip !== undefined && value > clip)
      return [[[...path, 'value'], `The axis ends at ${clip}, below the marker “${name}”.`]];
    return [];
  });
}
