import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { monitoredSeries, type RulesOf } from '../monitored/index.ts';
import { LIBRARY_FILE, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { addRuns, libraryOf } from '../store/testing/library.ts';
import { precomputeMonitored } from './index.ts';

const seed = Number(process.env.KNEEPOINT_SEED ?? 200);
const START = 1_700_000_000;
const HOURS = 2;
const OFFSET_MS = 40;

const rule = (id: string, reading: SeriesRule['reading']): SeriesRule => ({
  id,
  label: id,
  unit: '',
  lane: 'own',
  reading,
});
const RULES: readonly SeriesRule[] = [
  rule('reads', { kind: 'rate', of: ['read'] }),
  rule('share', { kind: 'share', of: ['read'], whole: ['read', 'written'] }),
  rule('level', { kind: 'gauge', of: ['level'] }),
];
const rulesOf: RulesOf = () => RULES;
const IDS = RULES.map(({ id }) => id);

let folder: ReturnType<ReturnType<typeof libraryOf>>;
let store: Store;
let sessionId: number;
let sourceId: number;
const libraryWithHost = libraryOf((filled) => {
  const [run = 0] = addRuns(filled);
  sessionId = filled.runs.get(run)?.sessionId ?? 0;
  sourceId = filled.sources.ensure(sessionId, { kind: 'host', name: 'server-1', position: 0 }).id;
  filled.sources.addClock(sourceId, { t: START, offsetMs: OFFSET_MS, errorMs: 1 });
  add(0, 3600 * HOURS, filled);
});
beforeEach(() => open(libraryWithHost));
afterEach(() => close());

function open(library: typeof libraryWithHost): void {
  folder = library();
  store = openStore(folder.path);
}
function close(): void {
  store.close();
  folder.remove();
}

/** Counters of these seconds: some samples are missing, and a counter restarts in the middle. */
function add(first: number, end: number, into = store): void {
  const random = randomFrom(seed + first);
  const grown = { read: 1e6, written: 5e6 };
  const rows = Array.from({ length: end - first }, (_, index) => first + index).flatMap((second) => {
    grown.read = second === 2000 ? 0 : grown.read + Math.floor(100 * random());
    grown.written += Math.floor(1000 * random());
    if (random() < 0.01 || (second > 3000 && second < 3400)) return [];
    return [{ t: START + second + random() / 100, metrics: { ...grown, level: 50 + random() } }];
  });
  into.monitored.ingest({ sourceId, rows });
}

const direct = (of: Store): Store => ({
  ...of,
  summaries: {
    ...of.summaries,
    stamps: ({ metrics }) => metrics.map(() => undefined),
    find: () => undefined,
    keep: () => {},
  },
});

const ask = (of: Store, { from, to, points = 100 }: { from?: number; to?: number; points?: number } = {}) =>
  monitoredSeries(of, { sessionId, wanted: [{ sourceId, ids: IDS }], from, to, points }, rulesOf);

const second = (at: number): number => (START + at) * 1000 + OFFSET_MS;
const RANGES = [{}, { from: second(600) }, { from: second(1800), to: second(6000) }, { to: second(3000), points: 20 }];

/** Counts the samples that are read. */
function counted(of: Store): { store: Store; read: () => number } {
  let count = 0;
  const columns: Store['monitored']['columns'] = (...which) => {
    const answer = of.monitored.columns(...which);
    for (const column of answer.columns.values()) count += column.length;
    return answer;
  };
  return { store: { ...of, monitored: { ...of.monitored, columns } }, read: () => count };
}

describe('stored samples with a wrong checksum', () => {
  const withSum: RulesOf = () => [...RULES, rule('both', { kind: 'rate', of: ['read', 'written'] })];
  const askAll = (points?: number) =>
    monitoredSeries(
      store,
      { sessionId, wanted: [{ sourceId, ids: [...IDS, 'both'] }], ...(points && { points }) },
      withSum,
    );

  it('remove only the values calculated from them, with a message', () => {
    store.monitored.seal(sourceId);
    const [whole, fewOfWhole] = [askAll(), askAll(100)];
    expect(whole.every(({ damaged }) => damaged === undefined)).toBe(true);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    db.exec(
      `UPDATE chunk SET data = zeroblob(length(data)) WHERE first = 1024 AND metric_id = (SELECT id FROM metric WHERE name = 'read')`,
    );
    db.close();
    store = openStore(folder.path);
    const remaining = askAll();
    expect(remaining.map(({ id, damaged }) => [id, damaged])).toEqual([
      ['reads', 1025],
      ['share', 1025],
      ['level', undefined],
      ['both', 1025],
    ]);
    for (const [index, { v, damaged }] of remaining.entries()) {
      const isOut = (at: number) => damaged !== undefined && at >= 1024 && at <= 2048;
      expect(Array.from(v)).toEqual(Array.from(whole[index]?.v ?? [], (value, at) => (isOut(at) ? Number.NaN : value)));
    }
    const few = askAll(100);
    expect(few.map(({ damaged }) => damaged)).toEqual([1025, 1025, undefined, 1025]);
    // With the written bytes alone, each of these stretches would have a value.
    const unknown = (v: Float64Array | undefined) => [...(v ?? [])].filter(Number.isNaN).length;
    expect(unknown(few[3]?.v)).toBeGreaterThan(unknown(fewOfWhole[3]?.v) + 10);
    expect(unknown(few[2]?.v)).toBe(unknown(fewOfWhole[2]?.v));
  });
});

describe(`reduced points of hours of a host (seed ${seed})`, () => {
  it('are bit-identical from samples, when being stored, and from storage', () => {
    store.monitored.seal(sourceId);
    const right = RANGES.map((range) => ask(direct(store), range));
    expect(
      isDeepStrictEqual(
        RANGES.map((range) => ask(store, range)),
        right,
      ),
    ).toBe(true);
    store.close();
    store = openStore(folder.path);
    const { store: watched, read } = counted(store);
    expect(
      isDeepStrictEqual(
        RANGES.map((range) => ask(watched, range)),
        right,
      ),
    ).toBe(true);
    expect(read()).toBe(0);
  });

  it('are means of the samples with minimum and maximum, on our clock', () => {
    store.monitored.seal(sourceId);
    const samples = monitoredSeries(store, { sessionId, wanted: [{ sourceId, ids: IDS }] }, rulesOf);
    ask(store).forEach(({ t, v, low, high, id }, series) => {
      const exact = samples[series];
      expect(id).toBe(exact?.id);
      const known = (exact?.v ?? new Float64Array()).filter((value) => !Number.isNaN(value));
      const shown = v.filter((value) => !Number.isNaN(value));
      expect(Math.min(...(low ?? []).filter((value) => !Number.isNaN(value)))).toBe(Math.fround(Math.min(...known)));
      expect(Math.max(...(high ?? []).filter((value) => !Number.isNaN(value)))).toBe(Math.fround(Math.max(...known)));
      const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(mean(shown) / mean(known)).toBeCloseTo(1, 1);
      expect(t[0]).toBeGreaterThan(second(0));
      expect(t.at(-1)).toBeLessThan(second(3600 * HOURS));
      expect(t.length).toBeLessThanOrEqual(150);
    });
  });

  it('are not read from storage after more samples have arrived', () => {
    store.monitored.seal(sourceId);
    ask(store);
    add(3600 * HOURS, 3600 * HOURS + 1000);
    const open = ask(store);
    expect(isDeepStrictEqual(open, ask(direct(store)))).toBe(true);
    expect(open[0]?.t.at(-1)).toBeGreaterThan(second(3600 * HOURS));
    store.monitored.seal(sourceId);
    expect(isDeepStrictEqual(ask(store), open)).toBe(true);
  });

  it('have a gap if samples are damaged, whatever is stored', () => {
    store.monitored.seal(sourceId);
    const before = ask(store);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    db.exec(`UPDATE chunk SET data = zeroblob(length(data)) WHERE first = 1024
      AND metric_id = (SELECT id FROM metric WHERE name = 'level')`);
    db.close();
    store = openStore(folder.path);
    const after = ask(store);
    expect(isDeepStrictEqual(after, ask(direct(store)))).toBe(true);
    expect(isDeepStrictEqual(after.slice(0, 2), before.slice(0, 2))).toBe(true);
    expect(after[2]?.v.some(Number.isNaN)).toBe(true);
    expect(before[2]?.v.some(Number.isNaN)).toBe(false);
  });

  it('are calculated again if the derivation of a series changes', () => {
    store.monitored.seal(sourceId);
    const [before] = ask(store);
    const other: RulesOf = () =>
      RULES.map((each) => (each.id === 'reads' ? rule('reads', { kind: 'rate', of: ['written'] }) : each));
    const [after] = monitoredSeries(store, { sessionId, wanted: [{ sourceId, ids: IDS }], points: 100 }, other);
    expect((after?.v[0] ?? 0) / (before?.v[0] ?? 1)).toBeGreaterThan(5);
  });
});

describe('precalculation', () => {
  const MORE_HOURS = 5;
  /** Takes all steps, each before requesting the next one. */
  const steps = (): number => {
    let taken = 0;
    for (const step of precomputeMonitored(store, sessionId, rulesOf)) {
      step();
      taken += 1;
    }
    return taken;
  };
  const kept = (): number => {
    const db = new Database(join(folder.path, LIBRARY_FILE), { readonly: true });
    try {
      return db.prepare<[], number>('SELECT count(*) FROM summary').pluck().get() ?? 0;
    } finally {
      db.close();
    }
  };
  beforeEach(() => add(3600 * HOURS, 3600 * MORE_HOURS));

  it('covers the first view, which then reads no samples', () => {
    store.monitored.seal(sourceId);
    const right = ask(direct(store));
    expect(steps()).toBeGreaterThan(0);
    store.close();
    store = openStore(folder.path);
    const { store: watched, read } = counted(store);
    expect(isDeepStrictEqual(ask(watched), right)).toBe(true);
    expect(read()).toBe(0);
  });

  it('may end anywhere, and the first view calculates the rest', () => {
    store.monitored.seal(sourceId);
    const right = ask(direct(store));
    const work = precomputeMonitored(store, sessionId, rulesOf);
    const { value: first } = work.next();
    first?.();
    expect(kept()).toBeGreaterThan(0);
    store.close();
    store = openStore(folder.path);
    expect(isDeepStrictEqual(ask(store), right)).toBe(true);
  });

  it('skips a source that may get more samples', () => {
    expect(steps()).toBe(0);
    expect(kept()).toBe(0);
  });
});

describe('a host with many cores', () => {
  const [CORES, SAMPLES] = [6, 5 * 3600];
  const modes = ['core.*.user', 'core.*.idle'];
  const core = (of: string[], kind: 'share' | 'highest') => ({ kind, of, whole: modes }) as const;
  const CORE_RULES: readonly SeriesRule[] = [
    rule('cpu.busiest_core', core(['core.*.user'], 'highest')),
    rule('core.*.busy', core(['core.*.user'], 'share')),
    rule('core.*.user', { kind: 'rate', of: ['core.*.user'] }),
  ];
  let host: number;
  const libraryWithCores = libraryOf((filled) => {
    const [run = 0] = addRuns(filled);
    sessionId = filled.runs.get(run)?.sessionId ?? 0;
    host = filled.sources.ensure(sessionId, { kind: 'host', name: 'large', position: 0 }).id;
    const random = randomFrom(seed);
    const grown: Record<string, number> = {};
    const rows = Array.from({ length: SAMPLES }, (_, second) => {
      for (let index = 0; index < CORES; index += 1) {
        const busy = Math.floor(100 * random());
        for (const [mode, ticks] of [
          ['user', busy],
          ['idle', 100 - busy],
        ] as const)
          grown[`core.${index}.${mode}`] = (grown[`core.${index}.${mode}`] ?? 0) + ticks;
      }
      return { t: START + second, metrics: { ...grown } };
    });
    filled.monitored.ingest({ sourceId: host, rows });
    filled.monitored.seal(host);
  });
  beforeEach(() => {
    close();
    open(libraryWithCores);
  });
  const asked = (of: Store, ids: string[], points?: number) =>
    monitoredSeries(of, { sessionId, wanted: [{ sourceId: host, ids }], points }, () => CORE_RULES);
  const busyOf = (index: number): string => `core.${index}.busy`;

  it.each([undefined, 100])('is never read completely for its busiest core (points: %s)', (points) => {
    let most = 0;
    const columns: Store['monitored']['columns'] = (id, names, range) => {
      most = Math.max(most, names.length);
      return store.monitored.columns(id, names, range);
    };
    const watched = { ...direct(store), monitored: { ...store.monitored, columns } };
    const [busiest] = asked(watched, ['cpu.busiest_core'], points);
    expect(most).toBe(modes.length);
    const each = asked(
      store,
      Array.from({ length: CORES }, (_, index) => busyOf(index)),
      points,
    );
    const highest = busiest?.high ?? busiest?.v ?? new Float64Array();
    const right = highest.map((_, at) => Math.max(...each.map(({ v, high = v }) => high[at] ?? Number.NaN)));
    expect(highest.length).toBeGreaterThan(50);
    // The first sample has no growth.
    expect(isDeepStrictEqual(highest.slice(1), right.slice(1))).toBe(true);
  });

  it('is precalculated as first shown, without the load of each core', () => {
    for (const step of precomputeMonitored(store, sessionId, () => CORE_RULES)) step();
    const { store: watched, read } = counted(store);
    asked(watched, ['cpu.busiest_core', busyOf(0), busyOf(CORES - 1)], 100);
    expect(read()).toBe(0);
    asked(watched, ['core.0.user'], 100);
    expect(read()).toBeGreaterThan(0);
  });
});
