import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reaching } from '../../../shared/costs/index.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../../engine/figures/testing/measured.ts';
import { openStore } from '../../engine/store/open.ts';
import { libraryFolder } from '../../engine/store/testing/library.ts';
import { commandOn } from '../testing/here.ts';

const SECONDS = 60;
/** 97.5 % quantile of Student's t with two degrees of freedom, from a printed table. */
const T_OF_THREE = 4.303;
const HOURS_A_MONTH = 730;

let folder: ReturnType<typeof libraryFolder>;

/** Stores three repeats of each cell with these rates, in ascending order of threads, and a constant p99. */
function measured(label: string, perHour: number, cells: readonly (readonly number[])[], p99: readonly number[]): void {
  const factors = { threads: cells.map((_, place) => 4 ** place) };
  const plain = experimentOf(factors);
  const runs = [0, 1, 2].flatMap((repeat) =>
    cells.map(
      (rates, cell): Measured => ({
        ...{ cell, repeat },
        seconds: {
          tps: Array<number>(SECONDS).fill(rates[repeat] ?? Number.NaN),
          latency_p99_ms: Array<number>(SECONDS).fill(p99[repeat] ?? Number.NaN),
        },
      }),
    ),
  );
  const store = openStore(folder.path);
  try {
    const id = storeSession(store, cellsOf(factors), runs, {
      ...plain,
      measure: { ...plain.measure, warmup: 10, duration: SECONDS - 10 },
    });
    const components = [{ kind: 'own' as const, label: 'Server', amount: perHour, per: 'hour' as const }];
    store.sessions.update(id, { cost: { label, currency: 'USD', components } });
  } finally {
    store.close();
  }
}

beforeAll(() => {
  folder = libraryFolder();
  measured(
    'small',
    0.5,
    [
      [990, 1000, 1010],
      [3990, 4000, 4010],
    ],
    [4, 5, 6],
  );
  measured(
    'middle',
    0.8,
    [
      [990, 1000, 1010],
      [4900, 5000, 5100],
    ],
    [4, 5, 6],
  );
  measured(
    'large',
    1,
    [
      [990, 1000, 1010],
      [5590, 5600, 5610],
    ],
    [8, 9, 12],
  );
});
afterAll(() => folder.remove());

const outputOf = async (...args: (string | number)[]): Promise<string> => {
  const { code, stdout, stderr } = await commandOn(folder.path, ['cost', ...args]);
  // On a busy machine, standard error has the progress.
  expect(code, stderr).toBe(0);
  return stdout;
};

describe('kneepoint cost --goal', () => {
  it('ranks systems by their true price, and judges their intervals', async () => {
    const { systems, currency, metric } = JSON.parse(await outputOf('--goal', 5000, '--json'));
    expect({ currency, metric }).toEqual({ currency: 'USD', metric: 'tps' });
    const found: readonly Reaching[] = systems;
    expect(found.map(({ name, reach, row }) => [name, reach, row.levels.threads, row.repeats])).toEqual([
      ['small', 'no', 4, 3],
      ['middle', 'cannot-tell', 4, 3],
      ['large', 'yes', 4, 3],
    ]);
    for (const [place, perHour, rates] of [
      [0, 0.5, [3990, 4000, 4010]],
      [1, 0.8, [4900, 5000, 5100]],
      [2, 1, [5590, 5600, 5610]],
    ] as const) {
      const row = found[place]?.row;
      const mean = (rates[0] + rates[1] + rates[2]) / 3;
      const spread = Math.sqrt(rates.reduce((sum, rate) => sum + (rate / mean - 1) ** 2, 0) / 2);
      const half = (T_OF_THREE * spread) / Math.sqrt(3);
      expect(row?.rate).toBeCloseTo(mean, 6);
      expect((row?.perYear ?? 0) / 12).toBeCloseTo(perHour * HOURS_A_MONTH, 6);
      // The interval is on the scale of ratios.
      expect((row?.interval?.low ?? 0) / (mean * Math.exp(-half))).toBeCloseTo(1, 3);
      expect((row?.interval?.high ?? 0) / (mean * Math.exp(half))).toBeCloseTo(1, 3);
    }
  });

  it('answers with price, rate, interval and repeats, then the open one that is cheaper', async () => {
    const [question, assumption, answer, open, ...rest] = (await outputOf('--goal', 5000)).split('\n');
    expect(question).toBe('Which configuration is the cheapest that reaches at least 5,000 tps?');
    expect(assumption).toBe('Assumes 730 hours a month at prices as entered.');
    expect(answer).toMatch(
      /^large is the cheapest that reaches 5,000 tps: \$730\.00 a month for 5,600(\.0)? tps \(95 % interval 5,57[56](\.\d)? – 5,62[45](\.\d)?, 3 repeats\), threads 4; small costs less and does not reach it\.$/,
    );
    expect(open).toMatch(/^middle is cheaper, but whether it reaches the goal is unclear: \$584\.00 a month, 5,000/);
    const table = rest.filter((line) => /^(small|middle|large)\b/.test(line));
    expect(table.map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['small', 'threads 4', '$365.00', expect.stringMatching(/^4,000/), '3', 'no'],
      ['middle', 'threads 4', '$584.00', expect.stringMatching(/^5,000/), '3', 'inconclusive'],
      ['large', 'threads 4', '$730.00', expect.stringMatching(/^5,600/), '3', 'yes'],
    ]);
  });

  it('applies the bound of a latency to every repeat', async () => {
    const reach = async (most: number, rate = 3900): Promise<Record<string, string>> => {
      const { systems } = JSON.parse(await outputOf('--goal', rate, '--latency', `p99,${most}`, '--json'));
      return Object.fromEntries(systems.map((system: Reaching) => [system.name, system.reach]));
    };
    expect(await reach(12)).toEqual({ small: 'yes', middle: 'yes', large: 'yes' });
    expect(await reach(10)).toEqual({ small: 'yes', middle: 'yes', large: 'cannot-tell' });
    expect(await reach(5)).toEqual({ small: 'cannot-tell', middle: 'cannot-tell', large: 'no' });
    expect(await reach(3)).toEqual({ small: 'no', middle: 'no', large: 'no' });
    const printed = await outputOf('--goal', 3900, '--latency', 'p99,10');
    expect(printed).toMatch(
      /^small is the cheapest that reaches 3,900 tps and at most 10 ms: \$365\.00 a month for 4,000/m,
    );
    expect(printed).toMatch(/at least 3,900 tps and at most 10 ms \(latency, 99th percentile\)\?/);
  });

  it('names the highest if none reaches it', async () => {
    expect(await outputOf('--goal', 9000)).toMatch(
      /^No configuration reaches 9,000 tps, because the rate is too low; the highest rate is 5,600.* on large\.$/m,
    );
  });

  it('assumes the work of a session for saved configurations, and other work for those named', async () => {
    await outputOf('--save', 'one', '--own', 'Server,1,hour');
    await outputOf('--save', 'two', '--own', 'Server,2,hour');
    const systemsOf = async (...more: (string | number)[]) => {
      const { systems } = JSON.parse(await outputOf('--goal', 5000, '--json', ...more));
      return systems.map(({ name, reach, row }: Reaching) => [name, reach, Math.round(row.rate), row.assumed]);
    };
    expect(await systemsOf('--session', 3)).toEqual([
      ['one', 'yes', 5600, true],
      ['two', 'yes', 5600, true],
    ]);
    expect(await systemsOf('--session', 3, '--assume', 'one=3,threads=1', '--assume', 'two=2')).toEqual([
      ['one', 'no', 1000, true],
      ['two', 'cannot-tell', 5000, true],
    ]);
    const printed = await outputOf('--goal', 5000, '--session', 3);
    expect(printed).toMatch(/^Assumes that one and two reach the throughput of .+, not on them\.$/m);
    expect(printed).toMatch(/^one is the cheapest that reaches 5,000 tps: \$730\.00 a month for an assumed 5,600/m);
    expect(await outputOf('--goal', 5000, '--session', 3, '--output', '-')).toMatch(/^%PDF/);
    for (const [work, words] of [
      ['three=3', /with the name of a saved configuration, not “three=3”/],
      ['one=3,threads=7', /session 3 has no level threads=7/],
    ] as const) {
      const { code, stderr } = await commandOn(folder.path, ['cost', '--goal', 5000, '--assume', work]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
    }
  });
});
