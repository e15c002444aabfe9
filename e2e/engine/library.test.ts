import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { AppContract } from '../../src/shared/contract/index.ts';
import { metricOf } from '../../src/shared/metrics/index.ts';
import type { Session } from '../../src/shared/model/session.ts';
import type { Client } from '../../src/shared/rpc/define.ts';
import { atDepth } from '../../src/shared/util/testing/depth.ts';
import { type Answers, ask, openLibrary, storedAnswers } from './library/answers.ts';
import type { TestEngine } from './testing/engine.ts';

/** Fields that answers may have beyond those of the version that wrote the library. Nothing else may differ. */
const ADDED: ReadonlySet<string> = new Set([
  'kind',
  'left',
  'trials',
  'resolution',
  'basis',
  'margin',
  'load',
  'scaling',
  'steadiness',
  'proposedCut',
  'findings',
  'trialsMissing',
  'value',
  'range',
  'stalls',
  'littleLatency',
  'runFigures',
  'failures',
  'warmup',
  'experiment',
  'curves',
  'confidence',
  'errors',
  'p25',
  'p75',
  'overall',
  'more',
  'later',
  'idleMs',
  'idleSince',
  'excluded',
  'memory',
]);

/** Conclusions that are drawn otherwise now. What was measured is compared all the same. */
const JUDGED_ANEW: readonly { path: RegExp; why: string }[] = [
  {
    path: /^\.(costs\.ofSession|reports\.make json) \d+\.(bytes\.cost\.)?result\.items\[\d+\]\.how/,
    why: 'The same price in other words: per hour instead of an hour.',
  },
  {
    path: /^\.costs\.valueForMoney/,
    why: 'One ranking went over tps and ops/s; each metric has its own now. Its rows are compared below.',
  },
  {
    path: /^\.reports\.make json \d+\.bytes\.cost\.value\.rows/,
    why: 'The same rows: a cell that has only runs that ended early is not ranked, and errors stand beside the others.',
  },
  {
    path: /^\.results\.compare 27 \d+\.(verdict|cells)/,
    why: 'No second was measured behind the cut, so nothing was said; the figures that the tool reported of the runs are told now.',
  },
  {
    path: /^\.results\.session \d+ without warm-up\.(cells\[\d+\]\.(means|interval)|best\.value)/,
    why: 'Without a cut the tool has counted what was measured itself: its rate is taken, and no mean of seconds.',
  },
  {
    path: /^\.reports\.make json \d+\.bytes\.results\[\d+\]\.(cells\[\d+\]\.(means|interval)|best\.value)/,
    why: 'Percentiles, maxima and mean latencies were means of seconds. The seconds themselves are compared, and the means of rates in the CSV.',
  },
  {
    path: /^\.(results\.compare|reports\.make json \d+ with \d+\.bytes\.comparison).*\.cells\[\d+\]\.sentence$/,
    why: 'It names the errors of both sides now, and figures of runs that failed or ended early. Ratios, intervals and verdicts are compared.',
  },
  {
    path: /^\.(results\.compare|reports\.make json \d+ with \d+\.bytes\.comparison)[^.]*\.findings/,
    why: 'Compared sessions are asked for more that makes them unlike: errors, server, workload, data, warm-up, durability.',
  },
];

/** The points of the line in a list have five digits now. */
const rounded = (path: string, value: unknown): unknown =>
  typeof value === 'number' && /\.sparkline\[\d+\]$/.test(path) ? Number(value.toPrecision(5)) : value;

/** The third and fourth column of every second, trial and cell, are new; the rest of the line is compared. */
const withoutAdded = (path: string, value: unknown): unknown =>
  typeof value === 'string' && /^\.reports\.make csv \d+\.bytes\[\d+\]$/.test(path)
    ? value.replace(/^([^,]+,[^,]+),[^,]+,[^,]+/, '$1')
    : value;

/** Where an answer is not what it was: the path, what was stored, what was answered. */
function* differences(stored: unknown, answered: unknown, path: string): Generator<string> {
  if (JUDGED_ANEW.some((judged) => judged.path.test(path))) return;
  if (isNewlyKnown(stored, path)) return;
  if (CELL_LINES.test(path) && String(stored).startsWith('session,cell,')) {
    yield* differences(
      cellLines(stored as string[]),
      cellLines(answered as string[], stored as string[]),
      `${path} by cell`,
    );
    return;
  }
  if (COMPARED_HOSTS.test(path) && Array.isArray(answered) && answered.some(isDiskSize)) {
    yield* differences(
      stored,
      answered.filter((entry) => !isDiskSize(entry)),
      path,
    );
    return;
  }
  if (Array.isArray(stored) && Array.isArray(answered)) {
    // Figures of whole runs stand behind those that have seconds.
    if (RESULTS_OF_REPORT.test(path)) answered.length = Math.min(answered.length, stored.length);
    if (stored.length !== answered.length) yield `${path}: ${stored.length} entries became ${answered.length}`;
    for (const [index, entry] of stored.entries()) yield* differences(entry, answered[index], `${path}[${index}]`);
    return;
  }
  if (isRecord(stored) && isRecord(answered)) {
    for (const key of new Set([...Object.keys(stored), ...Object.keys(answered)])) {
      if (!Object.hasOwn(stored, key) && ADDED.has(key)) continue;
      // A metric that is neither good nor bad has no best cell any more.
      if (key === 'best' && isNeither(stored.metric ?? stored.primaryMetric) && answered[key] === undefined) continue;
      yield* differences(stored[key], answered[key], `${path}.${key}`);
    }
    return;
  }
  if (!Object.is(rounded(path, stored), withoutAdded(path, answered)))
    yield `${path}: ${JSON.stringify(stored)} became ${JSON.stringify(answered)}`;
}

/** Of runs without a second behind the cut, what the tool reported of them is told now; nothing was. */
const isNewlyKnown = (stored: unknown, path: string): boolean =>
  (stored === null || stored === undefined || (Array.isArray(stored) && stored.length === 0)) &&
  /\.(sparkline\[\d+\]|best|means|interval)$/.test(path);

/** Sizes of disks are among what differs between two hosts now. */
const COMPARED_HOSTS = /^\.(results\.compare|reports\.make json \d+ with \d+\.bytes\.comparison)[^.]*\.differences$/;
const isDiskSize = (entry: unknown): boolean => isRecord(entry) && /\bdisk \S+ size$/.test(String(entry.what));

const CELL_LINES = /\.reports\.make csv-cells [^.]*\.bytes$/;
const RESULTS_OF_REPORT = /\.reports\.make json [^.]*\.bytes\.results$/;
/** Columns that are empty now where a mean, or its interval, says nothing: of percentiles and maxima. */
const OF_MEANS = ['mean', 'interval_low', 'interval_high'];
/** Columns that are filled now from what the tool reported, where no second was measured. */
const OF_RUNS = ['runs', ...OF_MEANS];

/** Lines of a CSV of cells by cell and metric: columns and lines that `like` has, as later versions have more. */
function cellLines(lines: readonly string[], like = lines): Record<string, Record<string, string>> {
  const rows = (from: readonly string[]): Record<string, string>[] => {
    const [head = [], ...rest] = from.map((line) => line.replace('\r', '').split(','));
    return rest
      .filter(({ length }) => length > 1)
      .map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
  };
  const keyOf = (row: Record<string, string>): string => `cell ${row.cell} ${row.metric}`;
  const known = new Map(rows(like).map((row) => [keyOf(row), row]));
  return Object.fromEntries(
    rows(lines).flatMap((row): [string, Record<string, string>][] => {
      const wanted = known.get(keyOf(row));
      if (!wanted) return [];
      const left = wanted.seconds === '0' ? OF_RUNS : /_(p\d+|max)_ms$/.test(row.metric ?? '') ? OF_MEANS : [];
      const names = Object.keys(wanted).filter((name) => !left.includes(name));
      return [[keyOf(row), Object.fromEntries(names.map((name) => [name, row[name] ?? '']))]];
    }),
  );
}

const isNeither = (metric: unknown): boolean => typeof metric === 'string' && metricOf(metric).better === 'neither';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const different = (stored: Answers, answered: Answers): string[] => [...differences(stored, answered, '')].slice(0, 40);

let engine: TestEngine;
const stored = storedAnswers();
beforeAll(async () => {
  engine = await openLibrary();
});
afterAll(() => engine?.close());

describe('a library that an earlier version wrote', () => {
  it('answers as it did then, also when it is opened again', { timeout: 300_000 }, async () => {
    expect(Object.keys(stored).length).toBeGreaterThan(1000);
    /** Of every so many sessions; `least`: answers. */
    const compare = async (each: number, least: number): Promise<void> => {
      const answers = await ask(engine.client, each);
      expect(Object.keys(answers).length).toBeGreaterThan(least);
      const before = each === 1 ? stored : Object.fromEntries(Object.keys(answers).map((name) => [name, stored[name]]));
      expectSame('answers that differ', different(before, answers), []);
    };
    await compare(atDepth(1, 4), atDepth(1000, 250));
    await engine.restart({ resumeSessions: false });
    await compare(8, 150);
  });

  it('ranks work per money for each metric by itself, with the figures of then', async () => {
    const { client } = engine;
    const ids = (await client.sessions.list({})).map(({ id }) => id);
    const { scales, left } = await client.costs.valueForMoney({ sessionIds: ids, perCell: true });
    const before = (stored['costs.valueForMoney'] as { rows: { sessionId: number; cell: number; percent: number }[] })
      .rows;
    expect(before.length).toBeGreaterThan(10);
    const rows = scales.flatMap((scale) => scale.rows.map((row) => ({ ...row, of: scale.rows, metric: scale.metric })));
    for (const { percent, ...row } of before) {
      const now = rows.find(({ sessionId, cell }) => sessionId === row.sessionId && cell === row.cell);
      if (!now) {
        // Only cells whose runs all ended early have lost their rank.
        const { cells } = await client.results.session({ sessionId: row.sessionId });
        expect(cells.find(({ cell }) => cell === row.cell)?.partial).toBe(true);
        expect(left).toContainEqual(
          expect.objectContaining({ sessionId: row.sessionId, why: 'Its runs ended early.' }),
        );
        continue;
      }
      expect(now).toMatchObject(row);
      expect(now.percent).toBeCloseTo(
        (100 * (now?.operationsPerDollar ?? 0)) /
          Math.max(...(now?.of ?? []).map((other) => other.operationsPerDollar)),
        9,
      );
      expect(now.metric).toBe((await client.sessions.get({ id: row.sessionId })).session.primaryMetric);
    }
    expect(new Set(scales.map(({ metric }) => metric)).size).toBe(scales.length);
    expect(scales.length).toBeGreaterThan(1);
    expect(left.every(({ why }) => why !== '')).toBe(true);
  });

  it('prices the figures of the cut that is asked for', async () => {
    const { client } = engine;
    const priced = (await client.sessions.list({})).filter(({ state, costPerHour }) => state === 'done' && costPerHour);
    let different = 0;
    for (const { id } of priced) {
      const planned = await client.costs.valueForMoney({ sessionIds: [id], perCell: true });
      const warmup = (await client.results.session({ sessionId: id })).warmup + 1;
      const { cells } = await client.results.session({ sessionId: id, warmup });
      const { scales } = await client.costs.valueForMoney({ sessionIds: [id], perCell: true, warmup });
      for (const { cell, rate } of scales.flatMap(({ rows }) => rows)) {
        expect(rate).toBe(cells.find((found) => found.cell === cell)?.value);
        if (rate !== planned.scales[0]?.rows.find((row) => row.cell === cell)?.rate) different += 1;
      }
    }
    expect(different).toBeGreaterThan(0);
  });

  it('exports the figures of the cut that is asked for', async () => {
    const { client } = engine;
    const [priced] = (await client.sessions.list({})).filter(
      ({ state, costPerHour }) => state === 'done' && costPerHour,
    );
    const sessionId = priced?.id ?? 0;
    const warmup = (await client.results.session({ sessionId })).warmup + 1;
    const result = await client.results.session({ sessionId, warmup });
    const made = async (format: 'csv' | 'csv-cells' | 'json', cut: { warmup?: number } = { warmup }): Promise<string> =>
      new TextDecoder().decode((await client.reports.make({ sessionId, format, ...cut })).bytes);
    const rows = (csv: string): string[][] =>
      csv
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
    const [head = [], ...cells] = rows(await made('csv-cells'));
    const means = cells.filter((row) => row[head.indexOf('metric')] === result.metric);
    expect(means.map((row) => Number(row[head.indexOf('value')]))).toEqual(result.cells.map(({ value }) => value ?? 0));
    const measured = (csv: string): number => {
      const [names = [], ...seconds] = rows(csv);
      return seconds.filter((row) => row[names.indexOf('measured')] === 'true').length;
    };
    expect(measured(await made('csv'))).toBeLessThan(measured(await made('csv', {})));
    const json = JSON.parse(await made('json'));
    expect(json.cut).toBe(warmup);
    expect(json.results[0]).toEqual(JSON.parse(JSON.stringify(result)));
    const { scales } = await client.costs.valueForMoney({ sessionIds: [sessionId], perCell: true, warmup });
    expect(json.cost.value.rows).toEqual(JSON.parse(JSON.stringify(scales[0]?.rows)));
    expect(json.cost.value.rows.length).toBeGreaterThan(0);
  });

  it('has sessions of every tool in every state', async () => {
    const { client } = engine;
    const sessions = await all(client);
    const tools = ['sysbench', 'ycsb', 'fio', 'pgbench', 'queries', 'command', 'embedded'];
    for (const tool of tools) {
      const own = sessions.filter((session) => session.tool === tool);
      const states = new Set(own.map(({ state }) => state));
      // What an app that was killed left under way is shown as interrupted.
      expect([...states].sort()).toEqual(['done', 'failed', 'interrupted', 'paused', 'stopped']);
      const runs = (await Promise.all(own.map(({ id }) => client.sessions.runs({ id })))).flat();
      expect([...new Set(runs.map(({ state }) => state))].sort()).toEqual([
        'done',
        'failed',
        'launching',
        'lost',
        'pending',
        'running',
        'skipped',
        'stopped',
      ]);
    }
  });

  it('continues with the sessions that were interrupted and paused, to their end', async () => {
    const { client } = engine;
    // The paused one can continue only when nobody else may be running on this computer.
    for (const [name, became] of [
      ['embedded, interrupted', ['done', 'lost', 'done', 'done']],
      ['embedded, paused', ['done', 'done', 'done', 'done']],
    ] as const) {
      const { id } = (await all(client)).find((session) => session.name === name) as Session;
      const before = await client.sessions.runs({ id });
      await client.sessions.resume({ id });
      for await (const _ of client.sessions.watch({ id }));
      const { session } = await client.sessions.get({ id });
      expect(session).toMatchObject({ state: 'done', trialsEnded: 4 });
      const after = await client.sessions.runs({ id });
      expect(after.map(({ state }) => state)).toEqual(became);
      expectSame('the run that had ended', after[0], before[0]);
      expect(after[2]?.summary.operations_total ?? after[2]?.seconds).toBeGreaterThan(0);
    }
  });

  it('is the same after that, but for those two', async () => {
    await engine.restart({ resumeSessions: false });
    const { client } = engine;
    for (const { id } of (await all(client)).filter(({ tool }) => tool !== 'embedded')) {
      const answers = different({ '': stored[`sessions.get ${id}`] }, { '': await detailOf(client, id) });
      expectSame('answers that differ', answers, []);
    }
  });
});

const all = async (client: Client<AppContract>): Promise<Session[]> => [
  ...(await client.sessions.list({})),
  ...(await client.sessions.list({ archived: true })),
];

const detailOf = async (client: Client<AppContract>, id: number): Promise<unknown> =>
  JSON.parse(JSON.stringify(await client.sessions.get({ id })));
