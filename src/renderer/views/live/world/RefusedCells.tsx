import { problemKind } from '../../../../shared/model/problem.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { formatCount, formatLevels } from '../../../../shared/util/format.ts';
import { FindingsList } from '../../../domain/index.ts';

/** Cells that a host or server has refused, with its message; renders nothing without any. */
export function RefusedCells({ runs }: { runs: ReadonlyMap<number, Run> }) {
  const refused = refusedCells(runs.values());
  return refused.length === 0 ? null : <FindingsList findings={refused.map(findingOf)} inColumns />;
}

/** More cells are only counted. */
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

/** Cells that a host or server has refused, by its message. */
interface Refused {
  readonly message: string;
  /** By their levels, in trial order. */
  readonly cells: readonly string[];
  readonly trials: number;
}

export function refusedCells(runs: Iterable<Run>): Refused[] {
  const refused = new Map<string, { cells: Map<number, string>; trials: number }>();
  for (const { state, startedAt, findings, cell, levels } of runs) {
    // All trials of the cell fail because of it.
    const finding = findings.find((each) => problemKind(each)?.about === 'cell');
    if (state !== 'failed' || startedAt !== undefined || !finding) continue;
    const known = refused.get(finding.message) ?? { cells: new Map<number, string>(), trials: 0 };
    known.cells.set(cell, formatLevels(levels) || 'the only cell');
    refused.set(finding.message, { cells: known.cells, trials: known.trials + 1 });
  }
  return [...refused].map(([message, { cells, trials }]) => ({ message, cells: [...cells.values()], trials }));
}
