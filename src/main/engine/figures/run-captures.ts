import { operationWord } from '../../../shared/analysis/index.ts';
import { compareCounters, differenceOf, type KeptFact, profilesIn } from '../../../shared/captures/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { CapturedTable, ComparedCounters, CounterDifference } from '../../../shared/model/capture.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import type { RunRow, Store } from '../store/store.ts';

/** Counter differences stored for a run, in document order. Only those with both a start and an end. */
export function runDifferences(store: Store, run: RunRow): CounterDifference[] {
  const kept = store.captures.ofRun(run.id).filter(({ as }) => as === 'difference');
  const names = [...new Set(kept.map(({ name }) => name))];
  const captures = store.sessions.snapshot(run.sessionId).experiment.captures ?? [];
  const operations = operationsOf(store, run);
  return names.flatMap((name) => {
    const own = kept.filter((each) => each.name === name);
    const [start, end] = [own.find(({ moment }) => moment === 'start'), own.findLast(({ moment }) => moment === 'end')];
    if (!start || !end) return [];
    const [before, after] = [tableOf(store, start.id), tableOf(store, end.id)];
    if (!before || !after) return [];
    const isCut = start.left !== undefined || end.left !== undefined;
    const { notes, ...difference } = differenceOf(before, after, captures.find((each) => each.name === name) ?? {});
    return [
      {
        ...{ runId: run.id, name, ...difference, seconds: (end.at - start.at) / 1000 },
        ...(operations && { operations }),
        notes: [...(isCut ? ['The table had more rows than the storage limit.'] : []), ...notes],
      },
    ];
  });
}

/**
 * A number from a stored table or difference of a run, the last one with this name. With several rows, the one whose first key or column is
 * `row`.
 */
export function capturedNumber(
  store: Store,
  run: RunRow,
  name: string,
  column: string,
  row?: string,
): number | undefined {
  const kept = store.captures.ofRun(run.id).filter((each) => each.name === name);
  const last = kept.findLast(({ as, problem }) => (as === 'table' || as === 'fact') && problem === undefined);
  const found = last ? tableOf(store, last.id) : undefined;
  if (found) return numberIn(found.columns.indexOf(column), found.rows, row);
  if (!kept.some(({ as }) => as === 'difference')) return undefined;
  const grown = runDifferences(store, run).find((each) => each.name === name);
  const place = grown?.counters.indexOf(column) ?? -1;
  if (!grown || place < 0) return undefined;
  return numberIn(
    1,
    grown.rows.map(({ key, grew }) => [key[0] ?? '', grew[place] ?? null]),
    row,
  );
}

/** Facts stored for these runs, in the order they were taken. Damaged ones are left out. */
export const keptFacts = (store: Store, runs: readonly RunRow[]): KeptFact[] =>
  runs.flatMap((run) =>
    store.captures
      .ofRun(run.id)
      .filter(({ as, bytes }) => as === 'fact' && bytes > 0)
      .flatMap(({ id, name: capture }) =>
        (tableOf(store, id)?.rows ?? []).map(([name, value]) => ({
          capture,
          ...{ name: String(name ?? ''), value: String(value ?? '') },
        })),
      ),
  );

function numberIn(
  place: number,
  rows: readonly (readonly (string | number | null)[])[],
  row: string | undefined,
): number | undefined {
  const own = row === undefined ? rows : rows.filter(([first]) => String(first ?? 'NULL') === row);
  const value = own.length === 1 ? own[0]?.[place] : undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Undefined if the table is damaged, which is reported when it is opened. */
function tableOf(store: Store, id: number): CapturedTable | undefined {
  try {
    return store.captures.content(id).table;
  } catch (error) {
    if (problemOf(error).code !== 'store-corrupt') throw error;
    return undefined;
  }
}

/** Operations of a run's tool from its first second on, warm-up included, because a difference spans all of it. */
function operationsOf(store: Store, run: RunRow): CounterDifference['operations'] {
  const step = store.sessions.snapshot(run.sessionId).steps[run.step];
  const metric = step?.toolMetric ?? step?.metric;
  if (!metric) return undefined;
  const { statistic, better, label } = metricOf(metric);
  if (statistic !== 'rate' || better !== 'higher') return undefined;
  const printed = store.samples
    .readable(run.id, metric)
    .series.reduce(
      (sum, { t, v }) => sum + v.reduce((all, rate, i) => all + rate * ((t[i] ?? 0) - (t[i - 1] ?? 0)), 0),
      0,
    );
  // The tool's final report includes the last partial second. Printed rates have few digits, and operations are integers.
  const counted = run.summary[`${label.toLowerCase()}_total`] ?? 0;
  const count = Math.max(counted, Math.round(printed));
  return count > 0 ? { count, word: operationWord(metric) } : undefined;
}

/** One entry for each name that both groups of runs have. */
export function comparedCaptures(store: Store, one: readonly RunRow[], other: readonly RunRow[]): ComparedCounters[] {
  const [ofOne, ofOther] = [one, other].map((runs) =>
    runs.flatMap((run) => [...runDifferences(store, run), ...profilesIn(run)]),
  );
  const names = new Set(ofOne?.map(({ name }) => name));
  return [...names].flatMap((name) => {
    const named = (all: readonly CounterDifference[] = []) => all.filter((each) => each.name === name);
    return compareCounters(named(ofOne), named(ofOther)) ?? [];
  });
}
