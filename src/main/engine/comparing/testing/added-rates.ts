import type { Comparison } from '../../../../shared/model/result.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { measure, type Trial, type World } from '../../figures/testing/worlds.ts';
import { compareLevels } from '../compare.ts';
import { claims, FALSE_ALARMS, QUIET, shareOf } from './error-rates.ts';
import { betweenSessions, orderOf, type Setting, sessionFrom, withinSession } from './simulated.ts';

/** Share of simulated worlds in which a condition was met. */
export interface Share {
  readonly what: 'overall interval' | 'false alarms' | 'settled';
  readonly how: string;
  readonly world: string;
  readonly cells: number;
  readonly repeats: number;
  /** Simulations that count: for `settled` those with something to settle. */
  readonly times: number;
  readonly share: number;
  readonly least?: number;
  readonly most?: number;
}

const COVERAGE = { least: 0.95 };

/** How often the interval of the overall ratio contains the true one. */
export function* overallRates(
  times: number,
  seed: number,
  worlds: readonly World[],
  { sizes = [2, 10], repeats: counts = [2, 3, 5, 10] }: { sizes?: number[]; repeats?: number[] } = {},
): Generator<Share> {
  const random = randomFrom(seed);
  for (const world of worlds) {
    for (const cells of sizes) {
      for (const repeats of counts) {
        const setting: Setting = { world, cells, repeats, ratio: 1.05 };
        const share = shareOf(times, () => holdsOverall(withinSession(setting, random), 1.05));
        yield {
          what: 'overall interval',
          how: 'one session',
          world: world.name,
          cells,
          repeats,
          times,
          share,
          ...COVERAGE,
        };
      }
    }
    for (const sessions of [2, 3, 5]) {
      const setting = { world, cells: 4, repeats: 3, sessions, turns: true };
      const share = shareOf(times / 2, () => holdsOverall(betweenSessions(setting, random), 1));
      const how = `${sessions} sessions a side, in turns`;
      yield {
        what: 'overall interval',
        how,
        world: world.name,
        cells: 4,
        repeats: 3,
        times: times / 2,
        share,
        ...COVERAGE,
      };
    }
  }
}

/** `ratio`: true ratio of every cell, and so of all together. */
function holdsOverall({ overall }: Comparison, ratio: number): boolean {
  const { interval } = overall ?? {};
  return interval !== undefined && interval.low <= ratio && interval.high >= ratio;
}

const MARGIN = 0.03;

/**
 * Outcome of sessions whose undecided cells, with their baseline, get as many more repeats as recommended. `settled`: among the cells with a
 * recommended number. Two kinds of worlds, those that the number is meant for: all cells equal, and all apart by the margin.
 */
export function* addedRates(times: number, seed: number, noises: readonly number[]): Generator<Share> {
  const random = randomFrom(seed);
  for (const run of noises) {
    const world: World = { ...QUIET, name: `each run off by ${run * 100} %`, run };
    for (const cells of [1, 4]) {
      for (const repeats of [2, 3, 5]) {
        for (const ratio of [1, 1 + MARGIN]) {
          const outcomes = Array.from({ length: times }, () => added({ world, cells, repeats, ratio }, random));
          const base = { world: world.name, cells, repeats };
          const asked = outcomes.reduce((sum, each) => sum + each.asked, 0);
          const settled = outcomes.reduce((sum, each) => sum + each.settled, 0) / asked;
          yield {
            ...base,
            what: 'settled',
            how: ratio === 1 ? 'equal' : 'apart by the margin',
            times: asked,
            share: settled,
          };
          if (ratio !== 1) continue;
          const share = outcomes.filter(({ alarm }) => alarm).length / times;
          yield { ...base, what: 'false alarms', how: 'repeats added', times, share, most: FALSE_ALARMS };
        }
      }
    }
  }
}

function added(setting: Setting, random: () => number): { asked: number; settled: number; alarm: boolean } {
  const trials = orderOf(setting);
  const before = measure(setting.world, trials, random, [0, 0.5]);
  const first = compare(sessionFrom(trials, before));
  const undecided = first.cells.filter(({ more }) => more !== undefined);
  const more = Math.max(0, ...undecided.map((cell) => cell.more ?? 0));
  if (more === 0) return { asked: 0, settled: 0, alarm: claims(first) };
  const chosen = [0, ...undecided.map(({ levels }) => Number(levels.cell))];
  const rounds = Array.from({ length: more }, () =>
    chosen.map((cell): Trial => ({ cell, factor: cell === 0 ? 1 : (setting.ratio ?? 1) })),
  ).flat();
  const after = measure(setting.world, rounds, random, [0.5, 1]);
  const second = compare(sessionFrom([...trials, ...rounds], [...before, ...after], 1, trials.length));
  const settled = second.cells.filter(
    ({ levels, verdict }) => chosen.includes(Number(levels.cell)) && verdict !== 'cannot-tell',
  );
  return { asked: undecided.length, settled: settled.length, alarm: claims(second) };
}

const compare = (session: Parameters<typeof compareLevels>[0]): Comparison =>
  compareLevels(session, { factor: 'cell', level: 0 }, { margin: MARGIN });
