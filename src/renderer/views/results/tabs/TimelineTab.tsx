import { Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import {
  along,
  cellBands,
  eventMarks,
  MARKED_KINDS,
  painterOf,
  steadyMarks,
  type TimelineLine,
  timeline,
} from '../../../../shared/chart-models/index.ts';
import { metricOf, progressMetrics } from '../../../../shared/metrics/index.ts';
import { ALL_GENERATORS, type SeriesData, type SessionResult } from '../../../../shared/model/result.ts';
import { EACH_GENERATOR, generatorWords } from '../../../../shared/model/result-words.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { formatCount, formatLevels } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../../ui/index.ts';
import { passes, type TabProperties, useChoice } from '../useResults.ts';
import { EventsPanel } from './EventsPanel.tsx';

/** Runs asked for at once. */
const MOST_RUNS = 300;
/** Beyond this many runs their lines would cover each other: each cell is one line with its range. */
const MOST_LINES = 12;
const POINTS = 1200;
/** Samples up to which every second is asked for; thinned ones keep the range, but not the median. */
const MOST_SAMPLES = 400_000;
const MOST_EVENTS = 2000;
const NO_RUNS: readonly Run[] = [];
const NO_SERIES: readonly SeriesData[] = [];

const TIME = 'time';

/** Every run over its own time, or along what it brought about by then, all starting at 0. */
export function TimelineTab({ detail, result, state }: TabProperties) {
  const theme = useChartTheme();
  const tall = useMediaQuery('(min-height: 960px)');
  const { warmup: planned, duration } = detail.experiment.measure;
  const query = useCall('sessions.runs', { id: state.id });
  const all = query.data ?? NO_RUNS;
  const fitting = all.filter((run) => run.seconds > 0 && passes(run.levels, state.filter));
  const runs = fitting.slice(0, MOST_RUNS);
  const ways = progressMetrics(result.metrics).filter((metric) => metric !== result.metric);
  const [chosen, setChosen] = useChoice('along');
  const way = ways.find((metric) => metric === chosen);
  const asBands = runs.length > MOST_LINES && way === undefined;
  const isWhole = asBands && runs.reduce((sum, run) => sum + run.seconds, 0) <= MOST_SAMPLES;
  const series = useCall(
    'results.series',
    {
      runIds: runs.map((run) => run.id),
      metrics: way ? [result.metric, way] : [result.metric],
      ...(!isWhole && { points: POINTS }),
    },
    { enabled: runs.length > 0, placeholderData: (before) => before },
  );
  const events = useCall(
    'sessions.events',
    { id: state.id, kinds: [...MARKED_KINDS], runIds: runs.map((run) => run.id), limit: MOST_EVENTS },
    { enabled: runs.length > 0, placeholderData: (before) => before },
  ).data;
  const data = series.data ?? NO_SERIES;
  const model = useMemo(() => {
    const drawn = all.filter((run) => data.some(({ runId }) => runId === run.id));
    const noticed = eventMarks(
      events ?? [],
      drawn.map((run) => ({ ...run, name: nameOf(run) })),
    );
    const cells = new Set(drawn.map(({ cell }) => cell));
    const marks = [...noticed, ...steadyMarks(result, ({ cell }) => cells.has(cell))];
    const drawnLines = linesOf(data, all, { factors: result.factors, metric: result.metric }, way);
    const lines = asBands ? cellBands(drawnLines.filter(({ weight }) => weight !== 'part')) : drawnLines;
    const namedAtEnd =
      new Set(lines.map(({ name }) => name)).size > 1 && lines.every(({ weight }) => weight !== 'part');
    const axis = way === undefined ? undefined : metricOf(way);
    return timeline(
      {
        measure: metricOf(result.metric),
        lines,
        namedAtEnd: asBands && namedAtEnd,
        along: axis,
        warmup: result.warmup,
        marks,
      },
      theme,
    );
  }, [data, all, events, result, way, asBands, theme]);

  const problem = (query.error ?? series.error)?.problem;
  if (problem) return <ProblemBanner problem={problem} />;
  if (query.data && runs.length === 0) {
    return (
      <Panel>
        <EmptyState title="No seconds to draw">No run of these levels has stored a sample.</EmptyState>
      </Panel>
    );
  }
  if (!series.data) return <BlockSkeleton height={tall ? 700 : 500} />;
  return (
    <>
      <Panel label="Timeline">
        <Chart
          model={model}
          height={tall ? 640 : 440}
          zoomable
          title="Timeline"
          note={noteOf(fitting.length, runs.length, asBands && (isWhole ? 'whole' : 'thinned'))}
          {...(way === undefined && {
            cut: {
              label: 'Warm-up cut',
              at: state.warmup ?? planned,
              most: planned + duration - 1,
              onChange: (at: number) => state.setWarmup(at === planned ? undefined : at),
            },
          })}
          controls={ways.length > 0 ? <WaySelect ways={ways} way={way} onChange={setChosen} /> : null}
        />
      </Panel>
      <EventsPanel events={events ?? []} runs={all} />
    </>
  );
}

const levelsOf = (run: Run): string => formatLevels(run.levels) || 'the only cell';
const nameOf = (run: Run): string => `${levelsOf(run)}, repeat ${run.repeat + 1}`;

/** A line for each run, or for each generator of it; over its own time, or along another metric of it. */
function linesOf(
  data: readonly SeriesData[],
  runs: readonly Run[],
  { factors, metric }: Pick<SessionResult, 'factors' | 'metric'>,
  way: string | undefined,
): TimelineLine[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const paint = painterOf(factors);
  const wholes = new Set(data.filter(({ generator }) => generator === ALL_GENERATORS).map(({ runId }) => runId));
  const progressOf = (runId: number, generator: number) => {
    const known = data.filter((entry) => entry.runId === runId && entry.metric === way);
    return (
      known.find((entry) => entry.generator === ALL_GENERATORS) ?? known.find((entry) => entry.generator === generator)
    );
  };
  return data.flatMap((entry): TimelineLine[] => {
    const run = byId.get(entry.runId);
    if (!run || entry.metric !== metric) return [];
    const progress = way && progressOf(entry.runId, entry.generator);
    if (way && !progress) return [];
    const { t, v } = progress ? along(entry, progress) : entry;
    const name = levelsOf(run);
    const several = data.some(({ runId, generator }) => runId === run.id && generator > 0);
    const generator = generatorWords(entry.generator, several);
    const beside = entry.generator !== ALL_GENERATORS && wholes.has(run.id);
    return [
      {
        key: `run ${run.id}/${entry.generator}`,
        name: beside ? EACH_GENERATOR : name,
        weight: beside ? 'part' : 'normal',
        label: `${nameOf(run)}${generator}`,
        ...paint(run.levels),
        t,
        v,
      },
    ];
  });
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
      ...ways.map((id) => ({ value: id, label: `against ${metricOf(id).label.toLowerCase()}` })),
    ]}
    value={way ?? TIME}
    onChange={(value) => onChange(value ?? TIME)}
  />
);

const noteOf = (fitting: number, shown: number, bands: 'whole' | 'thinned' | false): string =>
  bands === false
    ? linesNote(fitting, shown)
    : [
        fitting > shown ? `the first ${shown} of ${formatCount(fitting, 'run')}` : formatCount(shown, 'run'),
        `line: median of a cell${bands === 'thinned' ? ', of thinned samples' : ''}`,
        'band: smallest to largest second of its runs',
      ].join('; ');

const linesNote = (fitting: number, shown: number): string =>
  fitting > shown
    ? `the first ${MOST_RUNS} of ${formatCount(fitting, 'run')}; choose levels above for others`
    : `${formatCount(shown, 'run')}; hues as in the load curve, deeper along it; repeats of a cell look the same`;
