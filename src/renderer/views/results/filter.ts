import type { Scalar } from '../../../shared/model/experiment.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';

/** Visible levels per factor; a missing factor shows all. */
export type LevelFilter = Readonly<Record<string, readonly Scalar[]>>;

const PREFIX = 'only.';

/** Filter in an address, `only.threads=1&only.threads=4`; factors and levels that the session does not have are ignored. */
export function filterIn(parameters: URLSearchParams, factors: SessionResult['factors']): LevelFilter {
  return Object.fromEntries(
    factors.flatMap(({ name, levels }) => {
      const named = parameters.getAll(PREFIX + name);
      const shown = levels.filter((level) => named.includes(String(level)));
      return shown.length > 0 && shown.length < levels.length ? [[name, shown]] : [];
    }),
  );
}

/** The address with its filter replaced by this one. */
export function withFilter(parameters: URLSearchParams, filter: LevelFilter): URLSearchParams {
  const next = new URLSearchParams([...parameters].filter(([name]) => !name.startsWith(PREFIX)));
  for (const [name, shown] of Object.entries(filter))
    for (const level of shown) next.append(PREFIX + name, String(level));
  return next;
}

/** Whether a combination of levels is visible. */
export const passes = (levels: CellResult['levels'], filter: LevelFilter): boolean =>
  Object.entries(filter).every(([name, shown]) => shown.some((level) => level === levels[name]));

/** The part of a result within the filter; the result itself if the filter shows everything. */
export function shownOf(result: SessionResult, filter: LevelFilter): SessionResult {
  if (Object.keys(filter).length === 0) return result;
  const isShown = (levels: CellResult['levels']): boolean =>
    Object.entries(filter).every(([name, shown]) => levels[name] === undefined || shown.includes(levels[name]));
  return {
    ...result,
    factors: result.factors.map((factor) => ({ ...factor, levels: filter[factor.name]?.slice() ?? factor.levels })),
    cells: result.cells.filter(({ levels }) => passes(levels, filter)),
    ...(result.crossings && {
      crossings: result.crossings.filter(
        ({ along, factor, one, other, levels }) =>
          !filter[along] && [one, other].every((level) => isShown({ [factor]: level })) && isShown(levels),
      ),
    }),
    // A knee applies to the whole ladder of a line: it is not shown for a part.
    ...(result.scaling && {
      scaling: result.scaling.filter(({ factor, levels }) => !filter[factor] && isShown(levels)),
    }),
  };
}
