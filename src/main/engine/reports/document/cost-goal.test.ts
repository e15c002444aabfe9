import { describe, expect, it } from 'vitest';
import type { CostGoal, ValueRow } from '../../../../shared/model/cost.ts';
import { formatDateTime } from '../../../../shared/util/format.ts';
import { type CostGoalData, costGoalParts } from './cost-goal.ts';
import type { Part } from './parts.ts';

const row = (sessionId: number, system: string, perHour: number, rate: number, changes: Partial<ValueRow> = {}) => ({
  ...{ sessionId, name: `Ladder ${sessionId}`, system, levels: { threads: 16 }, rate, repeats: 4, errors: 0 },
  ...{ perHour, perYear: 8760 * perHour, operationsPerDollar: 1, percent: 100, asOf: '2026-07-20' },
  interval: { low: rate * 0.98, high: rate * 1.02 },
  latency: { value: 8, low: 7, high: 9 },
  ...changes,
});
const finding = { code: 'one-repeat', severity: 'warn', message: 'The CPU governor is powersave.' } as const;
const session = (id: number, version: string) =>
  ({
    detail: {
      session: { id, name: `Ladder ${id}`, startedAt: 0, generators: ['load1'], tool: 'sysbench', steps: [] },
      hosts: [{ name: 'load1', facts: { os: 'Debian GNU/Linux 12', kernel: '6.1', cpuCount: 4 } }],
      target: { name: 'db', description: { product: 'MariaDB', version } },
      findings: [finding],
    },
    ...{ runs: [], results: [], damage: [] },
  }) as unknown as CostGoalData['sessions'][number];
const GOAL: CostGoal = { rate: 5000, latency: { metric: 'latency_p99_ms', most: 10 } };
const data = (changes: Partial<CostGoalData> = {}): CostGoalData => ({
  goal: GOAL,
  scale: {
    ...{ metric: 'tps', currency: 'USD' },
    rows: [row(1, 'm5.large + gp3 500 GB', 0.2, 3000), row(2, 'm5.xlarge + gp3 500 GB', 0.4, 5600)],
  },
  ...{ configurations: [], left: [{ sessionId: 3, name: 'broken', why: 'Its runs ended early.' }] },
  sessions: [session(1, '10.11.6'), session(2, '11.4.5')],
  priceOf: ({ perHour }) => ({
    ...{ currency: 'USD', perHour, perMonth: 730 * perHour, perYear: 8760 * perHour, asOf: '2026-07-20' },
    items: [
      {
        ...{ label: 'm5', perHour, perMonth: 730 * perHour, perYear: 8760 * perHour, asOf: '2026-07-20' },
        ...{ how: `${perHour} per hour (on-demand)`, warnings: [] },
      },
    ],
  }),
  ...{ disclaimer: 'List prices without tax.', appVersion: '0', madeAt: 0 },
  ...changes,
});

const flat = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part) => (part.kind === 'together' ? flat(part.parts) : [part]));
/** Texts of the parts before the first level 2 heading, which are on the first page. */
function firstPage(shown: CostGoalData): string[] {
  const parts = flat(costGoalParts(shown));
  const end = parts.findIndex((part) => part.kind === 'heading' && part.level === 2);
  return parts.slice(0, end).flatMap((part) => {
    if (part.kind === 'heading' || part.kind === 'text') return [part.text];
    if (part.kind === 'facts') return part.rows.map((pair) => pair.join(': '));
    if (part.kind === 'table')
      return [part.columns.map(({ title }) => title), ...part.rows].map((each) => each.join(' | '));
    return part.kind === 'figure' ? [part.caption] : [];
  });
}

describe('the report of a goal', () => {
  it('has question, assumption, answer, verdicts, repeats, chart, versions and number of caveats on its first page', () => {
    expect(firstPage(data())).toEqual([
      'Cheapest configuration for 5,000 tps',
      'Which configuration is the cheapest that reaches at least 5,000 tps and at most 10 ms (latency, 99th percentile)?',
      'Assumes 730 hours a month at list prices of 2026-07-20.',
      'm5.xlarge + gp3 500 GB is the cheapest that reaches 5,000 tps and at most 10 ms: $292.00 a month for 5,600 tps (95 % interval 5,488 – 5,712, 4 repeats), latency, 99th percentile 8.00 ms, threads 16; m5.large + gp3 500 GB costs less and does not reach it.',
      '1 warning: see Findings.',
      'Transactions (tps) vs. Price per hour (USD), 2 configurations. Numbers as in the table; the line is the goal; point shapes also take latency into account.',
      ' | Configuration, cheapest first | USD per month | Transactions (tps) | 95 % interval | Latency (ms) | Repeats | Reaches goal',
      '1 | m5.large + gp3 500 GB: threads 16 | $146.00 | 3,000 | 2,940 – 3,060 | 8.00 | 4 | no',
      '2 | m5.xlarge + gp3 500 GB: threads 16 | $292.00 | 5,600 | 5,488 – 5,712 | 8.00 | 4 | yes',
      'Answer measured in: session 2, Ladder 2',
      `Sessions: 1 (${formatDateTime(0)}), 2 (${formatDateTime(0)})`,
      'Tools: sysbench',
      'Servers: db, MariaDB 10.11.6; db, MariaDB 11.4.5',
      'Generators: load1 (Debian GNU/Linux 12, kernel 6.1, 4 CPUs)',
      'Prices: List prices without tax.',
    ]);
  });

  it('draws the goal, with a shape for each verdict', () => {
    const drawn = flat(costGoalParts(data())).find((part) => part.kind === 'figure');
    const svg = drawn?.kind === 'figure' ? drawn.svg(200) : '';
    for (const words of ['Reaches the goal', 'Does not reach it', 'line: the goal']) expect(svg).toContain(words);
    expect(svg).not.toContain('Inconclusive');
  });

  it('names no configuration if none is certain to reach it', () => {
    const { interval: _, ...once } = row(1, 'm5.large', 0.2, 6000);
    const shown = data({ scale: { metric: 'tps', currency: 'USD', rows: [once] } });
    const page = firstPage(shown);
    expect(page[3]).toMatch(
      /^No configuration is certain to reach 5,000 tps and at most 10 ms, because it was measured only once; the highest rate is 6,000 tps, measured once/,
    );
    expect(page.join('\n')).toContain('measured once | 8.00 | 4 | inconclusive');
    expect(page.join('\n')).not.toContain('Answer measured in');
  });

  it('states an assumed throughput first, and lists what was not measured', () => {
    const { parts: _, ...saved } = {
      id: 1,
      changedAt: 0,
      spec: { label: 'm5 + gp3', currency: 'USD', components: [] },
      parts: [],
    };
    const total = { currency: 'USD', perHour: 0.1, perMonth: 73, perYear: 876, items: [] };
    const assumed = {
      ...{ assumed: true as const, measuredOn: 'this computer (2 CPUs)', notOn: 'm5.large', configuration: 'm5 + io2' },
      volumes: { words: 'Its volumes sustain this I/O: 400 of 3,000 IOPS.' },
    };
    const page = firstPage(
      data({
        scale: { metric: 'tps', currency: 'USD', rows: [row(1, 'm5 + io2', 0.2, 5600, assumed)] },
        configurations: [{ ...saved, parts: [], total }],
      }),
    );
    expect(page.slice(2, 6)).toEqual([
      'Assumes that m5 + io2 reaches the throughput of Ladder 1, measured on this computer (2 CPUs), not on it.',
      'Assumes 730 hours a month at list prices of 2026-07-20.',
      'm5 + io2 is the cheapest measured one that reaches 5,000 tps and at most 10 ms: $146.00 a month for an assumed 5,600 tps (95 % interval 5,488 – 5,712, 4 repeats), latency, 99th percentile 8.00 ms, threads 16.',
      'm5 + gp3 is cheaper and was not measured: $73.00 a month.',
    ]);
    expect(page).toContain(' | m5 + gp3 | $73.00 | – | – | – | 0 | not measured');
    expect(page).toContain('m5 + io2: Its volumes sustain this I/O: 400 of 3,000 IOPS.');
    expect(page.join()).toContain('Not measured, so without a point: m5 + gp3.');
  });

  it('lists the parts of each price, findings with sessions, and unranked configurations last', () => {
    const text = JSON.stringify(costGoalParts(data()));
    for (const words of [
      '0.4 per hour (on-demand)',
      'Sessions 1, 2: The CPU governor is powersave.',
      'Not ranked: broken. Its runs ended early.',
    ])
      expect(text).toContain(words);
  });
});
