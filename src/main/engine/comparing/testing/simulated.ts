import type { CellResult, Comparison, SessionResult } from '../../../../shared/model/result.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { spreadOf } from '../../../../shared/stats/index.ts';
import { measure, type Simulated, type Trial, type World } from '../../figures/testing/worlds.ts';
import { compareLevels, compareSessions } from '../compare.ts';
import type { ComparedSession } from '../pairs.ts';

export interface Setting {
  readonly world: World;
  /** Cells in addition to the baseline. */
  readonly cells: number;
  readonly repeats: number;
  /** True ratio of every cell to the baseline; 1: there is nothing to find. */
  readonly ratio?: number;
  /** All repeats of a cell before the next one, not in rounds. */
  readonly listed?: boolean;
}

/** Cell 0 is the baseline. */
export const orderOf = ({ cells, repeats, listed, ratio = 1 }: Setting): Trial[] =>
  Array.from({ length: (cells + 1) * repeats }, (_, index) => {
    const cell = listed ? Math.floor(index / repeats) : index % (cells + 1);
    return { cell, factor: cell === 0 ? 1 : ratio };
  });

/** One simulated session of these trials. */
const sessionOf = (
  setting: Setting,
  trials: readonly Trial[],
  random: () => number,
  id = 1,
  span?: readonly [number, number],
): ComparedSession => sessionFrom(trials, measure(setting.world, trials, random, span), id);

/** A session of measured trials, as the one query behind every figure would return it. `from`: first trial of an added part. */
export function sessionFrom(
  trials: readonly Trial[],
  simulated: readonly Simulated[],
  id = 1,
  from?: number,
): ComparedSession {
  const cells = Array.from({ length: Math.max(...trials.map(({ cell }) => cell)) + 1 }, (_, cell): CellResult => {
    const places = trials.flatMap((trial, place) => (trial.cell === cell ? [place] : []));
    const own = places.map((place) => simulated[place] as Simulated);
    const means = own.map(({ spread }) => spread.mean);
    const runs = own.map(({ spread }, repeat) => ({
      ...{ runId: repeat, repeat, state: 'done' as const, partial: false, errors: 0, spread },
    }));
    const spread = spreadOf(Float64Array.from(means));
    const resolution = Math.min(...own.map((each) => each.resolution));
    return {
      ...{ cell, levels: { cell }, runs, means, trials: places, resolution, errors: 0, partial: false },
      ...(spread && { value: spread.mean, spread }),
    };
  });
  const factors = [{ name: 'cell', levels: cells.map(({ cell }) => cell) }];
  const result: SessionResult = { ...{ sessionId: id, metric: 'tps', metrics: ['tps'], factors, warmup: 0 }, cells };
  const detail = {
    session: { id, name: `Session ${id}`, tool: 'simulated', createdAt: id },
    experiment: { factors, workload: { options: {} }, measure: {} },
    hosts: [],
    ...(from !== undefined && { later: [{ from, at: 0, added: trials.length - from }] }),
  };
  return { detail: detail as unknown as SessionDetail, result };
}

/** Compares cells of one session with its first. */
export const withinSession = (setting: Setting, random: () => number): Comparison =>
  compareLevels(sessionOf(setting, orderOf(setting), random), { factor: 'cell', level: 0 });

/** The figures of one simulated session. */
export const simulatedResult = (setting: Setting, random: () => number): SessionResult =>
  sessionOf(setting, orderOf(setting), random).result;

/** The same cells in several sessions per side, of three repeats each; interleaved (A B A B …) or all of one side first. */
export function betweenSessions(
  setting: Setting & { sessions: number; turns: boolean },
  random: () => number,
): Comparison {
  const count = 2 * setting.sessions;
  const trials = orderOf({ ...setting, cells: setting.cells - 1 });
  const sessions = Array.from({ length: count }, (_, index) =>
    sessionOf(setting, trials, random, index + 1, [index / count, (index + 1) / count]),
  );
  const isOther = (index: number): boolean => (setting.turns ? index % 2 === 1 : index >= setting.sessions);
  return compareSessions(
    sessions.filter((_, index) => !isOther(index)),
    sessions.filter((_, index) => isOther(index)),
  );
}
