import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { AppContract } from '../../src/shared/contract/index.ts';
import { metricOf } from '../../src/shared/metrics/index.ts';
import type { Run, RunState, Session, SessionState } from '../../src/shared/model/session.ts';
import type { Client } from '../../src/shared/rpc/define.ts';
import { atDepth, byDay } from '../../src/shared/util/testing/depth.ts';
import { readCsv } from '../pages/lanes.ts';
import { type Answers, ask, type Fixture, openLibrary, storedAnswers } from './library/answers.ts';
import type { TestEngine } from './testing/engine.ts';

/** A library of an earlier version, and how today's responses may differ from that version's. */
interface Written extends Fixture {
  /** Fields that responses may have beyond those of the version that wrote it. Nothing else may differ. */
  readonly added: ReadonlySet<string>;
  /** Conclusions whose rules have changed. Measurements are still compared. */
  readonly rejudged: readonly { path: RegExp; why: string }[];
  /** The parts of both that are compared. Default: all. */
  readonly compared?: (
    stored: unknown,
    answered: unknown,
    path: string,
  ) => readonly [stored: unknown, answered: unknown];
  /** States of its sessions and of their trials, by tool. */
  readonly holds: Readonly<Record<string, { sessions: readonly SessionState[]; trials: readonly RunState[] }>>;
  /**
   * Sessions that had not ended, and the states of their trials once they have continued. A paused one can continue only when none may be running.
   */
  readonly continued: readonly (readonly [name: string, became: readonly RunState[]])[];
}

/** The points of a list's line have five digits now. */
const rounded = (path: string, value: unknown): unknown =>
  typeof value === 'number' && /\.sparkline\[\d+\]$/.test(path) ? Number(value.toPrecision(5)) : value;

/** The third and fourth column, of every second, trial and cell, are new; the rest of the line is compared. */
const withoutAdded = (path: string, value: unknown): unknown =>
  typeof value === 'string' && /^\.reports\.make csv \d+\.bytes\[\d+\]$/.test(path)
    ? value.replace(/^([^,]+,[^,]+),[^,]+,[^,]+/, '$1')
    : value;

/** For runs without a second after the cut, the tool's own report is now returned; before, nothing was. */
const isNewlyKnown = (stored: unknown, path: string): boolean =>
  (stored === null || stored === undefined || (Array.isArray(stored) && stored.length === 0)) &&
  /\.(sparkline\[\d+\]|best|means|interval)$/.test(path);

/** The differences between two hosts now include sizes of disks. */
const COMPARED_HOSTS = /^\.(results\.compare|reports\.make json \d+ with \d+\.bytes\.comparison)[^.]*\.differences$/;
const isDiskSize = (entry: unknown): boolean => isRecord(entry) && /\bdisk \S+ size$/.test(String(entry.what));

const CELL_LINES = /\.reports\.make csv-cells [^.]*\.bytes$/;
const PDF_LINES = /^\.reports\.make pdf [^.]*\.bytes$/;
const OLD_WORDS =
  /^Cell {2}Baseline \(|^What bounds the cells$|^No difference between .* can be told|More repeats would narrow that\.$|^Result(?:, |$)|^(?:Generators|Target) {2}|^Where {2}What {2}|^(?:Findings|What could not be watched|warm-up|Set for the runs)$|^(?:Lives on|Started|Watched) {2}|^Cell {2}Bound by {2}|●|^×[\d.]+(?: +×[\d.]+)+$/;
/** Without a table of queries that equal transactions; names of axes, and their labels, which now end where whiskers do. */
const OLD_PICTURES = /^Queries(?:, | \(qps\)$)|^Cell {2}.*\(qps\)|^[\d.,]+$|\(less is better\)$/;
/** Texts of several words, which may change between versions; their figures may not. */
const SENTENCES =
  /\.(verdict|sentence|sentences\[\d+\]|label|message|next|evidence|why|how|formula|text|value_from)$|^\.reports\.make csv-cells /;
/** The next step of an inconclusive comparison: repeats to add if their number cannot be known. */
const NEXT_STEP = /(?:More than )?[\d,]+ (?:more|further) repeats[^.]*\.|Add [\d,]+ repeats[^.]*\./g;
/** Cells are no longer named by levels that all of them have. */
const NAMED_CELL = /^[^:]+: (?=(?:cannot tell|unclear) whether throughput )/;
/** Figures from 1,000 on now have no decimals. */
const withoutDecimals = (text: string): string =>
  text.replace(/\d{1,3}(?:,\d{3})+\.\d+/g, (figure) =>
    Math.round(Number(figure.replaceAll(',', ''))).toLocaleString('en-US'),
  );
/** Columns are as wide as their figures. */
const oneSpace = (line: string): string => line.replace(/ +/g, ' ');
const figuresIn = (text: string): string =>
  [
    ...withoutDecimals(text)
      .replaceAll(NEXT_STEP, '')
      .replace(NAMED_CELL, '')
      .matchAll(/\d(?:[\d.,]*\d)?/g),
  ]
    .map(([figure]) => figure)
    .sort()
    .join(' ');
/** A line of prose in a PDF, which wraps differently when its words change: its sentence is compared in the responses and the JSON. */
const isProse = (line: string): boolean =>
  /[a-z)\d%]\.$/.test(line) || (line.match(/(?:^|\s)\p{Ll}{2,}(?=[\s.,:;]|$)/gu) ?? []).length >= 5;
const RESULTS_OF_REPORT = /\.reports\.make json [^.]*\.bytes\.results$/;
/** Columns that are now empty if a mean, or its interval, is meaningless: for percentiles and maxima. */
const OF_MEANS = ['mean', 'interval_low', 'interval_high'];
/** Columns now filled from the tool's report if no second was measured. */
const OF_RUNS = ['runs', ...OF_MEANS];

/** Lines of a CSV of cells by cell and metric: only columns and lines that `like` has, as later versions have more. */
function cellLines(lines: readonly string[], like = lines): Record<string, Record<string, string>> {
  const rows = (from: readonly string[]) => readCsv(from.map((line) => line.replace('\r', '')).join('\r\n'));
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

/** The interval of a difference that was found, or excluded, but that went beyond it: it now ends at ×1, or at the margin of 3 %. */
const nowEndsWhereShown = (stored: unknown, answered: unknown, path: string): boolean => {
  const isLow = /low$/.test(path);
  if (/(?:_|\.interval\.)(?:low|high)$/.test(path))
    return (
      [1, isLow ? 1 / 1.03 : 1.03].some((end) => Math.abs(Number(answered) - end) < 1e-9) &&
      Number(stored) < Number(answered) === isLow
    );
  return (
    /\.sentence$/.test(path) &&
    /interval −.* to \+/.test(String(stored)) &&
    /interval (?:0 % to|−2\.9 % to|.* to \+3\.0 %)/.test(String(answered))
  );
};

const isNeither = (metric: unknown): boolean => typeof metric === 'string' && metricOf(metric).better === 'neither';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cells, or pairs of them, by their numbers, whatever order they are listed in. */
const byCell = (cells: readonly unknown[]): readonly unknown[] => {
  const numbersOf = (cell: unknown): string =>
    isRecord(cell) ? [cell, cell.baseline, cell.other].map((each) => (isRecord(each) ? each.cell : '')).join(' ') : '';
  return cells.toSorted((one, other) => numbersOf(one).localeCompare(numbersOf(other)));
};

/** Fields of responses added since the newest of the libraries was written. */
const ADDED: ReadonlySet<string> = new Set([
  ...['connections.made', 'caveats', 'answer', 'ratios', 'tested', 'interval'],
  ...['overTime', 'system', 'repeats', 'measuredOn', 'notOn', 'durability', 'limitedBy'],
]);

/** As version 0.1.0 wrote it, before sessions had their own columns and tables. */
const FIRST: Written = {
  folder: 'schema-4',
  more: false,
  added: new Set([
    ...ADDED,
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
  ]),
  rejudged: [
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
  ],
  compared(stored, answered, path) {
    if (isNewlyKnown(stored, path)) return [stored, stored];
    if (CELL_LINES.test(path) && String(stored).startsWith('session,cell,'))
      return [cellLines(stored as string[]), cellLines(answered as string[], stored as string[])];
    if (COMPARED_HOSTS.test(path) && Array.isArray(answered))
      return [stored, answered.filter((entry) => !isDiskSize(entry))];
    // Figures of whole runs follow those that have seconds.
    if (RESULTS_OF_REPORT.test(path) && Array.isArray(stored) && Array.isArray(answered))
      return [stored, answered.slice(0, stored.length)];
    // A metric without a better direction has no best cell any more.
    if (
      isRecord(stored) &&
      isRecord(answered) &&
      answered.best === undefined &&
      isNeither(stored.metric ?? stored.primaryMetric)
    ) {
      const { best: _, ...rest } = stored;
      return [rest, answered];
    }
    return [rounded(path, stored), withoutAdded(path, answered)];
  },
  holds: Object.fromEntries(
    ['sysbench', 'ycsb', 'fio', 'pgbench', 'queries', 'command', 'embedded'].map((tool) => [
      tool,
      {
        // A killed app leaves sessions under way, which are shown as interrupted.
        sessions: ['done', 'failed', 'interrupted', 'paused', 'stopped'],
        trials: ['done', 'failed', 'launching', 'lost', 'pending', 'running', 'skipped', 'stopped'],
      },
    ]),
  ),
  continued: [
    ['embedded, interrupted', ['done', 'lost', 'done', 'done']],
    ['embedded, paused', ['done', 'done', 'done', 'done']],
  ],
};

const DONE = { sessions: ['done'], trials: ['done'] } as const;

/** Before the steps of cells were stored with a session. */
const BEFORE_STEPS: Written = {
  folder: 'schema-21',
  more: true,
  added: ADDED,
  rejudged: [
    {
      path: /^\.(results\.judgements|reports\.make json) \d+(\.bytes\.monitored\.judgements)?\[\d+\]\.version$/,
      why: 'The number of the rules that judged it.',
    },
    {
      path: /^\.results\.raw \d+ \w+\.problem\.(safe|details)/,
      why: 'Damaged output is named by generator, stream and bytes, and no more by the row that holds it.',
    },
    {
      path: /^\.(?:results\.session|reports\.make json) .*\.findings\[\d+\]\.message$/,
      why: 'A cell that is not steady is named without levels that all cells have.',
    },
    {
      path: /\.crossings\[\d+\]\.(?:verdict|sentence)$/,
      why: 'Levels are better only where the verdict of their ratio says so.',
    },
  ],
  // A factor under test now always has a baseline: CSV has columns for it, PDF a section, and the answer is worded by it.
  // The facts on the first page have versions, and its picture has no heading.
  // Cells are in the order of their levels.
  compared(stored, answered, path) {
    if (path.endsWith('.cells') && Array.isArray(stored) && Array.isArray(answered))
      return [byCell(stored), byCell(answered)];
    if (CELL_LINES.test(path) && String(stored).startsWith('session,cell,'))
      return [cellLines(stored as string[]), cellLines(answered as string[], stored as string[])];
    if (PDF_LINES.test(path) && Array.isArray(stored) && Array.isArray(answered)) {
      const kept: string[] = stored
        .filter((line: string) => !OLD_WORDS.test(line) && !OLD_PICTURES.test(line) && !isProse(line))
        .map((line: string) => oneSpace(withoutDecimals(line)));
      // Ends of intervals beyond the axis are next to the names of their bars.
      const lines = new Set(answered.map(oneSpace).flatMap((line) => [line, line.replace(/(?: ×[\d.]+)+$/, '')]));
      // Bars are named without levels that all cells have, and without the factor that the title names.
      const isFound = (line: string): boolean =>
        [line, line.replace(/^synchronous /, ''), ...line.split(' · ')].some((part) => lines.has(part));
      return [kept, kept.filter(isFound)];
    }
    return [stored, answered];
  },
  holds: {
    sysbench: DONE,
    pgbench: DONE,
    queries: DONE,
    observation: DONE,
    command: { sessions: ['done'], trials: ['done', 'failed'] },
    embedded: {
      sessions: ['done', 'interrupted', 'paused', 'stopped'],
      trials: ['done', 'pending', 'running', 'skipped', 'stopped'],
    },
  },
  continued: byDay<Written['continued'][number]>(
    [
      ['embedded, interrupted', ['done', 'lost', 'done', 'done']],
      ['embedded, paused', ['done', 'done', 'done', 'done', 'done', 'done']],
      ['embedded, grown and paused', ['done', 'done', 'done', 'done', 'done', 'done', 'done', 'done']],
    ],
    (_, index) => index < 1,
  ),
};

/** The metric of a tool that only watches was an empty text, and the series of all generators together had the number -1. */
const withoutSentinel = (stored: unknown, path: string): unknown =>
  (stored === '' && /\.(primaryM|m)etric$/.test(path)) || (stored === -1 && path.endsWith('.generator'))
    ? null
    : stored;

/** Differences between responses: the path, the stored value, the current value. */
function* differences(written: Written, before: unknown, now: unknown, path = ''): Generator<string> {
  if (written.rejudged.some((judged) => judged.path.test(path))) return;
  const [stored, answered] = written.compared?.(before, now, path) ?? [before, now];
  if (Array.isArray(stored) && Array.isArray(answered)) {
    if (stored.length !== answered.length) {
      yield `${path}: ${stored.length} entries became ${answered.length}`;
      // For a text only the lines that one of them lacks: all later ones are shifted.
      if (typeof stored[0] === 'string') {
        for (const line of stored.filter((each) => !answered.includes(each))) yield `${path}: gone: ${line}`;
        for (const line of answered.filter((each) => !stored.includes(each))) yield `${path}: new: ${line}`;
        return;
      }
    }
    for (const [index, entry] of stored.entries())
      yield* differences(written, entry, answered[index], `${path}[${index}]`);
    return;
  }
  if (isRecord(stored) && isRecord(answered)) {
    for (const key of new Set([...Object.keys(stored), ...Object.keys(answered)])) {
      if (!Object.hasOwn(stored, key) && written.added.has(key)) continue;
      yield* differences(written, stored[key], answered[key], `${path}.${key}`);
    }
    return;
  }
  if (
    typeof stored === 'string' &&
    typeof answered === 'string' &&
    SENTENCES.test(path) &&
    stored.includes(' ') &&
    figuresIn(stored) === figuresIn(answered)
  )
    return;
  if (nowEndsWhereShown(stored, answered, path)) return;
  if (!Object.is(withoutSentinel(stored, path), answered))
    yield `${path}: ${JSON.stringify(stored)} became ${JSON.stringify(answered)}`;
}

const different = (written: Written, stored: Answers, answered: Answers): string[] =>
  [...differences(written, stored, answered)].slice(0, 40);

describe.each([FIRST, BEFORE_STEPS])('a library of $folder', (written) => {
  let engine: TestEngine;
  const stored = storedAnswers(written);
  beforeAll(async () => {
    engine = await openLibrary(written);
  });
  afterAll(() => engine?.close());

  it('returns the stored responses, also after it is opened again', async () => {
    if (written.more) await judgedByPresentRules(engine);
    const count = Object.keys(stored).length;
    expect(count).toBeGreaterThan(200);
    /** Compares one in `each` sessions. */
    const compare = async (each: number): Promise<void> => {
      const answers = await ask(engine.client, written, each);
      expect(Object.keys(answers).length).toBeGreaterThan(count / each / 2);
      const before = each === 1 ? stored : Object.fromEntries(Object.keys(answers).map((name) => [name, stored[name]]));
      expectSame('answers that differ', different(written, before, answers), []);
    };
    await compare(atDepth(1, 4));
    await engine.restart({ resumeSessions: false });
    await compare(8);
  });

  it('prices the figures of the requested warm-up cut', async () => {
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

  it('exports the figures of the requested warm-up cut', async () => {
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

  it('contains sessions of every tool, and trials in every state', async () => {
    const { client } = engine;
    const states = <State>(of: readonly { state: State }[]): State[] =>
      [...new Set(of.map(({ state }) => state))].sort();
    const sessions = Map.groupBy(await all(client), ({ tool }) => tool);
    for (const [tool, own] of sessions) {
      const runs = await Promise.all(own.map(({ id }) => client.sessions.runs({ id })));
      expect({ sessions: states(own), trials: states(runs.flat()) }, tool).toEqual(written.holds[tool]);
    }
    expect([...sessions.keys()].sort()).toEqual(Object.keys(written.holds).sort());
  });

  it('resumes interrupted and paused sessions to their end', async () => {
    const { client } = engine;
    for (const [name, became] of written.continued) {
      const { id } = (await all(client)).find((session) => session.name === name) as Session;
      const before = await client.sessions.runs({ id });
      const { cells } = await client.results.session({ sessionId: id });
      await client.sessions.resume({ id });
      for await (const _ of client.sessions.watch({ id }));
      const { session } = await client.sessions.get({ id });
      expect(session).toMatchObject({ state: 'done', trialsEnded: became.length });
      const after = await client.sessions.runs({ id });
      expect(after.map(({ state }) => state)).toEqual(became);
      for (const [index, run] of before.entries()) {
        if (run.state === 'done') expectSame(`trial ${index} of “${name}”, which had ended`, after[index], run);
        const { cell, levels, repeat, warmup, duration } = run;
        expect(after[index]).toMatchObject({ cell, levels, repeat, warmup, duration });
        const earlier = before.find((other) => other.cell === cell && other.state === 'done');
        if (earlier) expect(optionsOf(after[index])).toEqual(optionsOf(earlier));
        if (run.state === 'pending')
          expect(after[index]?.summary.operations_total ?? after[index]?.seconds).toBeGreaterThan(0);
      }
      const ofCell = (cell: number): number[] => after.filter((run) => run.cell === cell).map((run) => run.id);
      const now = (await client.results.session({ sessionId: id })).cells;
      expect(now.map(({ cell, levels, runs }) => ({ cell, levels, runs: runs.map(({ runId }) => runId) }))).toEqual(
        cells.map(({ cell, levels }) => ({ cell, levels, runs: ofCell(cell) })),
      );
    }
  });

  it('is otherwise unchanged afterwards', async () => {
    await engine.restart({ resumeSessions: false });
    const { client } = engine;
    for (const { id } of (await all(client)).filter(({ tool }) => tool !== 'embedded')) {
      const answers = different(written, { '': stored[`sessions.get ${id}`] }, { '': await detailOf(client, id) });
      expectSame('answers that differ', answers, []);
    }
  });

  if (written === FIRST)
    it('ranks work per money separately for each metric, with the original figures', async () => {
      const { client } = engine;
      const ids = (await client.sessions.list({})).map(({ id }) => id);
      const { scales, left } = await client.costs.valueForMoney({ sessionIds: ids, perCell: true });
      const before = (stored['costs.valueForMoney'] as { rows: { sessionId: number; cell: number; percent: number }[] })
        .rows;
      expect(before.length).toBeGreaterThan(10);
      const rows = scales.flatMap((scale) =>
        scale.rows.map((row) => ({ ...row, of: scale.rows, metric: scale.metric })),
      );
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
});

/** The tool's options, except its random values. */
const optionsOf = (run: Run | undefined): string[] => run?.command?.match(/--(?!seed=)\S+/g) ?? [];

/**
 * Resolves when no trial is judged by the rules of an earlier version any more: after a start an engine gradually judges those again, except those
 * of a session that was under way.
 */
async function judgedByPresentRules({ client, dataDir }: TestEngine): Promise<void> {
  const judgements = await Promise.all(
    (await all(client)).map(({ id }) => client.results.judgements({ sessionId: id })),
  );
  const version = judgements.flat()[0]?.version;
  expect(version).toBeGreaterThan(0);
  const db = new Database(path.join(dataDir, 'library.db'), { readonly: true });
  const left = db
    .prepare(
      `SELECT count(*) FROM run_judgement JOIN run ON run.id = run_id JOIN session ON session.id = session_id
        WHERE session.state <> 'running' AND document ->> '$.version' <> ?`,
    )
    .pluck();
  await expect
    .poll(() => left.get(version))
    .toBe(0)
    .finally(() => db.close());
}

const all = async (client: Client<AppContract>): Promise<Session[]> => [
  ...(await client.sessions.list({})),
  ...(await client.sessions.list({ archived: true })),
];

const detailOf = async (client: Client<AppContract>, id: number): Promise<unknown> =>
  JSON.parse(JSON.stringify(await client.sessions.get({ id })));
