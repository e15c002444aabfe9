import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { breakEven, evaluateCost, parseCatalogue, priceParts } from '../../shared/costs/index.ts';
import type { CatalogueEntry, CostSpec, ValueForMoney, ValueRow } from '../../shared/model/cost.ts';
import { caveatsOf } from '../../shared/model/figure.ts';
import { ladder } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

/** happy-dom has no canvas: charts draw on a dummy. */
const canvas: object = new Proxy(() => canvas, {
  get: (_, name) => (name === 'width' ? 10 : name === Symbol.toPrimitive ? () => 0 : canvas),
  set: () => true,
});
beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvas as CanvasRenderingContext2D);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const ORIGIN = { provider: 'Cloud', region: 'here', currency: 'USD', sources: ['list'], confidence: 'high' };
const catalogue = parseCatalogue({
  ...{ format: 'kneepoint-prices/1', compiled: '2026-11-20', disclaimer: '', confidence: {} },
  sources: { list: { title: 'Price list', ref: '', asOf: '2025-01-01' } },
  entries: [
    {
      ...{ ...ORIGIN, id: 'disk', kind: 'volume', title: 'Disk', asOf: '2025-01-01', throughputUnit: 'MB/s' },
      ...{ capacity: { rate: 0.1, per: 'month' } },
      limits: { iops: { perGb: 3, burst: { max: 3000, credits: 5_400_000 } }, throughput: { max: 250 } },
    },
    {
      ...{ ...ORIGIN, id: 'machine', kind: 'instance', title: 'Machine', asOf: '2026-07-20', basis: 'on demand' },
      ...{ vcpu: 2, memoryGib: 8, rate: 1, per: 'hour', diskCaps: { iops: { sustained: 1000, burst: 1000 } } },
    },
  ],
});
const disk: CatalogueEntry = {
  ...{ id: 'disk', kind: 'volume', provider: 'Cloud', region: 'here', title: 'Disk', summary: '', perHour: null },
  ...{ currency: 'USD', confidence: 'high', source: 'Price list', asOf: '2025-01-01', throughputUnit: 'MB/s' },
};
const spec: CostSpec = {
  ...{ label: '', currency: 'USD' },
  components: [
    { kind: 'volume', id: 'disk', sizeGb: 500, count: 1 },
    { kind: 'instance', id: 'machine', count: 1 },
  ],
};
const MISSING: CostSpec = {
  ...spec,
  components: [...spec.components, { kind: 'own', label: 'Support', amount: null, per: 'month' }],
};
const NOW = Date.parse('2026-11-22');
const row = (sessionId: number, name: string, operationsPerDollar: number, changes: Partial<ValueRow> = {}) => ({
  ...{
    sessionId,
    name,
    system: changes.configuration ?? name,
    repeats: 4,
    levels: {},
    rate: operationsPerDollar / 3600,
    errors: 0,
    perHour: 1,
    perYear: 8760,
  },
  ...{ operationsPerDollar, percent: 100, asOf: '2026-07-20', ...changes },
});
const value: ValueForMoney = {
  scales: [
    { metric: 'tps', currency: 'USD', rows: [row(1, 'ladder', 3600, { errors: 12 })] },
    { metric: 'tps', currency: 'EUR', rows: [row(2, 'ladder in euro', 7200)] },
    { metric: 'read_mib_s', currency: 'USD', rows: [row(3, 'disks', 360_000)] },
  ],
  left: [{ sessionId: 4, name: 'broken', why: 'Its runs ended early.' }],
};

function show(
  place: string,
  answer = value,
  price: { costPerHour?: number; currency?: string } = { costPerHour: 1, currency: 'USD' },
  onSave: (saved: CostSpec) => void = () => undefined,
  others: readonly CostSpec[] = [],
  metrics: string[] = ['tps'],
) {
  const asked: unknown[] = [];
  const session = sampleSession();
  const engine = testEngine({
    sessions: {
      list: () => [{ ...session, ...price }],
      runs: () => [],
      get: () => ({
        session,
        experiment: { ...ladder, factors: [] },
        ...{ experimentText: '', hosts: [], appVersion: '0', findings: [] },
        plan: { cells: [{ index: 0, levels: {} }], trials: [], seconds: 0, findings: [] },
      }),
    },
    results: {
      session: ({ sessionId, warmup = 1 }) => ({
        ...{ sessionId, metric: 'tps', metrics, factors: [], warmup, cells: [] },
      }),
    },
    costs: {
      catalogue: () => ({ compiled: '2026-11-20', disclaimer: '', entries: [disk] }),
      evaluate: (input) => priceParts(input.spec, catalogue, NOW),
      configurations: () => [
        { id: 5, changedAt: 0, spec: { ...spec, label: 'two' }, ...priceParts(spec, catalogue, NOW) },
        { id: 6, changedAt: 0, spec: { ...MISSING, label: 'unknown' }, ...priceParts(MISSING, catalogue, NOW) },
        ...others.map((each, place) => ({
          ...{ id: 10 + place, changedAt: 0, spec: each },
          ...priceParts(each, catalogue, NOW),
        })),
      ],
      breakEven: ({ one, other }) => breakEven(one, other, catalogue),
      saveConfiguration: ({ spec: given }) => {
        onSave(given);
        return { id: 7, changedAt: 0, spec: given, ...priceParts(given, catalogue, NOW) };
      },
      ofSession: () => ({ spec, result: evaluateCost(spec, catalogue, NOW) }),
      valueForMoney: (input) => {
        asked.push(input);
        return answer;
      },
    },
    reports: {
      costGoal: (input) => {
        asked.push(input);
        return { fileName: 'goal.pdf', mediaType: 'application/pdf', bytes: new Uint8Array([1]) };
      },
    },
  });
  showView(engine.link, place);
  return asked;
}

describe('a configuration', () => {
  it('shows performance of volumes, burst duration, dates of prices, and machine limits', async () => {
    show('/costs?session=1');
    await screen.findByText('1,500 IOPS sustained; bursts to 3,000 for 1 h with full credits, then 1,500.');
    await screen.findByText('250 MB/s sustained.');
    const notes = within(await screen.findByRole('list', { name: 'About this price' }));
    notes.getByText('Prices of 2025-01-01 to 2026-07-20.');
    notes.getByText(/^Sustained on these machines: 1,000 IOPS; .* per month for each 1,000 IOPS\.$/);
    notes.getByText('The oldest price is dated 2025-01-01, more than a year ago. Check it before deciding.');
    screen.getByText('The volumes offer 1,500 IOPS, but Machine can use 1,000 IOPS at most.');
  });

  it('has a field for throughput in the unit in which the volume is sold', async () => {
    show('/costs?session=1');
    await screen.findByLabelText('Throughput, MB/s');
  });

  it('is duplicated under another name, and compared with another one part by part and where costs cross', async () => {
    const other: CostSpec = {
      ...{ label: 'bought', currency: 'USD' },
      components: [{ kind: 'own', label: 'Server', amount: 600, per: 'month' }],
    };
    show('/costs', value, { costPerHour: 1, currency: 'USD' }, () => undefined, [other]);
    fireEvent.click(await screen.findByRole('button', { name: 'Duplicate two' }));
    await screen.findByDisplayValue('two copy');
    const panel = within(await screen.findByRole('region', { name: 'Break-even' }));
    const parts = within(await panel.findByRole('table', { name: 'Parts of both prices' }));
    // 730 h × 1 and 500 GB × 0.1 against 600 a month: from 550 hours on, the rented one costs more.
    expect(parts.getByRole('row', { name: /^Total/ }).textContent).toMatch(/\$780\.00.*\$600\.00/);
    expect(panel.getByText(/from 1 to 549 h/)).toBeDefined();
  });

  it('is priced for the entered hours per month', async () => {
    show('/costs?session=1');
    // 730 h × 1 and 500 GB × 0.1.
    await screen.findByText('$780.00');
    fireEvent.change(screen.getByRole('textbox', { name: 'Hours per month' }), { target: { value: '100' } });
    await screen.findByText('$150.00');
  });
});

describe('work per money', () => {
  it('appears next to each configuration, for one metric and currency, with errors', async () => {
    const asked = show('/costs');
    const table = within(await screen.findByRole('table', { name: 'Configurations' }));
    await table.findByRole('columnheader', { name: 'USD per million transactions' });
    const headers = table.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers.slice(1, 6)).toEqual([
      ...['USD per million transactions', 'Transactions per USD', 'Transactions (tps)', 'per hour', 'per month'],
    ]);
    // 3,600 for a dollar: a million costs 1,000,000 / 3,600 dollars.
    expect(table.getByRole('row', { name: /^ladder ?Measured in ladder \$277\.78 ?12 errors 3,600/ })).toBeDefined();
    table.getByText('No total: a price is missing.');
    table.getByText('The price of Support is missing.');
    within(screen.getByRole('list', { name: 'Not ranked' })).getByText('Not ranked: broken. Its runs ended early.');
    fireEvent.click(screen.getByRole('combobox', { name: 'Session to price' }));
    fireEvent.click(await screen.findByText('Each configuration: Read throughput (MiB/s), USD'));
    await table.findByRole('columnheader', { name: 'USD per TiB read' });
    fireEvent.click(screen.getByRole('combobox', { name: 'Session to price' }));
    fireEvent.click(await screen.findByText('Thread ladder (1)'));
    const assumed = [5, 6].map((configurationId) => ({ configurationId, sessionId: 1 }));
    await waitFor(() =>
      expect(asked).toContainEqual({ sessionIds: [], perCell: true, latency: 'latency_p99_ms', assumed }),
    );
    await screen.findByText('best cell in the chosen session, assumed for each');
  });

  it('of a session follows the warm-up cut', async () => {
    const asked = show('/sessions/1/results/cost?warmup=7', { scales: value.scales.slice(0, 1), left: [] });
    const table = within(await screen.findByRole('table', { name: 'Cells by value for money' }));
    table.getByRole('columnheader', { name: /Transactions per USD/ });
    table.getByRole('columnheader', { name: /Errors/ });
    await screen.findByText('figures after 7 s of each run');
    await waitFor(() => expect(asked).toContainEqual({ sessionIds: [1], metric: 'tps', warmup: 7, perCell: true }));
    expect(screen.getByRole('textbox', { name: 'Warm-up cut, seconds' })).toBeDefined();
    within(screen.getByRole('list', { name: 'About its items' })).getByText(/Disk: 1,500 IOPS sustained; bursts to/);
  });

  it('has a warning if the load, not the priced system, was the limit', async () => {
    const bound = { verdict: 'generator-core' as const, sentence: 'sysbench on load1 used all of one core.' };
    const words = 'Limited by one core of the load generator, not by the system under test.';
    const rows = [
      row(1, 'ladder', 3600, { ...caveatsOf({ partial: false, means: [1, 1], errors: 0, bound }), cell: 0 }),
      row(2, 'other', 1800, { cell: 1 }),
    ];
    const answer = { scales: [{ metric: 'tps', currency: 'USD', rows }], left: [] };
    show('/sessions/1/results/cost', answer);
    const cells = await screen.findByRole('table', { name: 'Cells by value for money' });
    expect(within(cells).getByRole('img', { name: words }).closest('tr')?.textContent).toContain('3,600');
    screen.getByText(/^1 cell of 2 was limited by one core of the load generator/);
    cleanup();
    show('/costs', answer);
    const table = await screen.findByRole('table', { name: 'Configurations' });
    const mark = await within(table).findByRole('img', { name: words });
    expect(mark.closest('tr')?.textContent).toContain(words);
    screen.getByText(
      /^Lowest cost of the measured ones: .*, limited by one core of the load generator, not by the system under test\.$/,
    );
  });

  it('of a session states why it is missing', async () => {
    show('/sessions/1/results/cost', {
      scales: [],
      left: [{ sessionId: 1, name: 'ladder', why: 'Latency, mean is not a rate of work.' }],
    });
    await screen.findByText('Not ranked: ladder. Latency, mean is not a rate of work.');
  });
});

describe('a goal', () => {
  it('is asked first, answered from every cell with its latency, and stored in the address', async () => {
    const interval = { low: 0.9, high: 1.1 };
    const cells = [row(1, 'ladder', 3600, { interval, configuration: 'two', perHour: 1 })];
    const asked = show('/costs', { scales: [{ metric: 'tps', currency: 'USD', rows: cells }], left: [] });
    const field = await screen.findByRole('textbox', { name: 'Goal, tps' });
    fireEvent.change(field, { target: { value: '0.5' } });
    await screen.findByText(
      /^two is the cheapest that reaches 0\.5 tps: \$730.00 a month for 1 tps \(95 % interval 1 – 1, 4 repeats\)\.$/,
    );
    expect(window.location.hash).toContain('goal=0.5');
    expect(asked).toContainEqual({ sessionIds: [1], perCell: true, latency: 'latency_p99_ms', metric: 'tps' });
    screen.getByText('yes', { selector: '.kp-status' });
    screen.getByText(/^Assumes 730 hours a month at list prices of 2026-07-20/);
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    fireEvent.click(screen.getByRole('button', { name: 'PDF report' }));
    await waitFor(() =>
      expect(asked).toContainEqual({ goal: { rate: 0.5 }, metric: 'tps', currency: 'USD', sessionIds: [1] }),
    );
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    fireEvent.change(screen.getByRole('textbox', { name: 'Goal, tps' }), { target: { value: '2' } });
    await screen.findByText(/^No configuration reaches 2 tps, because the rate is too low; the highest rate is 1 tps/);
    screen.getByText('no', { selector: '.kp-status' });
  });

  it('comes first, before any session has a price, and is answered with the throughput of the only one', async () => {
    const interval = { low: 0.9, high: 1.1 };
    const assumed = {
      ...{ interval, assumed: true as const, measuredOn: 'this computer (2 CPUs)', notOn: 'Machine' },
      volumes: { words: 'Its volumes sustain this I/O: 400 of 3,000 IOPS.' },
    };
    const rows = ['two', 'three'].map((configuration, place) =>
      row(1, 'ladder', 3600, {
        ...assumed,
        configuration,
        system: configuration,
        perHour: 2 - place,
        levels: { threads: 4 },
      }),
    );
    rows.push(
      row(1, 'ladder', 1800, { ...assumed, configuration: 'two', system: 'two', perHour: 2, levels: { threads: 1 } }),
    );
    const answer = { scales: [{ metric: 'tps', currency: 'USD', rows }], left: [] };
    const asked = show('/costs', answer, {});
    const goal = await screen.findByRole('textbox', { name: 'Goal, tps' });
    const [first] = screen.getAllByRole('textbox');
    expect(first).toBe(goal);
    fireEvent.change(goal, { target: { value: '0.5' } });
    await screen.findByText(
      /^three is the cheapest that reaches 0\.5 tps: \$730.00 a month for an assumed 1 tps .* threads 4; the next one that does, two, costs \$730\.00\.$/,
    );
    screen.getByText(
      /^Assumes that three and two reach the throughput of ladder, measured on this computer \(2 CPUs\), not on them\.$/,
    );
    const table = within(screen.getByRole('table', { name: 'Configurations' }));
    expect(table.getAllByText('Its volumes sustain this I/O: 400 of 3,000 IOPS.')).toHaveLength(2);
    expect(table.getAllByText(/, on this computer \(2 CPUs\), not on Machine$/)).toHaveLength(2);
    fireEvent.click(table.getByRole('combobox', { name: 'Throughput of two as in' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Thread ladder (1): threads 1' }));
    await waitFor(() =>
      expect(asked).toContainEqual(
        expect.objectContaining({
          assumed: [
            { configurationId: 5, sessionId: 1, levels: { threads: 1 } },
            { configurationId: 6, sessionId: 1 },
          ],
        }),
      ),
    );
  });

  it('offers the latencies that the session has recorded', async () => {
    const cells = [row(1, 'ladder', 3600, { interval: { low: 0.9, high: 1.1 }, configuration: 'two' })];
    const answer = { scales: [{ metric: 'tps', currency: 'USD', rows: cells }], left: [] };
    const metrics = ['tps', 'latency_avg_ms', 'latency_p95_ms'];
    const asked = show('/costs', answer, undefined, undefined, [], metrics);
    const latency = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Latency of the goal' });
    await waitFor(() => expect(latency.value).toBe('95th percentile'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Goal, tps' }), { target: { value: '0.5' } });
    await waitFor(() =>
      expect(asked).toContainEqual({ sessionIds: [1], perCell: true, latency: 'latency_p95_ms', metric: 'tps' }),
    );
    fireEvent.click(latency);
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      '95th percentile',
      'mean',
    ]);
  });

  it('says that cheaper configurations were not measured', async () => {
    const cells = [row(1, 'ladder', 3600, { configuration: 'dear', system: 'dear', perHour: 9 })];
    show('/costs', { scales: [{ metric: 'tps', currency: 'USD', rows: cells }], left: [] });
    await screen.findByText(/^Lowest cost of the measured ones: dear, /);
  });
});

describe('a line of words', () => {
  it('becomes a configuration with its price', async () => {
    const saved: unknown[] = [];
    show('/costs', value, { costPerHour: 1, currency: 'USD' }, (spec) => saved.push(spec));
    const field = await screen.findByRole('textbox', { name: 'Add a configuration' });
    fireEvent.change(field, { target: { value: 'disk 500 GB' } });
    await screen.findByText('disk 500 GB: $50.00 per month');
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(saved).toMatchObject([{ label: 'disk 500 GB' }]));
    fireEvent.change(field, { target: { value: 'nothing' } });
    await screen.findByText('The catalogue has no “nothing”. Build other configurations from the catalogue below.');
  });
});
