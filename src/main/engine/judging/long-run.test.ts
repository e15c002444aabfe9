import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunEvidence, valuesIn } from '../../../shared/analysis/index.ts';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import { atDepth } from '../../../shared/util/testing/depth.ts';
import { storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import type { RunRow, Store } from '../store/store.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { readEvidence } from './evidence.ts';
import { judging } from './judgement.ts';
import { atOnce } from './testing/at-once.ts';

const START = 1_700_000_000;
const HOURS_S = 36_000;
const HOSTS = 3;
const COUNTERS = atDepth(200, 50);
/** Values read at once: they include times, and counters that are limits. */
const MOST_AT_ONCE = 400_000;

const rules: readonly SeriesRule[] = [
  {
    id: 'figure.*',
    label: 'Figure',
    unit: '',
    lane: 'own',
    reading: { kind: 'rate', of: ['figure.*'] },
  },
];
const facts = { hosts: [], load: [] };

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** A run of this many seconds whose hosts have counters that were not stored; and the reads, call by call. */
function watchedFor(seconds: number): { many: Store; run: RunRow; reads: { names: number; rows: number }[] } {
  const tps = Array.from({ length: 20 }, () => 100);
  const cell = { cell: 0, seconds: [{ tps }], startedAt: START * 1000, started: [START * 1000] };
  const [stored] = store.runs.ofSession(storeSession(store, [{ index: 0, levels: {} }], [cell]));
  if (!stored) throw new Error('There is no run.');
  for (let position = 0; position < HOSTS; position += 1)
    store.sources.ensure(stored.sessionId, { kind: 'host', name: `db${position}`, position });
  const ended = { startedAt: START * 1000, endedAt: (START + seconds) * 1000 };
  const run = store.runs.update(stored.id, { state: 'done', duration: seconds - stored.warmup, ...ended });
  const t = Float64Array.from({ length: seconds }, (_, index) => START + index + 1);
  const counter = t.map((at) => 7 * at);
  const names = Array.from({ length: COUNTERS }, (_, index) => `figure.${index}`);
  const reads: { names: number; rows: number }[] = [];
  const monitored: Store['monitored'] = {
    ...store.monitored,
    names: () => names,
    extent: () => ({ samples: seconds, from: START + 1, to: START + seconds }),
    columns: (_source, wanted) => {
      reads.push({ names: wanted.length, rows: seconds });
      return { t, columns: new Map(wanted.map((name) => [name, counter])), damaged: [] };
    },
  };
  return { many: { ...store, monitored }, run, reads };
}
const seriesOf = ({ hosts }: RunEvidence) => hosts.flatMap(({ series }) => series);

it('all series of a source share their times', () => {
  const { many, run } = watchedFor(600);
  const evidence = atOnce(readEvidence(many, run, { facts, rulesOf: () => rules }));
  for (const { series } of evidence?.hosts ?? []) {
    expect(series).toHaveLength(COUNTERS);
    expect(new Set(series.map(({ t }) => t)).size).toBe(1);
    expect(series[0]?.v).toHaveLength(600);
  }
});

it('a run of hours is read in parts, each counter once, keeping only means of intervals', () => {
  const { many, run, reads } = watchedFor(HOURS_S);
  const evidence = atOnce(readEvidence(many, run, { facts, rulesOf: () => rules }));
  if (!evidence) throw new Error('There is no evidence.');
  expect(seriesOf(evidence)).toHaveLength(HOSTS * COUNTERS);
  expect(Math.max(...reads.map(({ names, rows }) => (names + 1) * rows))).toBeLessThan(MOST_AT_ONCE);
  expect(reads.reduce((sum, { names }) => sum + names, 0)).toBe(HOSTS * COUNTERS);
  // All sources share one list of times.
  expect(new Set(seriesOf(evidence).map(({ t }) => t)).size).toBe(1);
  for (const { v } of seriesOf(evidence)) expect(v.length).toBeLessThanOrEqual(1800);
  expect(seriesOf(evidence).every((series) => valuesIn(series, evidence.window).every((value) => value === 7))).toBe(
    true,
  );
});

it('judging can stop after each of many steps without holding the library open', () => {
  const { many, run, reads } = watchedFor(HOURS_S);
  let steps = 0;
  let most = 0;
  for (const work = judging(many, run, { facts, rulesOf: () => rules }); ; steps += 1) {
    const before = reads.length;
    if (work.next().done) break;
    most = Math.max(most, reads.length - before);
    store.runs.update(run.id, { message: `Written after step ${steps}.` });
  }
  // Limits, times and the first series of a source.
  expect(most).toBeLessThanOrEqual(3);
  expect(steps).toBeGreaterThan((HOSTS * COUNTERS) / 10);
});
