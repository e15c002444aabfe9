import type { Comparison, SessionResult, Verdict } from '../../../../shared/model/result.ts';
import { bestOf, repeatsInterval } from '../../../../shared/stats/index.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import type { World } from '../../figures/testing/worlds.ts';
import { betweenSessions, type Setting, simulatedResult, withinSession } from './simulated.ts';

/** Verdicts that call a difference real and attribute it to what was compared. */
const CLAIMS: readonly Verdict[] = ['better', 'worse', 'higher', 'lower', 'too-small'];

export const claims = ({ cells }: { cells: readonly { verdict: Verdict }[] }): boolean =>
  cells.some(({ verdict }) => CLAIMS.includes(verdict));
const finds = ({ cells }: Comparison): boolean => cells.every(({ verdict }) => verdict === 'better');
const findsNoDifference = ({ cells }: Comparison): boolean =>
  cells.some(({ verdict }) => verdict === 'no-difference' || verdict === 'too-small');

/** Whether the intervals of all cells contain the true ratio at the same time. */
const covers = ({ cells }: Comparison, ratio = 1): boolean =>
  cells.every(({ interval }) => interval !== undefined && interval.low <= ratio && interval.high >= ratio);

/** Whether the interval of a cell's own figure contains its true rate. */
const coversRate = (result: SessionResult, rate = 1000): boolean => {
  const interval = repeatsInterval(result.cells[0]?.means ?? []);
  return interval !== undefined && interval.low <= rate && interval.high >= rate;
};

/** Share of this many simulations in which something happens. */
export function shareOf(times: number, happens: () => boolean): number {
  let count = 0;
  for (let time = 0; time < times; time++) if (happens()) count++;
  return count / times;
}

/** Rate of an outcome in simulated worlds, and its bounds. */
export interface Rate {
  readonly what:
    | 'false alarms'
    | 'no verdict'
    | 'same at the margin'
    | 'interval of a ratio'
    | 'interval of a rate'
    | 'found';
  readonly how: string;
  readonly world: string;
  readonly cells: number;
  readonly repeats: number;
  readonly times: number;
  readonly share: number;
  readonly least?: number;
  readonly most?: number;
}

/** Whether a rate is within its bounds, except for the chance in this many simulations (three standard errors). */
export function holds({ share, times, least = 0, most = 1 }: Rate): boolean {
  const chance = (bound: number): number => 3 * Math.sqrt((bound * (1 - bound)) / times);
  return share >= least - chance(least) && share <= most + chance(most);
}

/** One cell needs many simulations; each of fifty cells has its own chance of a false alarm. */
const WEIGHTS: Readonly<Record<number, number>> = { 1: 1, 10: 0.5, 50: 0.2 };
export const FALSE_ALARMS = 0.05;

/** Worlds for which intervals must hold: their noise is alike from run to run, and no cell helps another. */
const WELL_BEHAVED = ['white', 'ar-0.5', 'ar-0.95', 'runs'];
/** Run noise of 1 %. */
export const QUIET: World = { name: 'quiet', words: 'each run off by 1 %', second: 0.01, run: 0.01 };

/** Every rate that `docs/statistics/error-rates.md` promises; `times`: simulations of a single cell. The same seed yields the same rates. */
export function* errorRates(
  times: number,
  seed: number,
  {
    worlds,
    sizes = [1, 10, 50],
    repeats = [2, 3, 5, 10],
  }: { worlds: readonly World[]; sizes?: number[]; repeats?: number[] },
): Generator<Rate> {
  const random = randomFrom(seed);
  const named = (name: string): World => worlds.find((world) => world.name === name) ?? QUIET;
  for (const world of worlds) {
    for (const cells of sizes) {
      for (const each of repeats) {
        const setting = { world, cells, repeats: each };
        yield* inOneSession(setting, Math.ceil(times * (WEIGHTS[cells] ?? 0.2)), random);
      }
    }
  }
  for (const [cells, each] of [
    [9, 3],
    [4, 5],
  ] as const) {
    const setting = { world: QUIET, cells, repeats: each };
    const share = shareOf(times / 2, () => (bestOf(simulatedResult(setting, random))?.beaten.length ?? 0) > 0);
    yield {
      what: 'false alarms',
      how: 'the best cell',
      world: 'quiet',
      cells,
      repeats: each,
      times: times / 2,
      share,
      most: FALSE_ALARMS,
    };
  }
  for (const name of ['drift', 'session']) yield* acrossTime(named(name), times / 2, random);
  const margin = { world: QUIET, cells: 1, repeats: 5, ratio: 1.03 };
  const found = shareOf(times, () => finds(withinSession(margin, random)));
  yield {
    what: 'found',
    how: '3 %, one session',
    world: 'quiet',
    cells: 1,
    repeats: 5,
    times,
    share: found,
    least: 0.9,
  };
  const same = shareOf(times, () => findsNoDifference(withinSession(margin, random)));
  yield {
    what: 'same at the margin',
    how: '3 %, one session',
    world: 'quiet',
    cells: 1,
    repeats: 5,
    times,
    share: same,
    most: FALSE_ALARMS,
  };
}

function* inOneSession(setting: Setting, times: number, random: () => number): Generator<Rate> {
  const { world, cells, repeats } = setting;
  const base = { how: 'one session', world: world.name, cells, repeats, times };
  let covered = 0;
  const share = shareOf(times, () => {
    const comparison = withinSession(setting, random);
    if (covers(comparison)) covered++;
    return claims(comparison);
  });
  yield { ...base, what: 'false alarms', share, most: FALSE_ALARMS };
  if (cells > 1 || !WELL_BEHAVED.includes(world.name)) return;
  // With two or three repeats the floors make intervals wider than necessary, but never narrower.
  yield {
    ...base,
    what: 'interval of a ratio',
    share: covered / times,
    least: 0.93,
    ...(repeats > 3 && { most: 0.97 }),
  };
  const ofRate = shareOf(times, () => coversRate(simulatedResult(setting, random)));
  yield { ...base, what: 'interval of a rate', share: ofRate, least: 0.93, most: 0.97 };
}

/** Sessions and cells measured one after the other get no verdict; interleaved, they get one that holds. */
function* acrossTime(world: World, times: number, random: () => number): Generator<Rate> {
  const base = { world: world.name, times };
  const claimed = (comparison: () => Comparison): number => shareOf(times, () => claims(comparison()));
  const listed = { world, cells: 3, repeats: 5, listed: true };
  yield {
    ...base,
    what: 'no verdict',
    how: 'cells one after the other',
    cells: 3,
    repeats: 5,
    share: claimed(() => withinSession(listed, random)),
    most: 0,
  };
  for (const sessions of [1, 2, 3, 5]) {
    for (const turns of sessions === 1 ? [false] : [true, false]) {
      const setting = { world, cells: 3, repeats: 3, sessions, turns };
      const how = `${sessions} ${sessions === 1 ? 'session' : 'sessions'} a side${turns ? ', in turns' : ', one side first'}`;
      const share = claimed(() => betweenSessions(setting, random));
      yield {
        ...base,
        what: turns ? 'false alarms' : 'no verdict',
        how,
        cells: 3,
        repeats: 3,
        share,
        most: turns ? FALSE_ALARMS : 0,
      };
    }
  }
}
