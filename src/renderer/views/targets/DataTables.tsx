import type { ReactNode } from 'react';
import type { DataSizes } from '../../../shared/model/target-details.ts';
import { formatBytes, formatNumber } from '../../../shared/util/format.ts';
import { type Column, DataTable, Panel } from '../../ui/index.ts';
import classes from './targets.module.css';

type Database = DataSizes['databases'][number];
type Table = DataSizes['tables'][number];

const size: Column<Database> = {
  id: 'bytes',
  header: 'Size',
  align: 'right',
  value: ({ bytes }) => bytes,
  cell: ({ bytes }) => formatBytes(bytes),
};
const name: Column<Database> = { id: 'name', header: 'Name', grow: true, value: (row) => row.name };

const TABLE_COLUMNS: readonly Column<Table>[] = [
  name,
  {
    id: 'rows',
    header: 'Rows, about',
    align: 'right',
    value: ({ rows }) => rows,
    cell: ({ rows }) => formatNumber(rows),
  },
  {
    id: 'index',
    header: 'Indexes',
    align: 'right',
    value: ({ indexBytes }) => indexBytes,
    cell: ({ indexBytes }) => formatBytes(indexBytes),
  },
  size,
];

/** How large databases and tables are, as the server tells it. */
export function DataTables({ sizes, moment }: { sizes: DataSizes; moment: ReactNode }) {
  const left = sizes.tablesLeftOut;
  return (
    <>
      <div className={classes.bar}>{moment}</div>
      <div className={classes.sizes}>
        <Panel
          title="Tables of its database"
          note={left > 0 ? `the largest; ${formatNumber(left)} smaller ones are not listed` : undefined}
          flush
        >
          <DataTable
            label="Tables"
            columns={TABLE_COLUMNS}
            rows={sizes.tables}
            rowId={(row) => row.name}
            empty="This database has no tables yet."
          />
        </Panel>
        <Panel title="Databases of the server" flush>
          <DataTable label="Databases" columns={[name, size]} rows={sizes.databases} rowId={(row) => row.name} />
        </Panel>
      </div>
    </>
  );
}
