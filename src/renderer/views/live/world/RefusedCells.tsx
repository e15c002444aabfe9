import type { Run } from '../../../../shared/model/session.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { FindingsList } from '../../../domain/index.ts';
import { type Refused, refusedCells } from './refused.ts';

/** Cells that a host or server has refused, in its words; nothing while there are none. */
export function RefusedCells({ runs }: { runs: ReadonlyMap<number, Run> }) {
  const refused = refusedCells(runs.values());
  return refused.length === 0 ? null : <FindingsList findings={refused.map(findingOf)} beside />;
}

/** Cells beyond these are counted. */
const NAMED = 4;

function findingOf({ message, cells, trials }: Refused) {
  const more = cells.length > NAMED ? `; and ${cells.length - NAMED} more` : '';
  return {
    code: 'change-refused',
    severity: 'warn' as const,
    message: `Refused: ${cells.slice(0, NAMED).join('; ')}${more}. ${message}`,
    next: `${formatCount(trials, 'trial')} not run so far; the other cells are measured.`,
  };
}
