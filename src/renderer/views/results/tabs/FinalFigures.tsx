import { isSize, metricOf } from '../../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../../shared/model/derived.ts';
import { formatShort, formatValue } from '../../../../shared/util/format.ts';
import { measureOfFigure } from '../../../domain/measures/index.ts';
import { KeyValueList, type Pair } from '../../../ui/index.ts';

interface Properties {
  /** Final figures of a run, by metric id. */
  summary: Readonly<Record<string, number>>;
  /** Begins a measure of a figure. */
  onMeasure(measure: Partial<DerivedMeasure>): void;
}

/** The final figures of a run, also of single operations, queries, jobs, folders and devices; a click on one begins a measure of it. */
export const FinalFigures = ({ summary, onMeasure }: Properties) => (
  <KeyValueList pairs={Object.entries(summary).map((figure) => pairOf(figure, onMeasure))} />
);

/** An unregistered metric has the tool's own name, and a part of a run its name before it. */
function pairOf([id, value]: [string, number], onMeasure: Properties['onMeasure']): Pair {
  const metric = metricOf(id);
  const [label, words] =
    metric.unit || isSize(id) || id.includes(':')
      ? [metric.label, formatValue(value, metric)]
      : [id.replaceAll('_', ' '), formatShort(value)];
  const measure = measureOfFigure(id);
  if (!measure) return [label, words];
  return [
    label,
    <button
      key={id}
      type="button"
      className="kp-figure-button"
      title="Use as measure"
      aria-label={`Use as measure: ${label}`}
      onClick={() => onMeasure(measure)}
    >
      {words}
    </button>,
  ];
}
