import { boundTitle, LOAD_VERDICTS } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import type { Store } from '../store/store.ts';
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

/** What is to be said of cells that the load generator or the network has bound, one for each way. `whose`: “of session A”. */
export function boundFindings(cells: readonly Bounded[], whose = ''): Finding[] {
  const groups = Map.groupBy(cells.filter(isLoadBound), ({ bound }) => (bound as CellBound).verdict);
  return [...groups].map(([verdict, bounded]): Finding => {
    const which = cells.length === 1 ? 'The only cell' : `${formatCount(bounded.length, 'cell')} of ${cells.length}`;
    const names = named(bounded.map(({ levels }) => formatLevels(levels)).filter((words) => words !== ''));
    return {
      ...warning(
        `bound-by-${verdict}`,
        `${which}${whose && ` ${whose}`} ${bounded.length === 1 ? 'was' : 'were'} bound by ${boundTitle(verdict)}, not by the system under test${names && `: ${names}`}.`,
        verdict === 'network'
          ? 'Do not rank or compare these figures as those of the server: use a faster network, or less traffic for each operation.'
          : 'Do not rank or compare these figures as those of the server: use more or larger generators.',
      ),
      evidence: bounded[0]?.bound?.sentence ?? '',
    };
  });
}
