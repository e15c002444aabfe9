import { SegmentedControl, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { latencyLadders, metricOf, progressMetrics } from '../../../../shared/metrics/index.ts';
import { stepLengths } from '../../../../shared/model/experiment.ts';
import { TOOK } from '../../../../shared/model/step.ts';
import { withinSentence } from '../../../../shared/util/format.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../../ui/index.ts';
import { type TabProperties, useChoice } from '../useResults.ts';
import { EventsPanel } from './EventsPanel.tsx';
import { SteadinessPanel } from './SteadinessPanel.tsx';
import { HeatMap } from './timeline/HeatMap.tsx';
import { Percentiles } from './timeline/Percentiles.tsx';
import { useShownRuns } from './timeline/shown-runs.ts';
import { CellLines, RunLines, SmallMultiples } from './timeline/views.tsx';

/** With more runs their lines would cover each other. */
const MOST_LINES = 12;

const VIEWS = [
  { value: 'heat', label: 'Heat map' },
  { value: 'lines', label: 'Lines' },
  { value: 'panels', label: 'Small multiples' },
  { value: 'percentiles', label: 'Percentiles' },
] as const;

const TIME = 'time';

/** Every run over its own time, or along its progress, all starting at 0. */
export function TimelineTab({ detail, result, state }: TabProperties) {
  const tall = useMediaQuery('(min-height: 960px)');
  const lengths = stepLengths(detail.experiment)[result.step ?? 0] ?? detail.experiment.measure;
  const { warmup: planned, duration } = lengths;
  const { shown, asked, problem } = useShownRuns(state, result);
  const { runs } = shown;
  const ways = progressMetrics(result.metrics).filter((metric) => metric !== result.metric);
  const [along, setAlong] = useChoice('along');
  const way = ways.find((metric) => metric === along);
  const [chosen, setChosen] = useChoice('view');
  const isMany = runs.length > MOST_LINES;
  const fitting = isMany ? 'heat' : 'lines';
  const view = way ? 'lines' : (VIEWS.find(({ value }) => value === chosen)?.value ?? fitting);
  const height = tall ? 640 : 440;

  if (problem) return <ProblemBanner problem={problem} />;
  if (result.metric === TOOK)
    return (
      <>
        <Panel>
          <EmptyState title="No timeline for this step">
            The step reports no samples: only its time is measured. Choose a step that generates load.
          </EmptyState>
        </Panel>
        <EventsPanel sessionId={state.id} events={shown.events} runs={shown.all} />
      </>
    );
  if (!asked) return <BlockSkeleton height={height + 60} words="Reading runs" />;
  if (runs.length === 0) {
    return (
      <Panel>
        <EmptyState title="No samples for this selection">No run with these levels has samples.</EmptyState>
      </Panel>
    );
  }
  const offered = VIEWS.filter(({ value }) =>
    value === 'percentiles' ? latencyLadders(result.metrics).size > 0 : runs.length > 1 || value === 'lines',
  );
  const View =
    view === 'percentiles'
      ? Percentiles
      : view === 'heat'
        ? HeatMap
        : view === 'panels'
          ? SmallMultiples
          : isMany && !way
            ? CellLines
            : RunLines;
  return (
    <>
      <Panel label="Timeline">
        {/* Each view is a separate chart: nothing of one remains in another. */}
        <View
          key={view}
          {...{ result, shown, height, way }}
          cut={{
            label: 'Warm-up cut',
            at: state.warmup ?? planned,
            most: planned + duration - 1,
            onChange: (at) => state.setWarmup(at === planned ? undefined : at),
          }}
          controls={
            <>
              {ways.length > 0 ? <WaySelect ways={ways} way={way} onChange={setAlong} /> : null}
              {offered.length > 1 ? (
                <SegmentedControl
                  aria-label="View"
                  data={offered.map((each) => ({ ...each, disabled: way !== undefined && each.value !== 'lines' }))}
                  value={view}
                  onChange={(value) => setChosen(value === fitting ? undefined : value)}
                />
              ) : null}
            </>
          }
        />
      </Panel>
      <SteadinessPanel result={result} filter={state.filter} />
      <EventsPanel sessionId={state.id} events={shown.events} runs={shown.all} />
    </>
  );
}

const WaySelect = ({
  ways,
  way,
  onChange,
}: {
  ways: readonly string[];
  way: string | undefined;
  onChange(way: string): void;
}) => (
  <Select
    aria-label="Along the axis"
    w={260}
    allowDeselect={false}
    data={[
      { value: TIME, label: 'against time' },
      ...ways.map((id) => ({ value: id, label: `against ${withinSentence(metricOf(id).label)}` })),
    ]}
    value={way ?? TIME}
    onChange={(value) => onChange(value ?? TIME)}
  />
);
