import type { AppContract } from '../../../shared/contract/index.ts';
import type { DataSet } from '../../../shared/model/data-set.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { dataSetsAt, inspectDataSet, isBrokenOff, removeDataSet } from '../data/index.ts';
import type { DataSetRow, Store } from '../store/store.ts';
import type { ApiContext } from './context.ts';

export function dataSetsApi(context: ApiContext): Implementation<AppContract['dataSets']> {
  const { store, runs, sessions } = context;
  return {
    list: (wanted) => listed(store, wanted).map((row) => presentDataSet(store, row)),
    look: async (ref, { signal }) => presentDataSet(store, await inspectDataSet(runs, sessions, ref, signal)),
    remove: async (request, { signal }) => presentDataSet(store, await removeDataSet(runs, sessions, request, signal)),
  };
}

type Wanted = Parameters<Implementation<AppContract['dataSets']>['list']>[0];

function listed(store: Store, { kind, targetId, hostId }: Wanted): DataSetRow[] {
  const { tables, files } = store.dataSets;
  const isAny = targetId === undefined && hostId === undefined;
  const target = targetId === undefined ? undefined : store.targets.get(targetId)?.spec.name;
  const host = hostId === undefined ? undefined : store.hosts.get(hostId)?.spec.name;
  const ofTables = isAny ? tables.list() : target === undefined ? [] : dataSetsAt(store, 'tables', target);
  const ofFiles = isAny ? files.list() : host === undefined ? [] : dataSetsAt(store, 'files', host);
  return [...ofTables, ...ofFiles].filter((set) => kind === undefined || set.kind === kind);
}

function presentDataSet(store: Store, row: DataSetRow): DataSet {
  const { id, tool, title, madeAt, madeBy, writtenAt, writtenBy, lookedAt, bytes, placeId, shape, directory } = row;
  const made = {
    ...{ id, tool, title },
    state: isBrokenOff(store, row) ? ('partial' as const) : row.state,
    ...(madeAt !== null && { madeAt }),
    ...(madeBy !== null && { madeBy }),
    ...(writtenAt !== null && { writtenAt }),
    ...(writtenBy !== null && { writtenBy }),
  };
  if (row.kind === 'tables')
    return {
      ...{ ...made, kind: 'tables', targetId: placeId, target: store.targets.get(placeId)?.spec.name ?? '', shape },
      tables: row.parts.map(({ size, ...same }) => ({ ...same, rows: size })),
      ...(bytes !== null && { bytes }),
      ...(lookedAt !== null && { countedAt: lookedAt }),
    };
  return {
    ...{ ...made, kind: 'files', hostId: placeId, host: store.hosts.get(placeId)?.spec.name ?? '', directory },
    files: row.parts.map(({ size, runs: _, ...same }) => ({ ...same, bytes: size })),
    ...(lookedAt !== null && { checkedAt: lookedAt }),
  };
}
