import { IconDatabaseImport } from '@tabler/icons-react';
import { rowWords, type TableSet, tableWords } from '../../../shared/model/data-set.ts';
import type { Target } from '../../../shared/model/target.ts';
import { formatBytes, formatCount, formatDateTime, NO_VALUE } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { VaultUnlock } from '../../domain/problems.tsx';
import { actionsColumn, madeColumn, stateColumn, titleColumn } from '../../domain/setColumns.tsx';
import { type Column, DataTable, EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';

/** Data that workloads have created, or found, in the database of a target. */
export function DataSets({ target }: { target: Target }) {
  const sets = useCall('dataSets.list', { kind: 'tables', targetId: target.id });
  const look = useAction('dataSets.look');
  const remove = useAction('dataSets.remove');
  const rows = sets.data?.filter((set) => set.kind === 'tables');
  const problem = sets.error?.problem ?? remove.error?.problem ?? look.error?.problem;
  const forget = (): void => {
    look.reset();
    remove.reset();
  };
  const actions = actionsColumn<TableSet>({
    words: tableWords,
    verb: 'Count',
    look,
    removal: (set) => `Drop ${formatCount(set.tables.length, 'table')}`,
    question: (set) =>
      `Drop ${tableWords(set)} on ${set.target}? ${originOf(set)} This runs the clean-up step of ${set.tool} and cannot be undone.`,
    remove,
  });
  return (
    <>
      {problem?.code === 'vault-locked' ? (
        <VaultUnlock problem={problem} onUnlocked={forget} />
      ) : (
        problem && <ProblemBanner problem={problem} />
      )}
      <Panel label="Data sets" flush={rows?.length !== 0}>
        {!rows ? (
          <TableSkeleton rows={3} />
        ) : rows.length === 0 ? (
          <EmptyState icon={<IconDatabaseImport size={28} stroke={1.4} />} title="No data set yet">
            Sessions create the tables for their workload before the first trial. They are listed here, reused by later
            sessions, and kept until you remove them.
          </EmptyState>
        ) : (
          <DataTable label="Data sets" rows={rows} rowId={({ id }) => String(id)} columns={[...COLUMNS, actions]} />
        )}
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<TableSet>[] = [
  { id: 'id', header: 'Id', align: 'right', value: ({ id }) => id },
  titleColumn<TableSet>('Data', tableWords, ({ tool, shape }) => `${tool}: ${shape}`),
  { id: 'rows', header: 'Rows', align: 'right', value: (set) => rowWords(set) },
  {
    id: 'bytes',
    header: 'Size, about',
    align: 'right',
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => (bytes === undefined ? NO_VALUE : formatBytes(bytes)),
  },
  stateColumn(),
  madeColumn(),
  {
    id: 'counted',
    header: 'Counted',
    value: ({ countedAt }) => countedAt,
    cell: ({ countedAt }) => formatDateTime(countedAt),
    minor: true,
  },
];

const originOf = ({ madeAt }: TableSet): string =>
  madeAt === undefined ? 'Kneepoint did not create this data; other users may need it.' : '';
