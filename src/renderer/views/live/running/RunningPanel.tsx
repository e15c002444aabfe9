import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { eventMarks, ladderFactor, painterOf, timeline } from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Run, SessionDetail, TimelineEvent } from '../../../../shared/model/session.ts';
import { OPEN_RUN } from '../../../../shared/model/states.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { MetricSelect } from '../../../domain/index.ts';
import { EmptyState, Panel } from '../../../ui/index.ts';
import type { LiveState } from '../stream/live-store.ts';
import { headlines } from './headlines.ts';
import { earlierOfLadder } from './ladder.ts';
import { MetricTiles } from './MetricTiles.tsx';
import { lacksHead, lineWords, metricsOf, runningLines } from './running-lines.ts';
import { settlingWords } from './settling.ts';

interface RunningProperties {
  detail: SessionDetail;
  state: LiveState;
  run: Run | undefined;
}

/** Points of a finished run drawn behind the running one. */
const POINTS = 600;
const EVENTS_EVERY_MS = 2000;

/** The running trial, second by second, over the finished ones of its ladder. */
export function RunningPanel({ detail, state, run }: RunningProperties) {
  const primary = detail.session.primaryMetric;
  const tall = useMediaQuery('(min-height: 960px)');
  const { factors } = detail.experiment;
  const factor = ladderFactor(factors)?.name;
  const paint = useMemo(() => painterOf(factors), [factors]);
  const [chosen, setChosen] = useState<string>();
  const samples = useMemo(
    () => [...state.samples.values()].filter((entry) => entry.runId === run?.id),
    [state.samples, run?.id],
  );
  const live = samples.length > 0;
  const result = useCall('results.session', { sessionId: detail.session.id });
  const columns = samples.flatMap((entry) => Object.keys(entry.columns));
  const names = metricsOf(primary, live ? columns : (result.data?.metrics ?? []));
  const metric = chosen && names.includes(chosen) ? chosen : (names[0] ?? primary);
  const earlier = useMemo(
    () => (run ? earlierOfLadder(run, [...state.runs.values()], factor) : []),
    [run, state.runs, factor],
  );
  // The stream brings the newest seconds of a running trial only: what came before is in the store.
  const wanted = run && lacksHead(run, samples) ? [...earlier, run] : earlier;
  const stored = useCall(
    'results.series',
    { runIds: wanted.map((entry) => entry.id), metrics: [metric], points: POINTS },
    { enabled: wanted.length > 0, placeholderData: (before) => before },
  );
  const events = useEvents(run, state);
  const model = useRunningModel({ run, earlier, stored: stored.data ?? NONE, samples, metric, factor, paint }, events);

  const settling = run && live && isGoing(run) ? settlingWords(run, samples, metric) : undefined;

  if (!run) {
    return (
      <Panel title="Running trial">
        <EmptyState title="No trial has started yet">Its seconds appear here as they arrive.</EmptyState>
      </Panel>
    );
  }
  return (
    <Panel label="Running trial">
      <Chart
        model={model}
        height={tall ? 440 : 264}
        zoomable
        title={isGoing(run) ? 'Running trial' : 'Last trial'}
        note={lineWords(earlier.length, detail.session.generators.length, metric, run.lag)}
        controls={names.length > 0 ? <MetricSelect metrics={names} metric={metric} onChange={setChosen} /> : null}
      >
        {live ? (
          <MetricTiles
            names={headlines(primary, names)}
            chosen={metric}
            run={run}
            samples={samples}
            onChoose={setChosen}
          />
        ) : null}
        {settling === undefined ? null : <div className="kp-small">{settling}</div>}
      </Chart>
    </Panel>
  );
}

const NONE: readonly never[] = [];

const isGoing = (run: Run): boolean => OPEN_RUN.includes(run.state);

/** What is to be marked: the stream brings notes and alerts, other moments of the run are asked for while it goes on. */
function useEvents(run: Run | undefined, { marked }: LiveState): readonly TimelineEvent[] {
  const moments = useCall(
    'sessions.events',
    { id: run?.sessionId ?? 0, kinds: ['warm-up-end', 'checkpoint'], runIds: run ? [run.id] : [] },
    { enabled: run !== undefined, staleTime: 0, refetchInterval: run && isGoing(run) ? EVENTS_EVERY_MS : false },
  ).data;
  return useMemo(() => [...marked, ...(moments ?? [])], [marked, moments]);
}

function useRunningModel(data: Parameters<typeof runningLines>[0], events: readonly TimelineEvent[]) {
  const theme = useChartTheme();
  const { run, earlier, stored, samples, metric, factor, paint } = data;
  return useMemo(
    () =>
      timeline(
        {
          measure: metricOf(metric),
          lines: runningLines({ run, earlier, stored, samples, metric, factor, paint }),
          marks: eventMarks(events, run ? [{ ...run, name: '' }] : []),
          ...(run ? { warmup: run.warmup, length: run.warmup + run.duration } : {}),
        },
        theme,
      ),
    [run, earlier, stored, samples, metric, factor, paint, events, theme],
  );
}
