import type { AppContract } from '../../../shared/contract/index.ts';
import type { DataSet } from '../../../shared/model/data-set.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { countDataSet, dataSetsOf, isBrokenOff, removeDataSet } from '../runs/index.ts';
import type { DataSetRow, Store } from '../store/store.ts';
import type { ApiContext } from './context.ts';

export function dataSetsApi(context: ApiContext): Implementation<AppContract['dataSets']> {
  const { store, runs, sessions } = context;
  return {
    list({ targetId }) {
      const target = targetId === undefined ? undefined : store.targets.get(targetId);
      if (targetId !== undefined && !target) return [];
      const rows = target ? dataSetsOf(store, target.spec.name) : store.dataSets.list();
      return rows.map((row) => presentDataSet(store, row));
    },
    count: async ({ id }, { signal }) => presentDataSet(store, await countDataSet(runs, sessions, id, signal)),
    remove: async (request, { signal }) => presentDataSet(store, await removeDataSet(runs, sessions, request, signal)),
  };
}

function presentDataSet(store: Store, row: DataSetRow): DataSet {
  const { recipe: _, bytes, madeAt, madeBy, countedAt, writtenAt, writtenBy, ...same } = row;
  return {
    ...same,
    target: store.targets.get(row.targetId)?.spec.name ?? '',
    state: isBrokenOff(store, row) ? 'partial' : row.state,
    ...(bytes !== null && { bytes }),
    ...(madeAt !== null && { madeAt }),
    ...(madeBy !== null && { madeBy }),
    ...(countedAt !== null && { countedAt }),
    ...(writtenAt !== null && { writtenAt }),
    ...(writtenBy !== null && { writtenBy }),
  };
}
