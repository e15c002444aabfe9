import type { Run } from '../../../../shared/model/session.ts';
import { formatLevels } from '../../../../shared/util/format.ts';

/** Cells that a host or server has refused, by what it said. */
export interface Refused {
  readonly message: string;
  /** By their levels, in the order of their trials. */
  readonly cells: readonly string[];
  readonly trials: number;
}

/** What says something of the cell alone: all of its trials fail by it. */
const OF_CELLS: readonly string[] = ['change-refused', 'change-not-possible'];

export function refusedCells(runs: Iterable<Run>): Refused[] {
  const refused = new Map<string, { cells: Map<number, string>; trials: number }>();
  for (const { state, startedAt, findings, cell, levels } of runs) {
    const finding = findings.find(({ code }) => OF_CELLS.includes(code));
    if (state !== 'failed' || startedAt !== undefined || !finding) continue;
    const known = refused.get(finding.message) ?? { cells: new Map<number, string>(), trials: 0 };
    known.cells.set(cell, formatLevels(levels) || 'the only cell');
    refused.set(finding.message, { cells: known.cells, trials: known.trials + 1 });
  }
  return [...refused].map(([message, { cells, trials }]) => ({ message, cells: [...cells.values()], trials }));
}
