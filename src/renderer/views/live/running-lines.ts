import type { Painter, TimelineLine } from '../../../shared/charts/index.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import { generatorWords } from '../../../shared/model/result-words.ts';
import type { LogEntry, Run } from '../../../shared/model/session.ts';
import { formatLevel } from '../../../shared/util/format.ts';
import type { LiveSamples } from './live-store.ts';

/** Tools report their first second a little late. */
const FIRST_SECONDS = 2;

/** What the live chart draws from. */
interface RunningData {
  run: Run | undefined;
  earlier: readonly Run[];
  /** From the store: finished runs, and the run itself when it has ended. */
  stored: readonly SeriesData[];
  /** From the stream: the run that is going on. */
  samples: readonly LiveSamples[];
  metric: string;
  factor: string | undefined;
  paint: Painter;
}

/** Within a ladder only its own level and the repeat tell runs apart. */
const wordsOf = (run: Run, factor: string | undefined, generator: string): Pick<TimelineLine, 'name' | 'label'> => {
  const repeat = `repeat ${run.repeat + 1}`;
  const name = factor ? `${factor} ${formatLevel(run.levels[factor])}` : repeat;
  return { name, label: `${factor ? `${name}, ${repeat}` : name}${generator}` };
};

/** The run bold over the earlier ones of its ladder. */
export function runningLines({ run, earlier, stored, samples, metric, factor, paint }: RunningData): TimelineLine[] {
  const byId = new Map([...earlier, ...(run ? [run] : [])].map((entry) => [entry.id, entry]));
  const past = stored.flatMap((series): TimelineLine[] => {
    const of = byId.get(series.runId);
    if (!of || series.metric !== metric || (of === run && samples.length > 0)) return [];
    const key = `run ${of.id}/${series.generator}`;
    const weight = of === run ? 'bold' : 'thin';
    const several = stored.some((other) => other.runId === of.id && other.generator > 0);
    const words = wordsOf(of, factor, generatorWords(series.generator, several));
    return [{ key, ...words, ...paint(of.levels), t: series.t, v: series.v, weight }];
  });
  const now = samples.flatMap((entry): TimelineLine[] => {
    const v = entry.columns[metric];
    if (!v || !run) return [];
    const head = stored.find(
      (series) => series.runId === run.id && series.generator === entry.generator && series.metric === metric,
    );
    const generator = generatorWords(entry.generator, samples.length > 1);
    const key = `run ${run.id}/${entry.generator}`;
    const line = joined(head, { t: entry.t, v });
    return [{ key, ...wordsOf(run, factor, generator), ...paint(run.levels), ...line, weight: 'bold' }];
  });
  return [...past, ...now];
}

/** What the lines of the chart are, where it is not one line of one run. */
export const lineWords = (earlier: number, generators: number): string =>
  [earlier > 0 && 'over earlier ones', generators > 1 && 'one line per generator'].filter(Boolean).join(' · ');

interface Points {
  t: Float64Array;
  v: Float64Array;
}

/** What the store has from before the first second that the stream brought, then the stream's. */
function joined(head: Points | undefined, live: Points): Points {
  const from = live.t[0] ?? 0;
  const count = head ? head.t.filter((second) => second < from).length : 0;
  if (!head || count === 0) return live;
  const join = (before: Float64Array, after: Float64Array): Float64Array => {
    const all = new Float64Array(count + after.length);
    all.set(before.subarray(0, count));
    all.set(after, count);
    return all;
  };
  return { t: join(head.t, live.t), v: join(head.v, live.v) };
}

/** Whether the stream brought less than the run has: it begins with the newest seconds only. */
export const lacksHead = (run: Run, samples: readonly LiveSamples[]): boolean =>
  run.seconds > 0 && (samples.length === 0 || samples.some((entry) => (entry.t[0] ?? 0) > FIRST_SECONDS));

/** Metrics there are, the primary one first. */
export const metricsOf = (primary: string, present: readonly string[]): string[] =>
  [...new Set([primary, ...present])].filter((name) => present.includes(name));

/** Notes made while the run was going on, at its own seconds. */
export const marksOf = (log: readonly LogEntry[], run: Run | undefined): { at: number; label: string }[] => {
  const from = run?.startedAt;
  if (from === undefined) return [];
  return log
    .filter((entry) => entry.level === 'note' && entry.at >= from && entry.at <= (run?.endedAt ?? entry.at))
    .map((entry) => ({ at: Math.round((entry.at - from) / 1000), label: entry.message }));
};
