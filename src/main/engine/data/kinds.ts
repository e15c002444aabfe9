import type { DataSetKind } from '../../../shared/model/data-set.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Step } from '../plans/index.ts';
import type { RunsContext } from '../runs/index.ts';
import { files } from './files.ts';
import type { DataKind, Need } from './kind.ts';
import { tables } from './tables.ts';

const KINDS: Readonly<Record<DataSetKind, DataKind>> = { tables, files };

export const kindOf = ({ kind }: { kind: DataSetKind }): DataKind => KINDS[kind];

export const ALL_KINDS: readonly DataKind[] = [files, tables];

/** Data of any kind that a step needs. A workload on files of its generator needs no tables. */
export function needOf(
  context: Pick<RunsContext, 'tools' | 'targets'>,
  experiment: Experiment,
  step: Step,
): Need | undefined {
  for (const kind of ALL_KINDS) {
    const need = kind.needOf(context, experiment, step);
    if (need) return need;
  }
  return undefined;
}
