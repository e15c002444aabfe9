import type { AppContract } from '../../../shared/contract/index.ts';
import type { FileSet } from '../../../shared/model/file-set.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { checkFileSet, fileSetsOf, isFileSetBrokenOff, removeFileSet } from '../runs/index.ts';
import type { FileSetRow, Store } from '../store/store.ts';
import type { ApiContext } from './context.ts';

export function fileSetsApi(context: ApiContext): Implementation<AppContract['fileSets']> {
  const { store, runs, sessions } = context;
  return {
    list({ hostId }) {
      const host = hostId === undefined ? undefined : store.hosts.get(hostId);
      if (hostId !== undefined && !host) return [];
      const rows = host ? fileSetsOf(store, host.spec.name) : store.fileSets.list();
      return rows.map((row) => presentFileSet(store, row));
    },
    check: async ({ id }, { signal }) => presentFileSet(store, await checkFileSet(runs, sessions, id, signal)),
    remove: async ({ id }, { signal }) => presentFileSet(store, await removeFileSet(runs, sessions, id, signal)),
  };
}

function presentFileSet(store: Store, row: FileSetRow): FileSet {
  const { recipe: _, madeAt, madeBy, checkedAt, writtenAt, writtenBy, ...same } = row;
  return {
    ...same,
    host: store.hosts.get(row.hostId)?.spec.name ?? '',
    state: isFileSetBrokenOff(store, row) ? 'partial' : row.state,
    ...(madeAt !== null && { madeAt }),
    ...(madeBy !== null && { madeBy }),
    ...(checkedAt !== null && { checkedAt }),
    ...(writtenAt !== null && { writtenAt }),
    ...(writtenBy !== null && { writtenBy }),
  };
}
