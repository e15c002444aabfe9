import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  earlierRatioText,
  factorsOfLines,
  type GroupLine,
  linesInGroups,
  ratioText,
} from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { StepCost, StepsTable, Verdict } from '../../../../shared/model/result.ts';
import { VERDICT_WORDS } from '../../../../shared/model/result-words.ts';
import { nameInGroup, TOOK } from '../../../../shared/model/step.ts';
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
import { type ResultsState, useChoice } from '../useResults.ts';

type Line = StepsTable['lines'][number] | GroupLine;
const isGroup = (line: Line): line is GroupLine => 'isGroup' in line;

/** In trial order groups are headings; in any other order each step has its full name. */
const IN_ORDER = { id: 'step', descending: false };

/** Every measured step against the levels of the factor under test; a click shows the figures of a step below. */
export function StepsPanel({
  state,
  shown,
}: {
  state: Pick<ResultsState, 'id' | 'baselines' | 'setStep'>;
  shown: number;
}) {
  const { id, baselines, setStep } = state;
  const [per, setPer] = useChoice('per');
  const { data, error } = useCall(
    'results.steps',
    { sessionId: id, ...(baselines && { baselines }), ...(per !== undefined && { per }) },
    { placeholderData: (before) => before },
  );
  const [sort, setSort] = useState(IN_ORDER);
  const inGroups = data?.groups !== undefined && sort.id === IN_ORDER.id && !sort.descending;
  const columns = useMemo(() => (data ? columnsOf(data, inGroups) : []), [data, inGroups]);
  const rows = useMemo(() => (data && inGroups ? linesInGroups(data) : (data?.lines ?? [])), [data, inGroups]);
  return (
    <Panel
      title="Steps"
      note={noteOf(data)}
      flush
      actions={
        data?.costs || per !== undefined ? <FigureSelect costs={data?.costs ?? []} per={per} onChange={setPer} /> : null
      }
    >
      {error ? <ProblemBanner problem={error.problem} /> : null}
      {data ? (
        <DataTable
          label="Steps"
          rows={rows}
          columns={columns}
          rowId={idOf}
          {...(data.groups && { sort, onSort: setSort })}
          onRowClick={(line) => setStep(line.step)}
          isClickable={(line) => line.sum === undefined && !isGroup(line)}
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

interface FigureProperties {
  costs: readonly StepCost[];
  per: string | undefined;
  onChange(per: string | undefined): void;
}

/** Selects the metric of each step, or a cost per operation on hosts and servers. */
const FigureSelect = ({ costs, per, onChange }: FigureProperties) => (
  <Select
    aria-label="Figure of steps"
    w={280}
    size="xs"
    allowDeselect={false}
    data={[
      { value: '', label: 'Metric of each step' },
      ...costs.map(({ id, label, unit }) => ({ value: id, label: `${label} (${unit})` })),
    ]}
    value={per ?? ''}
    onChange={(chosen) => onChange(chosen || undefined)}
  />
);

const idOf = (line: Line): string =>
  isGroup(line) ? `group ${line.name}` : `${line.sum ? 'sum' : line.step} ${JSON.stringify(line.levels)}`;
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

function columnsOf(table: StepsTable, inGroups: boolean): Column<Line>[] {
  const others = factorsOfLines(table.lines);
  const hasRatios = table.baseline !== undefined;
  return [
    {
      id: 'step',
      header: 'Step',
      // The row of a group comes before that of its first step.
      value: (line) => (line.sum ? Number.MAX_SAFE_INTEGER : isGroup(line) ? line.step - 0.5 : line.step),
      cell: (line) => <StepName line={line} inGroups={inGroups} />,
    },
    ...others.map(
      (factor): Column<Line> => ({
        id: `factor ${factor}`,
        header: factor,
        value: ({ levels }) => sortable(levels[factor]),
        cell: (line) => (isGroup(line) ? '' : formatLevel(line.levels[factor])),
      }),
    ),
    ...(metricsOf(table).length > 1 ? [METRIC] : []),
    ...table.levels.flatMap((level, place): Column<Line>[] => [
      {
        id: `value ${place}`,
        header: table.factor === undefined ? 'Figure' : formatLevels({ [table.factor]: level }),
        align: 'right',
        value: ({ cells }) => cells[place]?.value,
        cell: (line) => {
          if (isGroup(line))
            return line.sums ? <b title="Sum of its steps">{figureText(TOOK, line.sums[place])}</b> : '';
          const { metric, cells } = line;
          return figureText(metric, cells[place]?.value);
        },
      },
      ...(hasRatios && String(level) !== String(table.baseline) ? [ratioColumn(place)] : []),
    ]),
    ...(table.lines.some(({ same }) => same !== undefined) ? [AGAIN] : []),
  ];
}

const figureText = (metric: string, value: number | undefined): string =>
  formatNumber(value, columnDigits(metricOf(metric), [value]));

function StepName({ line, inGroups }: { line: Line; inGroups: boolean }) {
  if (isGroup(line))
    return (
      <>
        <b>{line.name}</b> <span className="kp-dim kp-small">{line.means}</span>
      </>
    );
  if (!inGroups || line.group === undefined) return line.name;
  return <span style={{ paddingLeft: 16 }}>{nameInGroup(line)}</span>;
}

const AGAIN: Column<Line> = {
  id: 'again',
  header: 'Ratio to earlier step',
  hint: 'Figure / figure of the repeated step, for each level; not a verdict',
  align: 'right',
  value: ({ cells }) => cells.find((cell) => cell?.again !== undefined)?.again,
  cell: (line) => <span title={line.same}>{earlierRatioText(line)}</span>,
};

const METRIC: Column<Line> = {
  id: 'metric',
  header: 'Metric',
  value: ({ metric }) => metricOf(metric).label,
  cell: (line) => (isGroup(line) ? '' : <span className="kp-dim">{withUnit(line.metric)}</span>),
};

const withUnit = (metric: string): string => {
  const { label, unit } = metricOf(metric);
  return unit === '' ? label : `${label} (${unit})`;
};

/** Verdicts that mean a relevant difference, with their colour. */
const TONES: Partial<Record<Verdict, string>> = {
  better: 'kp-answer-gain',
  worse: 'kp-answer-loss',
  higher: '',
  lower: '',
};

const ratioColumn = (place: number): Column<Line> => ({
  id: `ratio ${place}`,
  header: 'Ratio',
  hint: 'With its 95 % interval; faint if not a significant difference',
  align: 'right',
  value: ({ cells }) => cells[place]?.ratio,
  cell: (line) => {
    const cell = line.cells[place];
    const { ratio, interval, verdict = 'missing', sentence } = cell ?? {};
    if (isGroup(line)) return ratio === undefined ? '' : <b title={line.means}>{formatTimes(ratio)}</b>;
    if (!cell || ratio === undefined) return <span className="kp-dim">{NO_VALUE}</span>;
    return (
      <span title={`${VERDICT_WORDS[verdict]}: ${sentence ?? ''}`} className={TONES[verdict] ?? 'kp-dim'}>
        {ratioText(cell)}
        {interval ? <span className="kp-dim kp-small"> ({formatInterval(interval)})</span> : null}
      </span>
    );
  },
});
