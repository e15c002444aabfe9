import { useMemo } from 'react';
import { againText } from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { StepsTable, Verdict } from '../../../../shared/model/result.ts';
import { VERDICT_WORDS } from '../../../../shared/model/result-words.ts';
import {
  columnDigits,
  formatInterval,
  formatLevel,
  formatLevels,
  formatNumber,
  formatTimes,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, type Column, DataTable, Panel, ProblemBanner } from '../../../ui/index.ts';
import type { ResultsState } from '../useResults.ts';

type Line = StepsTable['lines'][number];

/** Every measured step against the levels of the factor under test; a click shows the figures of a step below. */
export function StepsPanel({ state, shown }: { state: ResultsState; shown: number }) {
  const { id, baselines, setStep } = state;
  const { data, error } = useCall('results.steps', { sessionId: id, ...(baselines && { baselines }) });
  const columns = useMemo(() => (data ? columnsOf(data) : []), [data]);
  return (
    <Panel title="Steps" note={noteOf(data)} flush>
      {error ? <ProblemBanner problem={error.problem} /> : null}
      {data ? (
        <DataTable
          label="Steps"
          rows={data.lines}
          columns={columns}
          rowId={idOf}
          onRowClick={(line) => line.sum === undefined && setStep(line.step)}
          current={data.lines.flatMap((line) => (line.step === shown && line.sum === undefined ? [idOf(line)] : []))[0]}
        />
      ) : error ? null : (
        <BlockSkeleton height={160} />
      )}
      {data && data.sentences.length > 0 ? (
        <div className="kp-small kp-table-note">
          {data.sentences.map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
        </div>
      ) : null}
    </Panel>
  );
}

const idOf = ({ step, sum, levels }: Line): string => `${sum ? 'sum' : step} ${JSON.stringify(levels)}`;
const sortable = (level: Scalar | undefined): string | number | undefined =>
  typeof level === 'boolean' ? String(level) : level;

function noteOf(table: StepsTable | undefined): string {
  const metrics = metricsOf(table);
  const alone = metrics.length === 1 ? [withUnit(metrics[0] ?? '')] : [];
  if (table?.baseline === undefined) return [...alone, 'a click shows the figures of a step'].join('; ');
  const baseline = formatLevels({ [table.factor ?? '']: table.baseline });
  return [...alone, `ratios to ${baseline} with their 95 % intervals, all steps judged together`].join('; ');
}

const metricsOf = (table: StepsTable | undefined): string[] => [...new Set(table?.lines.map(({ metric }) => metric))];

function columnsOf(table: StepsTable): Column<Line>[] {
  const others = [...new Set(table.lines.flatMap(({ levels }) => Object.keys(levels)))];
  const hasRatios = table.baseline !== undefined;
  return [
    {
      id: 'step',
      header: 'Step',
      value: ({ step, sum }) => (sum ? Number.MAX_SAFE_INTEGER : step),
      cell: ({ name }) => name,
    },
    ...others.map(
      (factor): Column<Line> => ({
        id: `factor ${factor}`,
        header: factor,
        value: ({ levels }) => sortable(levels[factor]),
        cell: ({ levels }) => formatLevel(levels[factor]),
      }),
    ),
    ...(metricsOf(table).length > 1 ? [METRIC] : []),
    ...table.levels.flatMap((level, place): Column<Line>[] => [
      {
        id: `value ${place}`,
        header: table.factor === undefined ? 'Figure' : formatLevels({ [table.factor]: level }),
        align: 'right',
        value: ({ cells }) => cells[place]?.value,
        cell: ({ metric, cells }) => {
          const value = cells[place]?.value;
          return formatNumber(value, columnDigits(metricOf(metric), [value]));
        },
      },
      ...(hasRatios && String(level) !== String(table.baseline) ? [ratioColumn(place)] : []),
    ]),
    ...(table.lines.some(({ same }) => same !== undefined) ? [AGAIN] : []),
  ];
}

const AGAIN: Column<Line> = {
  id: 'again',
  header: 'To earlier step',
  hint: 'The figure divided by that of the step that it repeats, for each level; not a verdict',
  align: 'right',
  value: ({ cells }) => cells.find((cell) => cell?.again !== undefined)?.again,
  cell: (line) => <span title={line.same}>{againText(line)}</span>,
};

const METRIC: Column<Line> = {
  id: 'metric',
  header: 'Metric',
  value: ({ metric }) => metricOf(metric).label,
  cell: ({ metric }) => <span className="kp-dim">{withUnit(metric)}</span>,
};

const withUnit = (metric: string): string => {
  const { label, unit } = metricOf(metric);
  return unit === '' ? label : `${label} (${unit})`;
};

/** Verdicts that call a ratio a difference that matters, with their colour. */
const TONES: Partial<Record<Verdict, string>> = {
  better: 'kp-answer-gain',
  worse: 'kp-answer-loss',
  higher: '',
  lower: '',
};

const ratioColumn = (place: number): Column<Line> => ({
  id: `ratio ${place}`,
  header: 'Ratio',
  hint: 'With its 95 % interval; faint where no verdict calls it a difference',
  align: 'right',
  value: ({ cells }) => cells[place]?.ratio,
  cell: ({ cells }) => {
    const { ratio, interval, verdict = 'missing', sentence } = cells[place] ?? {};
    if (ratio === undefined) return <span className="kp-dim">{NO_VALUE}</span>;
    return (
      <span title={`${VERDICT_WORDS[verdict]}: ${sentence ?? ''}`} className={TONES[verdict] ?? 'kp-dim'}>
        {formatTimes(ratio)}
        {interval ? <span className="kp-dim kp-small"> ({formatInterval(interval)})</span> : null}
      </span>
    );
  },
});
