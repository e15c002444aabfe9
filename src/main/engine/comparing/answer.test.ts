import { describe, expect, it } from 'vitest';
import { VARIATION } from '../../../shared/metrics/index.ts';
import type { BoundVerdict } from '../../../shared/model/analysis.ts';
import { type Answer, answerSentences } from '../../../shared/model/answer.ts';
import type { Scalar } from '../../../shared/model/experiment.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';
import { loadLines, spreadOf } from '../../../shared/stats/index.ts';
import { normalFrom } from '../../../shared/stats/testing/load-worlds.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth, leastOf, mostOf } from '../../../shared/util/testing/depth.ts';
import { type Asked, answerOf } from './answer.ts';
import { ratiosOf } from './baselines.ts';

const SEED = 20_261_122;
const SESSIONS = atDepth(400, 40);

interface World {
  /** True rate of a cell. */
  rate: (level: Scalar, threads: number) => number;
  levels?: Scalar[];
  name?: string;
  threads?: number[];
  repeats?: number;
  metric?: string;
  noise?: number;
  /** All repeats of a cell one after the other. */
  listed?: boolean;
  /** Additional factors, each of which adds one combination. */
  more?: SessionResult['factors'];
  /** The bottleneck of the runs of a cell. */
  bound?: (level: Scalar, threads: number) => BoundVerdict | undefined;
}

/** One session of a factor × threads, its runs off the true rate by 1 %. */
function session(world: World, normal: () => number): SessionResult {
  const { rate, name = 'durability', levels = ['safe', 'off'], threads = [1, 2, 4, 8], noise = 0.01 } = world;
  const { repeats = 3, metric = 'tps', listed = false, more = [], bound } = world;
  const factors: SessionResult['factors'] = [
    { name, levels },
    { name: 'threads', levels: threads, load: 'concurrency' },
    ...more,
  ];
  const places = levels.flatMap((level) => threads.map((each) => ({ level, threads: each })));
  const cells = places.map(({ level, threads: load }, cell): CellResult => {
    const repeat = Array.from({ length: repeats }, (_, index) => index);
    const means = repeat.map(() => rate(level, load) * Math.exp(noise * normal()));
    const value = means.reduce((sum, mean) => sum + mean, 0) / repeats;
    const trials = repeat.map((index) => (listed ? cell * repeats + index : index * places.length + cell));
    const extra = Object.fromEntries(more.map((factor) => [factor.name, factor.levels[0] as Scalar]));
    const verdict = bound?.(level, load);
    const limit = verdict && { verdict, sentence: 'It was full.' };
    return {
      cell,
      levels: { [name]: level, threads: load, ...extra },
      runs: [],
      means,
      trials,
      value,
      ...{ errors: 0, partial: false },
      ...caveatsOf({ partial: false, means, errors: 0, bound: limit }),
    };
  });
  return { sessionId: 1, metric, metrics: [metric], factors, warmup: 0, cells };
}

const ASKED: Asked = { baselines: {}, later: [], trialSeconds: 30, steps: 1 };
function answer(result: SessionResult, asked: Partial<Asked> = {}): Answer {
  const found = answerOf(result, { ...ASKED, ...asked });
  if (!found) throw new Error('The session has no answer.');
  return found;
}
const sentencesOf = (result: SessionResult, asked?: Partial<Asked>): string[] =>
  answerSentences({ answer: answer(result, asked) });
const withKnees = (result: SessionResult): SessionResult => ({ ...result, scaling: loadLines(result) });
const flat = (factor: number) => (level: Scalar) => 10_000 * (level === 'off' ? factor : 1);
const normal = normalFrom(randomFrom(SEED));

/** The interval of the first sentence. */
function intervalIn([sentence = '']: readonly string[]): readonly [number, number] | undefined {
  const [, low, high] = /\((?:all within )?([\d.]+) – ([\d.]+)\)/.exec(sentence) ?? [];
  return low === undefined ? undefined : [Number(low), Number(high)];
}

describe(`the answer of simulated sessions with a known truth, seed ${SEED}`, () => {
  it('is the effect of the factor that is not a load, as one ratio if all loads agree, then the knee', () => {
    const [first, second] = sentencesOf(withKnees(session({ rate: flat(1.31) }, normal)));
    expect(first).toMatch(
      /^durability off is faster than safe: ×1\.3\d \(1\.\d\d – 1\.3\d\) at every level of threads\.$/,
    );
    expect(second).toBe('Throughput stops rising beyond threads 1.');
  });

  it('contains the true ratio in its interval, and reports an effect where there is none in at most 5 % of sessions', () => {
    let [held, alarms] = [0, 0];
    for (let time = 0; time < SESSIONS; time++) {
      const [low = 0, high = 0] = intervalIn(sentencesOf(session({ rate: flat(0.7) }, normal))) ?? [];
      if (low <= 0.7 && high >= 0.7) held++;
      const { sentences } = answer(session({ rate: flat(1) }, normal));
      if (sentences.flat().some(({ tone }) => tone === 'gain' || tone === 'loss')) alarms++;
    }
    expect(held).toBeGreaterThanOrEqual(leastOf(SESSIONS, 0.95));
    expect(alarms).toBeLessThanOrEqual(mostOf(SESSIONS, 0.05));
  });

  it('never merges opposite effects into one ratio and names where each holds', () => {
    const crossing = (level: Scalar, threads: number): number =>
      10_000 * (level === 'off' ? (threads < 4 ? 0.8 : 1.2) : 1);
    expect(sentencesOf(session({ rate: crossing }, normal))[0]).toMatch(
      /^durability off is faster than safe: ×1\.\d\d(?: to ×1\.\d\d)? \(all within .+\) from threads 4 up; slower: ×0\.\d\d(?: to ×0\.\d\d)? \(all within .+\) up to threads 2\.$/,
    );
  });

  it('names ranges of numbers by their size, whatever their order in the document', () => {
    const own = normalFrom(randomFrom(SEED + 9));
    const of = (rate: World['rate']) => session({ rate, threads: [1, 8, 4], noise: 0.001 }, own);
    const growing = of((level, threads) => 10_000 * (level === 'off' && threads > 1 ? 1.2 : 1));
    expect(sentencesOf(growing)[0]).toMatch(/ from threads 4 up; no difference beyond ±3 % at threads 1\.$/);
    const falling = of((level, threads) => 10_000 * (level === 'off' && threads < 8 ? 1.2 : 1));
    expect(sentencesOf(falling)[0]).toMatch(/ up to threads 4; no difference beyond ±3 % at threads 8\.$/);
    // With the one in between open, no range includes it.
    const cells = growing.cells.map((cell) =>
      cell.levels.threads === 4 ? { ...cell, means: cell.means.slice(0, 1) } : cell,
    );
    expect(sentencesOf({ ...growing, cells })[0]).toMatch(/ at threads 8; .*inconclusive at threads 4/);
  });

  it('states that throughput answers if trials are too short to show steadiness', () => {
    const world = session({ rate: flat(1.31) }, normalFrom(randomFrom(SEED + 2)));
    const words =
      'Answered by throughput instead of steadiness: 10 s is too short to show how much it varies. Measure 20 s or longer.';
    expect(sentencesOf(world, { tooShort: 10 })).toEqual([expect.stringMatching(/^durability off is faster/), words]);
    expect(sentencesOf({ ...world, metric: 'latency_p99_ms' }, { tooShort: 10 })).not.toContain(words);
    expect(sentencesOf(world)).not.toContain(words);
  });

  describe('with the generator as bottleneck', () => {
    // A separate stream leaves the worlds of the other tests unchanged.
    const noise = normalFrom(randomFrom(SEED + 1));
    const CPU: BoundVerdict = 'generator-cpu';
    const tones = (result: SessionResult) =>
      answer(result)
        .sentences.flat()
        .map(({ tone }) => tone);

    it('never calls a level faster if its generator was saturated on both sides, however significant the difference', () => {
      for (const rate of [flat(1.31), flat(0.7), flat(1)]) {
        const world = session({ rate, bound: () => CPU }, noise);
        expect(sentencesOf(world)[0]).toMatch(
          /^Undetermined, because the load generator was the limit: ×[\d.]+ \([\d.]+ – [\d.]+\) measured with durability off vs\. safe at every level of threads\.$/,
        );
        expect(tones(world)).not.toContain('gain');
        expect(tones(world)).not.toContain('loss');
        expect(answer(world)).toMatchObject({
          verdict: 'open',
          next: 'Repeat with more or larger generators to see what these cells do beyond that.',
        });
        expect(answer(world)).not.toHaveProperty('more');
      }
    });

    it('gives a lower bound of the difference if only the better side was limited', () => {
      const offLimited = (level: Scalar) => (level === 'off' ? CPU : undefined);
      expect(sentencesOf(session({ rate: flat(1.31), bound: offLimited }, noise))[0]).toMatch(
        /^At least ×1\.3\d \(.+\) with durability off vs\. safe, because the load generator was the limit at every level of threads\.$/,
      );
      // The slower side could have done more: the difference is not an effect of the setting.
      expect(sentencesOf(session({ rate: flat(0.7), bound: offLimited }, noise))[0]).toMatch(
        /^Undetermined, because the load generator was the limit: ×0\.[67]/,
      );
      const safeLimited = (level: Scalar) => (level === 'safe' ? CPU : undefined);
      expect(sentencesOf(session({ rate: flat(0.7), bound: safeLimited }, noise))[0]).toMatch(/^At most ×0\.[67]/);
      // The latency of a saturated generator is its own.
      expect(sentencesOf(session({ rate: flat(0.7), metric: 'latency_p99_ms', bound: offLimited }, noise))[0]).toMatch(
        /^Undetermined, because the load generator/,
      );
    });

    it('keeps the effect at loads without a limit, and names the limited ones', () => {
      const bound = (_: Scalar, threads: number) => (threads === 8 ? CPU : undefined);
      expect(sentencesOf(session({ rate: flat(1.31), bound }, noise))[0]).toMatch(
        /^durability off is faster than safe: ×1\.\d\d(?: to ×1\.\d\d)? \(all within .+\) up to threads 4; undetermined, because the load generator was the limit, at threads 8\.$/,
      );
    });

    it('includes the network, but not a saturated server, disk or lock, which a setting may change', () => {
      const world = session({ rate: flat(1.31), bound: (_, threads) => (threads < 8 ? 'network' : CPU) }, noise);
      expect(sentencesOf(world)[0]).toMatch(
        /^Undetermined, because the load generator or the network was the limit: ×1\.3/,
      );
      for (const decoy of ['cpu', 'disk', 'locks', 'log', 'one-core', 'clients', 'not-known'] as const)
        expect(sentencesOf(session({ rate: flat(1.31), bound: () => decoy }, noise))[0]).toMatch(
          /^durability off is faster than safe: ×1\.3/,
        );
    });

    it('ranks no level as the fastest of three, and marks a single limited one', () => {
      const levels = ['a', 'b', 'c'];
      const rate = (level: Scalar) => 10_000 * (level === 'a' ? 1.5 : level === 'b' ? 1 : 0.5);
      expect(sentencesOf(session({ rate, levels, bound: () => CPU }, noise))[0]).toMatch(
        /^Undetermined, because the load generator was the limit\. Measured: durability a \(100 %\); b 6\d(?: – 6\d)? %/,
      );
      const ofC = (level: Scalar) => (level === 'c' ? CPU : undefined);
      expect(sentencesOf(session({ rate, levels, bound: ofC }, noise))[0]).toMatch(
        /^Fastest: durability a \(100 %\); b 6\d(?: – 6\d)? % \(.+\); c 3\d(?: – 3\d)? % \(.+\), limited by the load generator\.$/,
      );
      const ofA = (level: Scalar) => (level === 'a' ? CPU : undefined);
      expect(sentencesOf(session({ rate, levels, bound: ofA }, noise))[0]).toMatch(
        /^Fastest: durability a \(100 % or more, because the load generator was its limit\); b 6\d/,
      );
    });
  });

  it('gives a range if the size of the effect depends on the load, and names loads without an effect', () => {
    const growing = (level: Scalar, threads: number): number =>
      10_000 * (level === 'off' ? 1 + threads / 8 - 1 / 8 : 1);
    const [sentence] = sentencesOf(session({ rate: growing, noise: 0.004, repeats: 6 }, normal));
    expect(sentence).toMatch(
      /^durability off is faster than safe: ×1\.1\d to ×1\.8\d \(all within .+\) from threads 2 up; no difference beyond ±3 % at threads 1\.$/,
    );
  });

  it('sets the best of three levels to 100 % and contains the true shares of the others in their intervals', () => {
    const rates: Readonly<Record<string, number>> = { a: 6000, b: 10_000, c: 9000 };
    const world = { rate: (level: Scalar) => rates[String(level)] ?? 0, name: 'product', levels: ['a', 'b', 'c'] };
    let held = 0;
    for (let time = 0; time < SESSIONS; time++) {
      const [sentence = ''] = sentencesOf(session(world, normal));
      const shares =
        /^Fastest: product b \(100 %\); c [\d.]+(?: – [\d.]+)? % \(([\d.]+) – ([\d.]+) %\); a [\d.]+(?: – [\d.]+)? % \(([\d.]+) – ([\d.]+) %\)\.$/.exec(
          sentence,
        );
      expect(sentence).toMatch(/^Fastest: product b /);
      const [, lowC = 0, highC = 0, lowA = 0, highA = 0] = (shares ?? []).map(Number);
      if (lowC <= 90 && highC >= 90 && lowA <= 60 && highA >= 60) held++;
    }
    expect(held).toBeGreaterThanOrEqual(leastOf(SESSIONS, 0.95));
  });

  it('uses the same significance as its ratios: all pairs, if the best level is chosen from the data', () => {
    const rates: Readonly<Record<string, number>> = { a: 10_000, b: 9600, c: 5000 };
    const result = session(
      { rate: (level) => rates[String(level)] ?? 0, levels: ['a', 'b', 'c'], noise: 0.02 },
      normal,
    );
    const { baseline = '', ranked } = answer(result);
    expect(ranked).toBe(true);
    const [alone] = ratiosOf(result, { durability: baseline }, []);
    const [chosen] = ratiosOf(result, { durability: baseline }, [], { ranked: 'durability' });
    expect(chosen?.cells.map(({ cell }) => cell)).toEqual(alone?.cells.map(({ cell }) => cell));
    for (const [place, cell] of (chosen?.cells ?? []).entries())
      expect(cell.interval?.low).toBeLessThan(alone?.cells[place]?.interval?.low ?? 0);
  });

  it('claims an order among three equal levels in at most 5 % of sessions, and still names the highest', () => {
    let alarms = 0;
    for (let time = 0; time < SESSIONS; time++) {
      const { sentences } = answer(session({ rate: () => 10_000, levels: ['a', 'b', 'c'] }, normal));
      if (sentences.flat().some(({ tone }) => tone === 'gain')) alarms++;
    }
    expect(alarms).toBeLessThanOrEqual(mostOf(SESSIONS, 0.05));
  });

  it('keeps a baseline that is named, requested, or in the document', () => {
    const levels = ['a', 'baseline', 'c'];
    const result = session({ rate: (level) => (level === 'c' ? 5000 : 10_000), levels }, normal);
    expect(sentencesOf(result)[1]).toMatch(/^durability c is slower than baseline: ×0\.5/);
    expect(answer(result, { baselines: { durability: 'c' } })).toMatchObject({ baseline: 'c' });
  });

  it('names open questions and how many repeats would resolve them', () => {
    const open = answer(session({ rate: flat(1.02), noise: 0.03 }, normal));
    expect(answerSentences({ answer: open })[0]).toMatch(
      /^Inconclusive: transactions with durability off vs. safe: ×\d\.\d\d to ×1\.\d\d \(all within 0\.\d\d – 1\.\d\d\) at every level of threads\.$/,
    );
    const at = session(
      { rate: flat(0.7), noise: 0.4, threads: [8], levels: ['safe', 'off'] },
      normalFrom(randomFrom(7)),
    );
    expect(sentencesOf(at)[0]).toMatch(/^Inconclusive: .* vs\. safe: ×\d\.\d\d \(0\.\d\d – \d\.\d\d\)\.$/);
    expect(open).toMatchObject({ verdict: 'open', more: { repeats: expect.any(Number), seconds: expect.any(Number) } });
    const once = answer(session({ rate: flat(0.5), repeats: 1 }, normal));
    expect(once).toMatchObject({ verdict: 'open', more: { repeats: 4, seconds: 4 * 8 * 30 } });
  });

  it('names drift if levels were not interleaved, and excludes partial cells', () => {
    expect(sentencesOf(session({ rate: flat(0.5), listed: true }, normal))[0]).toMatch(
      /not interleaved, so time may be the cause/,
    );
    const whole = session({ rate: flat(0.5) }, normal);
    const cells = whole.cells.map((cell, index) =>
      index === 0 ? { ...cell, means: [], trials: [], ...caveatsOf({ ...cell, partial: true, means: [] }) } : cell,
    );
    expect(sentencesOf({ ...whole, cells })[0]).toMatch(/ from threads 2 up; inconclusive at threads 1\.$/);
  });

  it('reads latency as lower is better, and calls no level better by a metric without a direction', () => {
    const slow = (level: Scalar): number => (level === 'safe' ? 8 : 2);
    const latency = answer(session({ rate: slow, metric: 'latency_avg_ms' }, normal));
    expect(answerSentences({ answer: latency })[0]).toMatch(
      /^durability off has a lower latency, mean than safe: ×0\.2/,
    );
    expect(latency.sentences[0]?.some(({ tone }) => tone === 'gain')).toBe(true);
    const neither = answer(session({ rate: slow, metric: 'threads_running' }, normal));
    expect(neither.sentences.flat().some(({ tone }) => tone === 'gain' || tone === 'loss')).toBe(false);
  });

  it('asks for the factor under test if several are possible, and answers the named one', () => {
    const more = [{ name: 'cache', levels: ['small', 'large'] }];
    const one = session({ rate: flat(1.5), more }, normal);
    const two = session({ rate: flat(1.6), more }, normal);
    const large = two.cells.map((cell) => ({
      ...cell,
      cell: cell.cell + 8,
      levels: { ...cell.levels, cache: 'large' },
    }));
    const both = { ...one, cells: [...one.cells, ...large] };
    const open = { choices: ['durability', 'cache'], sentences: [], verdict: 'none' };
    expect(answer(both)).toMatchObject(open);
    expect(answer(withKnees(both))).toMatchObject(open);
    expect(sentencesOf(both, { tested: 'durability' })[0]).toMatch(/ in all 8 combinations of threads, cache\.$/);
  });

  it('reports no knee if throughput rises to the end', () => {
    const rising = (_: Scalar, threads: number): number => 1000 * threads;
    expect(sentencesOf(withKnees(session({ rate: rising }, normal))).at(-1)).toBe(
      'None of the 2 lines has a knee in the measured range of threads.',
    );
    const both = (level: Scalar, threads: number): number => (level === 'safe' ? 500 : 1000 * threads);
    expect(sentencesOf(withKnees(session({ rate: both }, normal))).at(-1)).toBe(
      'Throughput stops rising beyond threads 1 in 1 of 2 lines.',
    );
  });
});

/** Throughput of a file system at each job count, whose seconds vary by `cv`; `still` of them are empty. */
interface Steadiness {
  mean: number;
  cv: number;
  /** Seconds of each run without a single write. */
  still?: number;
}

function steadySession(
  worlds: Readonly<Record<string, Steadiness>>,
  { repeats = 6, jobs = [1, 4] }: { repeats?: number; jobs?: number[] } = {},
): SessionResult {
  const names = Object.keys(worlds);
  const places = names.flatMap((name) => jobs.map((numjobs) => ({ name, numjobs })));
  const cells = places.map(({ name, numjobs }, cell): CellResult => {
    const { mean: level, cv, still = 0 } = worlds[name] as Steadiness;
    const runs = Array.from({ length: repeats }, () =>
      Float64Array.from({ length: 60 }, (_, second) => (second < still ? 0 : level * numjobs * (1 + cv * normal()))),
    );
    const means = runs.map((seconds) => 100 * (spreadOf(seconds)?.cv ?? Number.NaN));
    return {
      ...{ cell, levels: { directory: name, numjobs }, runs: [], means, errors: 0, partial: false },
      value: means.reduce((sum, each) => sum + each, 0) / repeats,
      trials: means.map((_, repeat) => repeat * places.length + cell),
      stalls: { count: still > 0 ? repeats : 0, longest: still, share: still / 60 },
    };
  });
  const factors: SessionResult['factors'] = [
    { name: 'directory', levels: names },
    { name: 'numjobs', levels: jobs, load: 'concurrency' },
  ];
  return { sessionId: 1, metric: VARIATION, metrics: ['iops'], factors, warmup: 0, cells };
}

describe(`the answer by steadiness, seed ${SEED}`, () => {
  it('names the steadier level, whatever its speed, with the reduction in variation and the stall time of each', () => {
    const result = steadySession({ ext4: { mean: 4000, cv: 0.1, still: 3 }, xfs: { mean: 1000, cv: 0.1 } });
    const [effect, stalls] = sentencesOf(result, { baselines: { directory: 'ext4' } });
    expect(effect).toMatch(
      /^directory xfs is steadier than ext4: ×0\.\d\d the variation \(0\.\d\d – 0\.\d\d\) at every level of numjobs\.$/,
    );
    expect(stalls).toBe('Stalled: ext4 5.0 % of the time, longest 3.0 s; xfs never.');
  });

  it('contains the true ratio in its interval', () => {
    let held = 0;
    for (let time = 0; time < SESSIONS; time++) {
      const worlds = { ext4: { mean: 1000, cv: 0.1 }, xfs: { mean: 2000, cv: 0.2 } };
      const [effect = ''] = sentencesOf(steadySession(worlds), { baselines: { directory: 'ext4' } });
      expect(effect).toMatch(/^directory xfs is less steady than ext4: /);
      const [low = 0, high = 0] = intervalIn([effect]) ?? [];
      if (low <= 2 && high >= 2) held++;
    }
    expect(held).toBeGreaterThanOrEqual(leastOf(SESSIONS, 0.95));
  });

  it('calls a level that is four times as fast and varies alike steadier in at most 5 % of sessions', () => {
    let [alarms, alike] = [0, 0];
    for (let time = 0; time < SESSIONS; time++) {
      const worlds = { ext4: { mean: 1000, cv: 0.1 }, xfs: { mean: 4000, cv: 0.1 } };
      const { sentences } = answer(steadySession(worlds), { baselines: { directory: 'ext4' } });
      if (sentences.flat().some(({ tone }) => tone === 'gain' || tone === 'loss')) alarms++;
      const [first] = answerSentences({ answer: { sentences, verdict: 'none' } });
      if (first?.startsWith('No difference in variation of throughput beyond ±25 % between directory ext4 and xfs'))
        alike++;
    }
    expect(alarms).toBeLessThanOrEqual(mostOf(SESSIONS, 0.05));
    expect(alike).toBeGreaterThanOrEqual(leastOf(SESSIONS, 0.5));
  });

  it('asks for more repeats if each level was measured once', () => {
    const worlds = { ext4: { mean: 1000, cv: 0.1 }, xfs: { mean: 1000, cv: 0.3 } };
    const once = answer(steadySession(worlds, { repeats: 1 }));
    expect(once).toMatchObject({ verdict: 'open', more: { repeats: 4 } });
    expect(answerSentences({ answer: once })[0]).toBe(
      'Inconclusive: variation of throughput with directory xfs vs. ext4 at every level of numjobs.',
    );
  });

  it('names regular dips, for each level the deepest', () => {
    const result = steadySession({ ext4: { mean: 1000, cv: 0.1 }, xfs: { mean: 1000, cv: 0.1 } });
    const dips = (depth: number) => ({ period: 12, depth, length: 2, count: 5, at: [] });
    const steadiness: SessionResult['steadiness'] = [
      { cell: 2, verdict: 'uneven', dips: dips(0.4) },
      { cell: 3, verdict: 'uneven', dips: dips(0.55) },
    ];
    expect(sentencesOf({ ...result, steadiness }).slice(1)).toEqual([
      'No stalls: no second passed without an event.',
      'Regular dips: xfs every 12 s, 55 % deep (2 of 2 cells).',
    ]);
  });
});
