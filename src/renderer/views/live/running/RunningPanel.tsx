import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import {
  areMediansFarApart,
  eventMarks,
  type FactorLevels,
  ladderFactor,
  painterOf,
  timeline,
} from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { namedLevels } from '../../../../shared/model/factor.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { syncSentence } from '../../../../shared/model/result-words.ts';
import {
  ENDED_SESSION,
  type Run,
  type Session,
  type SessionDetail,
  type TimelineEvent,
} from '../../../../shared/model/session.ts';
import { OPEN_RUN } from '../../../../shared/model/states.ts';
import { TOOK } from '../../../../shared/model/step.ts';
import { type Below, Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall, useHostLinks, useLinkStatus } from '../../../client/index.ts';
import { MetricSelect } from '../../../domain/index.ts';
import { EmptyState, Panel, useNow } from '../../../ui/index.ts';
import type { LiveSamples, LiveState } from '../stream/live-store.ts';
import { useMoments } from '../stream/useLive.ts';
import { MetricTiles } from './MetricTiles.tsx';
import { placeWords } from './place-words.ts';
import {
  earlierOfLadder,
  gapOf,
  headlines,
  interruptionOf,
  interruptionWords,
  lacksHead,
  lineWords,
  metricsOf,
  placed,
  plannedNames,
  runningLines,
  settlingWords,
} from './running-lines.ts';

interface RunningProperties {
  detail: SessionDetail;
  /** Primary metric of the tool. */
  primary: string;
  state: LiveState;
  run: Run | undefined;
  /** Lanes below on the same axis. */
  below: Below | undefined;
}

/** Points of a finished run drawn behind the running one. */
const POINTS = 600;

/** The running trial, second by second, over the finished ones of its ladder. */
export function RunningPanel({ detail, primary, state, run, below }: RunningProperties) {
  const tall = useMediaQuery('(min-height: 960px)');
  const result = useCall('results.session', { sessionId: detail.session.id });
  const known = result.data?.factors;
  const factors: readonly FactorLevels[] = useMemo(
    () => known ?? namedLevels(detail.experiment.factors),
    [known, detail.experiment.factors],
  );
  const factor = ladderFactor(factors)?.name;
  const paint = useMemo(() => painterOf(factors), [factors]);
  const { repeats } = detail.session;
  const planned = useMemo(() => plannedNames(factors, factor, repeats), [factors, factor, repeats]);
  const [chosen, setChosen] = useState<string>();
  const samples = useMemo(
    () => [...state.samples.values()].filter((entry) => entry.runId === run?.id),
    [state.samples, run?.id],
  );
  const live = samples.length > 0;
  const columns = samples.flatMap((entry) => Object.keys(entry.columns));
  // A step without samples has one figure, its time, and not the metrics of others.
  const isTimed = primary === TOOK && !live;
  const names = isTimed ? TIMED : metricsOf(primary, live ? columns : (result.data?.metrics ?? []));
  const metric = chosen && names.includes(chosen) ? chosen : (names[0] ?? primary);
  const earlier = useMemo(
    () => (run ? earlierOfLadder(run, [...state.runs.values()], factor) : []),
    [run, state.runs, factor],
  );
  // The stream only delivers the newest seconds of a running trial: earlier ones are in the store.
  const wanted = run && lacksHead(run, samples) ? [...earlier, run] : earlier;
  const stored = useCall(
    'results.series',
    { runIds: wanted.map((entry) => entry.id), metrics: [metric], points: POINTS },
    { enabled: wanted.length > 0, placeholderData: (before) => before },
  );
  const events = useMoments(run, state);
  const { words: interrupted, gap } = useInterruption(run, detail.session.generators, samples, state.lastEventAt);
  const model = useRunningModel(
    { run, earlier, stored: stored.data ?? NONE, samples, metric, factor, paint },
    { events, gap, names: planned },
  );
  const session = state.session ?? detail.session;
  const tiles = useTiles({ live, isTimed, session, step: run?.stepName, primary, names });
  const settling = isTimed
    ? 'This step ends by itself and reports no samples: its time is measured.'
    : run && live && isGoing(run)
      ? settlingWords(run, samples, metric)
      : undefined;

  const places = run && live ? placeWords(run, samples, metric) : '';
  const measured = result.data?.metric === null ? undefined : result.data;
  const syncs = syncWords(tiles ?? [], names, measured);

  if (!run) {
    return (
      <Panel label="Running trial">
        <EmptyState title="No trial has started yet">Live data appears here.</EmptyState>
      </Panel>
    );
  }
  return (
    <Panel label="Running trial">
      <Chart
        model={model}
        height={tall ? 440 : 264}
        zoomable
        below={below}
        title={isGoing(run) ? 'Running trial' : 'Last trial'}
        note={isTimed ? '' : lineWords(earlier.length, detail.session.generators.length, metric, run.lag)}
        controls={
          names.length > 0 && !isTimed ? <MetricSelect metrics={names} metric={metric} onChange={setChosen} /> : null
        }
      >
        {tiles ? (
          <MetricTiles
            names={tiles}
            chosen={metric}
            run={run}
            samples={samples}
            stale={interrupted !== undefined}
            onChoose={setChosen}
          />
        ) : null}
        {places ? <div className="kp-small kp-live-line kp-figures">{places}</div> : null}
        {syncs ? <div className="kp-small">{syncs}</div> : null}
        {tiles ? (
          <div className="kp-small kp-live-line" role="status" data-interrupted={interrupted ? true : undefined}>
            {interrupted ?? settling}
          </div>
        ) : null}
      </Chart>
    </Panel>
  );
}

const NONE: readonly never[] = [];
const TIMED: readonly string[] = [TOOK];

/** Names the fsync that latencies of these tiles exclude. */
const syncWords = (tiles: readonly string[], present: readonly string[], known: SessionResult | undefined) =>
  tiles
    .map((metric) => syncSentence({ metric, metrics: [...present], ...(known?.syncs && { syncs: known.syncs }) }))
    .find((sentence) => sentence !== undefined);

const isGoing = (run: Run): boolean => OPEN_RUN.includes(run.state);

interface TilesData {
  /** Whether values of the running trial have arrived. */
  live: boolean;
  /** Whether the step only has a time. */
  isTimed: boolean;
  session: Session;
  step: string | undefined;
  primary: string;
  names: readonly string[];
}

/**
 * The tiles, each at its position: between two trials of a step the last ones stay, as do those of a metric without a value yet, so that
 * nothing moves. A session that has already ended has none.
 */
function useTiles({ live, isTimed, session, step, primary, names }: TilesData): readonly string[] | undefined {
  // `step` is null for tiles of a session that is opened between two trials: their metrics may be those of any step.
  const [kept, setKept] = useState<{ step: string | undefined | null; places: readonly string[] }>();
  const before = kept?.places ?? [];
  const keep = (next: NonNullable<typeof kept>): readonly string[] => {
    if (next.step !== kept?.step || next.places.join() !== before.join()) setKept(next);
    return next.places;
  };
  if (live) {
    const wanted = headlines(primary, kept?.step === step ? [...names, ...before] : names);
    return keep({ step, places: placed(before, wanted) });
  }
  if (ENDED_SESSION.includes(session.state)) return undefined;
  // Those of the other steps keep their positions.
  if (isTimed) return names;
  if (kept) return before;
  return names.length > 0 ? keep({ step: null, places: headlines(primary, names) }) : [primary];
}

const EVERY_SECOND_MS = 1000;

/** Why the seconds of the running trial do not arrive, in words, and the missing span. */
function useInterruption(
  run: Run | undefined,
  generators: readonly string[],
  samples: readonly LiveSamples[],
  lastEventAt: number | undefined,
): { words?: string; gap?: { from: number; to: number } | undefined } {
  const engineLost = useLinkStatus().state === 'lost';
  const links = useHostLinks();
  const connections = { engineLost, links, generators, lastEventAt };
  const now = useNow(interruptionOf(run, connections, 0) ? EVERY_SECOND_MS : undefined);
  const interruption = interruptionOf(run, connections, now);
  const gap = run && interruption ? gapOf(run, samples, interruption, now) : undefined;
  const { from, to } = gap ?? {};
  const span = useMemo(() => (from === undefined || to === undefined ? undefined : { from, to }), [from, to]);
  return interruption ? { words: interruptionWords(interruption, now), gap: span } : {};
}

/** Additions to the lines; `names`: of all lines that there will be. */
interface Drawn {
  events: readonly TimelineEvent[];
  gap: { from: number; to: number } | undefined;
  names: readonly string[];
}

function useRunningModel(data: Parameters<typeof runningLines>[0], { events, gap, names }: Drawn) {
  const theme = useChartTheme();
  const { run, earlier, stored, samples, metric, factor, paint } = data;
  return useMemo(() => {
    const lines = runningLines({ run, earlier, stored, samples, metric, factor, paint });
    return timeline(
      {
        measure: metricOf(metric),
        lines,
        // Earlier trials decide first: the scale then does not change while a trial begins.
        isLog: areMediansFarApart(lines.filter(({ weight }) => weight !== 'bold')) || areMediansFarApart(lines),
        marks: eventMarks(events, run ? [{ ...run, name: '' }] : []),
        gap,
        names,
        ...(run ? { warmup: run.warmup, length: run.warmup + run.duration } : {}),
      },
      theme,
    );
  }, [run, earlier, stored, samples, metric, factor, paint, events, gap, names, theme]);
}
