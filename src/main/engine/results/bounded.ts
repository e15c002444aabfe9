import { type ComparedSide, comparedFindings } from '../../../shared/checks/index.ts';
import { boundTitle, LOAD_VERDICTS } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import type { Store } from '../store/store.ts';
import type { ComparedSession } from './pair-cells.ts';
import { named, warning } from './warnings.ts';

type CellBound = NonNullable<CellResult['bound']>;

/** What bounds a cell: what most of its judged runs were bound by, where that is known of more than half of them. */
export function boundOfCell(
  judged: ReturnType<Store['judgements']['verdicts']>,
  runIds: readonly number[],
): CellBound | undefined {
  const known = runIds.flatMap((id) => judged.get(id) ?? []);
  const counts = Map.groupBy(known, ({ verdict }) => verdict);
  const [most] = [...counts.values()].sort((one, other) => other.length - one.length);
  const [first] = most ?? [];
  if (!most || !first || 2 * most.length <= known.length) return undefined;
  return { verdict: first.verdict, sentence: first.sentence, runs: most.length, of: known.length };
}

type Bounded = Pick<CellResult, 'levels' | 'bound'>;

/** Cells whose figure says how much load there was, and not what the system under test can do. */
const isLoadBound = ({ bound }: Bounded): boolean => bound !== undefined && LOAD_VERDICTS.includes(bound.verdict);

/** What is to be said of cells that the load generator or the network has bound, one for each way. */
export function boundFindings(cells: readonly Bounded[]): Finding[] {
  const groups = Map.groupBy(cells.filter(isLoadBound), ({ bound }) => (bound as CellBound).verdict);
  return [...groups].map(([verdict, bounded]): Finding => {
    const which = cells.length === 1 ? 'The only cell' : `${formatCount(bounded.length, 'cell')} of ${cells.length}`;
    const names = named(bounded.map(({ levels }) => formatLevels(levels)).filter((words) => words !== ''));
    return {
      ...warning(
        verdict === 'network' ? 'bound-by-network' : 'bound-by-generator',
        `${which} ${bounded.length === 1 ? 'was' : 'were'} bound by ${boundTitle(verdict)}, not by the system under test${names && `: ${names}`}.`,
        verdict === 'network'
          ? 'Do not rank or compare these figures as those of the server: use a faster network, or less traffic for each operation.'
          : 'Do not rank or compare these figures as those of the server: use more or larger generators.',
      ),
      evidence: bounded[0]?.bound?.sentence ?? '',
    };
  });
}

/** What makes pairs of cells doubtful as far as hosts and servers were watched: of each kind the first, and in how many more it is. */
export function pairFindings(cells: readonly ComparedCell[], one: ComparedSession, other: ComparedSession): Finding[] {
  const kinds = new Map<string, { first: Finding; cells: number }>();
  for (const { baseline, other: second } of cells) {
    if (!baseline || !second) continue;
    const findings = comparedFindings(sideOf(baseline, one), sideOf(second, other));
    for (const finding of new Map(findings.map((each) => [each.code, each])).values()) {
      const known = kinds.get(finding.code);
      if (known) known.cells += 1;
      else kinds.set(finding.code, { first: finding, cells: 1 });
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
