import { type ComparedSide, comparedFindings } from '../../../shared/checks/index.ts';
import { warningGroups } from '../../../shared/model/figure.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import type { ComparedSession } from './pairs.ts';
import { warning } from './warnings.ts';

/** Warnings of figures that have a next step. */
export const warningFindings = (cells: Parameters<typeof warningGroups>[0]): Finding[] =>
  warningGroups(cells).flatMap(({ id, message, evidence, next }) =>
    next === undefined ? [] : [{ ...warning(id, message, next), ...(evidence && { evidence }) }],
  );

/** Findings from monitoring that make pairs of cells doubtful: the first of each kind, with the number of further cells. */
export function pairFindings(cells: readonly ComparedCell[], one: ComparedSession, other: ComparedSession): Finding[] {
  const kinds = new Map<string, { first: Finding; cells: number }>();
  for (const { baseline, other: second } of cells) {
    if (!baseline || !second) continue;
    const findings = comparedFindings(sideOf(baseline, one), sideOf(second, other));
    // A check may find two things for one pair, such as reads and writes, or both sides: each is listed separately.
    const found = Map.groupBy(findings, ({ code, evidence = '' }) => `${code} ${evidence}`);
    const told = [...found].flatMap(([of, all]) => all.map((finding, place) => [`${of} ${place}`, finding] as const));
    for (const [kind, finding] of told) {
      const known = kinds.get(kind);
      if (known) known.cells += 1;
      else kinds.set(kind, { first: finding, cells: 1 });
    }
  }
  return [...kinds.values()].map(({ first, cells: count }) =>
    count === 1 ? first : { ...first, message: `${first.message} Also in ${formatCount(count - 1, 'more cell')}.` },
  );
}

const sideOf = (cell: CellResult, { detail, costs, queueDepth }: ComparedSession): ComparedSide => ({
  name: [`“${detail.session.name}”`, formatLevels(cell.levels)].filter((part) => part !== '').join(', '),
  ...(cell.bound && { bound: cell.bound }),
  ...(costs && { costs: costs(cell) }),
  ...queueOf(queueDepth?.(cell.levels)),
});

const queueOf = (queueDepth: number | undefined): Pick<ComparedSide, 'queueDepth'> =>
  queueDepth === undefined ? {} : { queueDepth };
