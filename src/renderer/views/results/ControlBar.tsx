import { Button, Chip, MultiSelect, NumberInput, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChartDots } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { inOrder } from '../../../shared/chart-models/index.ts';
import { MOST_CHARTS } from '../../../shared/model/chart.ts';
import { type Scalar, stepLengths } from '../../../shared/model/experiment.ts';
import type { SessionStep } from '../../../shared/model/plan.ts';
import { hasFigure } from '../../../shared/model/result-words.ts';
import { formatLevel } from '../../../shared/util/format.ts';
import { MetricSelect } from '../../domain/index.ts';
import { MeasuresButton } from '../../domain/measures/Measures.tsx';
import { measuredSteps } from './tabs/StepOrAll.tsx';
import type { ResultsState } from './useResults.ts';

interface BarProperties {
  state: ResultsState;
  /** Whether chosen charts are drawn below. */
  hasCharts: boolean;
}

/** Metric, warm-up cut and levels that all figures below use. */
export function ControlBar({ state, hasCharts }: BarProperties) {
  const result = state.result.data;
  const detail = state.detail.data;
  if (!result || result.metric === null || !detail) return null;
  const factors = result.factors
    .filter((factor) => factor.levels.length > 1)
    .map((factor) => ({ ...factor, levels: inOrder(factor.levels) }));
  const lengths = stepLengths(detail.experiment)[result.step ?? 0] ?? detail.experiment.measure;
  return (
    <div className="kp-bar kp-control-bar">
      <StepSelect steps={detail.session.steps ?? []} step={result.step ?? 0} onChange={state.setStep} />
      <MetricSelect
        metrics={result.metrics}
        runFigures={result.runFigures}
        metric={result.metric}
        onChange={state.setMetric}
      />
      <MeasuresButton onClick={() => state.setMeasure({})} />
      {hasCharts && result.cells.some(hasFigure) ? (
        <Button
          variant="default"
          leftSection={<IconChartDots size={16} />}
          disabled={(detail.charts ?? []).length >= MOST_CHARTS}
          onClick={() => state.setChart({})}
        >
          Add chart
        </Button>
      ) : null}
      <WarmupCut
        key={`${state.id} ${result.step ?? 0}`}
        seconds={result.warmup}
        planned={lengths.warmup}
        proposed={result.proposedCut}
        most={lengths.warmup + lengths.duration - 1}
        onChange={state.setWarmup}
      />
      {factors.map((factor) => (
        <fieldset key={factor.name} className="kp-filter">
          <legend className="kp-visually-hidden">Levels of {factor.name}</legend>
          <span className="kp-small" aria-hidden="true">
            {factor.name}
          </span>
          {factor.levels.length > MOST_CHIPS ? (
            <LevelSearch
              name={factor.name}
              levels={factor.levels}
              shown={state.filter[factor.name]}
              onChange={(levels) => state.setFilter(withLevels(state.filter, factor.name, factor.levels, levels))}
            />
          ) : null}
          {(factor.levels.length > MOST_CHIPS ? [] : factor.levels).map((level) => {
            const shown = state.filter[factor.name] ?? factor.levels;
            return (
              <Chip
                key={String(level)}
                size="xs"
                radius="sm"
                variant="outline"
                checked={shown.includes(level)}
                onChange={() => state.setFilter(toggled(state.filter, factor.name, factor.levels, level))}
              >
                {formatLevel(level)}
              </Chip>
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}

interface StepProperties {
  steps: readonly SessionStep[];
  step: number;
  onChange: (step: number) => void;
}

/** Selects the step whose figures are shown below; renders nothing if there is only one. */
function StepSelect({ steps, step, onChange }: StepProperties) {
  const measured = measuredSteps(steps);
  if (measured.length < 2) return null;
  return (
    <Select
      aria-label="Step"
      w={220}
      searchable={measured.length > MOST_CHIPS}
      allowDeselect={false}
      data={measured}
      value={String(step)}
      onChange={(value) => value !== null && onChange(Number(value))}
    />
  );
}

/** With more, chips would take several rows. */
const MOST_CHIPS = 12;

interface SearchProperties {
  name: string;
  levels: readonly Scalar[];
  shown: readonly Scalar[] | undefined;
  onChange: (levels: Scalar[]) => void;
}

/** For many levels: selected from a searchable list; an empty selection shows all. */
const LevelSearch = ({ name, levels, shown, onChange }: SearchProperties) => (
  <MultiSelect
    aria-label={`Levels of ${name}`}
    w={320}
    searchable
    clearable
    placeholder={shown ? '' : `all ${levels.length} levels`}
    nothingFoundMessage="No matching level"
    data={levels.map((level) => ({ value: String(level), label: formatLevel(level) }))}
    value={(shown ?? []).map(String)}
    onChange={(values) => onChange(levels.filter((level) => values.includes(String(level))))}
  />
);

/** The filter with these levels of a factor; all or none of them: it shows all. */
function withLevels(
  filter: ResultsState['filter'],
  name: string,
  all: readonly Scalar[],
  levels: readonly Scalar[],
): ResultsState['filter'] {
  const { [name]: _, ...others } = filter;
  return levels.length === 0 || levels.length === all.length ? others : { ...others, [name]: levels };
}

/** A click on a level while all are shown leaves only that one; removing the last shows all again. */
function toggled(
  filter: ResultsState['filter'],
  name: string,
  all: readonly Scalar[],
  level: Scalar,
): ResultsState['filter'] {
  const { [name]: shown, ...others } = filter;
  if (!shown) return { ...others, [name]: [level] };
  const next = shown.includes(level)
    ? shown.filter((entry) => entry !== level)
    : all.filter((entry) => entry === level || shown.includes(entry));
  return withLevels(filter, name, all, next);
}

interface CutProperties {
  seconds: number;
  planned: number;
  /** Cut after which every cell had settled; undefined if no cut is known to help. */
  proposed: number | undefined;
  most: number;
  onChange: (seconds: number | undefined) => void;
}

function WarmupCut({ seconds, planned, proposed, most, onChange }: CutProperties) {
  const [typed, setTyped] = useState<number | string>(seconds);
  const typing = useRef(false);
  useEffect(() => {
    // The address may contain another cut, through Back or a link; but input is not interrupted.
    if (!typing.current) setTyped(seconds);
  }, [seconds]);
  const changeLater = useDebouncedCallback(onChange, 250);
  const change = (value: number | string): void => {
    setTyped(value);
    if (typeof value === 'number') changeLater(value === planned ? undefined : value);
  };
  return (
    <div className="kp-filter">
      <NumberInput
        aria-label="Warm-up cut, seconds"
        prefix="Warm-up cut "
        suffix=" s"
        w={160}
        min={0}
        max={most}
        step={5}
        clampBehavior="strict"
        value={typed}
        onChange={change}
        onFocus={() => {
          typing.current = true;
        }}
        onBlur={() => {
          typing.current = false;
          setTyped(seconds);
        }}
      />
      {seconds === planned ? null : (
        <Button variant="subtle" onClick={() => change(planned)}>
          As planned, {planned} s
        </Button>
      )}
      {proposed === undefined || proposed <= seconds ? null : (
        <Button variant="subtle" title="Every cell had settled by then" onClick={() => change(proposed)}>
          Proposed cut, {formatLevel(proposed)} s
        </Button>
      )}
    </div>
  );
}
