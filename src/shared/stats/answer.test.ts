import { describe, expect, it } from 'vitest';
import { caveatsOf } from '../model/figure.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { randomFrom } from '../util/random.ts';
import { atDepth, leastOf, mostOf } from '../util/testing/depth.ts';
import { answerSentences } from './answer.ts';
import { loadLines } from './load-lines.ts';
import { normalFrom } from './testing/load-worlds.ts';

const SEED = 20_261_122;
const SESSIONS = atDepth(400, 40);

interface World {
  /** True rate of a cell. */
  rate: (durability: string, threads: number) => number;
  threads?: number[];
  repeats?: number;
  metric?: string;
  /** All repeats of a cell one after the other. */
  listed?: boolean;
}

/** One session of durability × threads, its runs off the true rate by 1 %. */
function session(world: World, normal: () => number): SessionResult {
  const { rate, threads = [1, 2, 4, 8], repeats = 3, metric = 'tps', listed = false } = world;
  const factors: SessionResult['factors'] = [
    { name: 'durability', levels: ['safe', 'off'] },
    { name: 'threads', levels: threads, load: 'concurrency' },
  ];
  const places = ['safe', 'off'].flatMap((durability) => threads.map((each) => ({ durability, threads: each })));
  const cells = places.map((levels, cell): CellResult => {
    const repeat = Array.from({ length: repeats }, (_, index) => index);
    const means = repeat.map(() => rate(levels.durability, levels.threads) * Math.exp(0.01 * normal()));
    const value = means.reduce((sum, mean) => sum + mean, 0) / repeats;
    const trials = repeat.map((index) => (listed ? cell * repeats + index : index * places.length + cell));
    return { cell, levels, runs: [], means, trials, value, errors: 0, partial: false };
  });
  const measured = { sessionId: 1, metric, metrics: [metric], factors, warmup: 0, cells };
  return measured;
}

const withKnees = (result: SessionResult): SessionResult => ({ ...result, scaling: loadLines(result) });
const costs = (result: SessionResult): string | undefined =>
  answerSentences(result).find((sentence) => / (costs|raises) /.test(sentence));
const rangeIn = (sentence: string): number[] =>
  [...sentence.matchAll(/\d+(?:\.\d+)?/g)].map(([figure]) => Number(figure));

const flat = (factor: number) => (durability: string) => 10_000 * (durability === 'safe' ? factor : 1);

describe(`the answer of simulated sessions whose truth is known, seed ${SEED}`, () => {
  it('says what a setting costs, and where more load stops helping', () => {
    const normal = normalFrom(randomFrom(SEED));
    const [first, second] = answerSentences(withKnees(session({ rate: flat(0.025) }, normal)));
    expect(first).toMatch(/^durability safe costs 97–98 % of transactions against off\.$/);
    expect(second).toBe('Raising threads does not help beyond 1.');
  });

  it('holds the true cost in its range, and claims no more than 5 % of what is not there', () => {
    const normal = normalFrom(randomFrom(SEED));
    let held = 0;
    let alarms = 0;
    for (let time = 0; time < SESSIONS; time++) {
      const [low = 100, high = 0] = rangeIn(costs(session({ rate: flat(0.7) }, normal)) ?? '');
      if (low <= 30 && high >= 30) held++;
      if (costs(session({ rate: flat(1) }, normal)) !== undefined) alarms++;
    }
    expect(held).toBeGreaterThanOrEqual(leastOf(SESSIONS, 0.95));
    expect(alarms).toBeLessThanOrEqual(mostOf(SESSIONS, 0.05));
  });

  it('says that two levels cannot be told apart, and within what interval their ratio lies', () => {
    const normal = normalFrom(randomFrom(SEED));
    const [sentence = ''] = answerSentences(session({ rate: flat(1) }, normal));
    expect(sentence).toMatch(
      /^No difference between durability safe and off can be told: off has ×0\.9\d – ×1\.0\d the transactions of safe \(95 % interval\)\. More repeats would narrow that\.$/,
    );
    const [, first = '', last = ''] = /×(.+) – ×(.+) the/.exec(sentence) ?? [];
    expect([Number(first) <= 1, Number(last) >= 1]).toEqual([true, true]);
  });

  it('says nothing of a setting that helps with few threads and harms with many', () => {
    const normal = normalFrom(randomFrom(SEED));
    const crossing = (durability: string, threads: number): number =>
      10_000 * (durability === 'safe' ? (threads < 4 ? 0.8 : 1.2) : 1);
    expect(answerSentences(session({ rate: crossing }, normal))).toEqual([]);
  });

  it('says nothing where one repeat, the order of trials or a partial cell leaves it open', () => {
    const normal = normalFrom(randomFrom(SEED));
    expect(answerSentences(withKnees(session({ rate: flat(0.5), repeats: 1 }, normal)))).toEqual([]);
    expect(costs(session({ rate: flat(0.5), listed: true }, normal))).toBeUndefined();
    const whole = session({ rate: flat(0.5) }, normal);
    const cells = whole.cells.map((cell, index) => ({
      ...cell,
      ...(index === 0 && caveatsOf({ ...cell, partial: true })),
    }));
    expect(costs({ ...whole, cells })).toBeUndefined();
  });

  it('tells a latency in its own direction, and neither of a metric that is neither good nor bad', () => {
    const normal = normalFrom(randomFrom(SEED));
    const slow = (durability: string): number => (durability === 'safe' ? 8 : 2);
    expect(costs(session({ rate: slow, metric: 'latency_avg_ms' }, normal))).toMatch(
      /^durability safe raises .*latency.* to 3\.\d–4\.\d times that of off\.$/i,
    );
    expect(answerSentences(session({ rate: slow, metric: 'threads_running' }, normal))).toEqual([]);
  });

  it('says that there is no knee where throughput rises to the end', () => {
    const normal = normalFrom(randomFrom(SEED));
    const rising = (_: string, threads: number): number => 1000 * threads;
    expect(answerSentences(withKnees(session({ rate: rising }, normal))).at(-1)).toBe(
      'None of the 2 lines has a knee in the range of threads measured.',
    );
    const both = (durability: string, threads: number): number => (durability === 'safe' ? 500 : 1000 * threads);
    expect(answerSentences(withKnees(session({ rate: both }, normal))).at(-1)).toBe(
      'Raising threads does not help beyond 1 in 1 of 2 lines.',
    );
  });
});
