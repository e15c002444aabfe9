import { SegmentedControl, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  type CpuGrouping,
  cpuBars,
  cpuBarsHeight,
  cpuOfCells,
  cpuPanels,
  latencyCurve,
  loadFactor,
  partsOf,
  scalingCurve,
  spansDecades,
} from '../../../../shared/chart-models/index.ts';
import { latenciesOf } from '../../../../shared/metrics/first-look.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { CellResult, SessionResult } from '../../../../shared/model/result.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { MetricSelect } from '../../../domain/index.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../../ui/index.ts';
import { passes, type ResultsState, runsOfCell, type TabProperties, useChoice } from '../useResults.ts';
import { ScalingSentences, useLogChoice } from './curve-choices.tsx';
import { OperationsPanel } from './judgement/OperationsPanel.tsx';

/** Effects of more load: latency against throughput, and throughput per unit of load. */
export function EfficiencyTab({ detail, result, state }: TabProperties) {
  // The page may show a latency: it is then plotted against the tool's primary metric.
  const higher = metricOf(result.metric).better === 'higher';
  const rates = useResult(state, higher ? result.metric : (detail.session.primaryMetric ?? result.metric));
  const latencies = latenciesOf(result.metrics);
  if (rates.error) return <ProblemBanner problem={rates.error.problem} />;
  if (!rates.data) return <BlockSkeleton height={420} />;
  if (loadFactor(rates.data) === undefined) {
    return (
      <>
        <CpuPanel state={state} result={result} />
        <OperationsPanel state={state} cells={result.cells} />
        <Panel>
          <EmptyState title="No load factor">
            Needs two or more levels of a load factor (threads, clients, queue depth, rate).
          </EmptyState>
        </Panel>
      </>
    );
  }
  return (
    <>
      <ScalingSentences result={rates.data} filter={state.filter} />
      {latencies.length > 0 ? <Latency state={state} rates={rates.data} latencies={latencies} /> : null}
      <Scaling state={state} rates={rates.data} />
      <CpuPanel state={state} result={rates.data} />
      <OperationsPanel state={state} cells={result.cells} />
    </>
  );
}

/** With more points, boxes would overlap: they are drawn on demand. */
const MOST_BOXES = 32;

function useResult({ id, warmup }: ResultsState, metric: string) {
  const { data, error } = useCall(
    'results.session',
    { sessionId: id, metric, ...(warmup === undefined ? {} : { warmup }) },
    { placeholderData: (before) => (before?.sessionId === id ? before : undefined) },
  );
  return { error, data: data && data.metric !== null ? data : undefined };
}

interface Properties {
  state: ResultsState;
  rates: SessionResult;
}

function Latency({ state, rates, latencies }: Properties & { latencies: readonly string[] }) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const [chosen, setChosen] = useChoice('latency');
  const metric = latencies.find((id) => id === chosen) ?? latencies[0] ?? '';
  const latency = useResult(state, metric);
  const cells = latency.data?.cells.filter((cell) => passes(cell.levels, state.filter)) ?? [];
  const parts = cells.flatMap(partsOf);
  const { asked, control } = useLogChoice(
    'axis',
    spansDecades([...cells, ...parts].flatMap(({ value }) => value ?? [])),
  );
  const [withBoxes, setWithBoxes] = useChoice('boxes');
  const isFew = cells.length <= MOST_BOXES;
  const boxes = withBoxes === undefined ? isFew : withBoxes === 'shown';
  const model = useMemo(() => {
    const shown = (cell: CellResult): boolean => passes(cell.levels, state.filter);
    return latency.data && latencyCurve(rates, latency.data, theme, shown, { axis: asked, boxes });
  }, [rates, latency.data, theme, state.filter, asked, boxes]);
  const hasKnee = rates.scaling?.some(({ knee }) => knee.load !== undefined);
  if (latency.error) return <ProblemBanner problem={latency.error.problem} />;
  if (!model) return <BlockSkeleton height={400} />;
  return (
    <Panel label="Latency against throughput">
      <Chart
        model={model}
        height={400}
        zoomable
        title="Latency against throughput"
        note={`${hasKnee ? 'ringed: the knee, where throughput stops rising; ' : ''}◆ power point: best throughput ÷ latency${parts.length > 0 ? '; one line per generator because latencies cannot be combined' : ''}`}
        onCell={(cell) => go(runsOfCell(state, cell))}
        controls={
          <>
            <Switch
              label="Boxes"
              checked={boxes}
              onChange={({ currentTarget: { checked } }) =>
                setWithBoxes(checked === isFew ? undefined : checked ? 'shown' : 'none')
              }
            />
            {control}
            <MetricSelect metrics={latencies} metric={metric} onChange={setChosen} />
          </>
        }
      />
    </Panel>
  );
}

function Scaling({ state, rates }: Properties) {
  const theme = useChartTheme();
  const model = useMemo(
    () => scalingCurve(rates, theme, (cell) => passes(cell.levels, state.filter)),
    [rates, theme, state.filter],
  );
  return (
    <Panel label="Scaling">
      <Chart model={model} height={320} zoomable title="Scaling" note="100 % = linear scaling" />
    </Panel>
  );
}

/** Maximum height of the picture in pixels; more panels scroll. */
const MOST_HEIGHT = 640;

/** CPU use of generators, servers and other hosts, cell by cell; renders nothing if no host was watched. */
function CpuPanel({ state, result }: { state: ResultsState; result: SessionResult }) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const { warmup, filter } = state;
  const [asked, setAsked] = useChoice('cpu');
  const by: CpuGrouping = asked === 'host' ? 'host' : 'role';
  // The table below makes the same call and shows its error.
  const { data } = useCall('results.judgements', { sessionId: state.id, ...(warmup === undefined ? {} : { warmup }) });
  const { cells, factors } = result;
  const drawn = useMemo(() => {
    const shown = cells.filter(({ levels }) => passes(levels, filter));
    const uses = cpuOfCells(shown, data ?? []);
    const chart = { panels: cpuPanels(uses, by), cells: shown, factors };
    const hosts = chart.panels.reduce((count, panel) => count + panel.hosts.length, 0);
    const isShared = by === 'host' || hosts > chart.panels.length;
    return { model: cpuBars(chart, theme), height: cpuBarsHeight(chart), count: chart.panels.length, isShared };
  }, [data, cells, factors, filter, by, theme]);
  if (drawn.count === 0) return null;
  return (
    <Panel label="CPU of the hosts">
      <Chart
        model={drawn.model}
        height={Math.min(MOST_HEIGHT, drawn.height)}
        pictureHeight={drawn.height}
        title="CPU of the hosts"
        note="cores in use, mean of the measured seconds of the complete runs; red line: all cores"
        onCell={(cell) => go(runsOfCell(state, cell))}
        controls={
          drawn.isShared ? (
            <SegmentedControl
              size="xs"
              aria-label="Group hosts"
              data={[
                { value: 'role', label: 'By role' },
                { value: 'host', label: 'Each host' },
              ]}
              value={by}
              onChange={(value) => setAsked(value === 'host' ? value : undefined)}
            />
          ) : null
        }
      />
    </Panel>
  );
}
