import { type FactRow, factName, factValue } from '../../shared/model/run-facts.ts';
import { type Column, DataTable, Status } from '../ui/index.ts';

const COLUMNS: readonly Column<FactRow>[] = [
  { id: 'place', header: 'Where', value: ({ place }) => `${place.kind} ${place.name}` },
  {
    id: 'what',
    header: 'What',
    value: ({ what }) => what,
    cell: ({ what }) => <code className="kp-mono">{what}</code>,
  },
  { id: 'wanted', header: 'Wanted', value: ({ wanted }) => wanted },
  {
    id: 'found',
    header: 'Read back',
    hint: 'Right before the tool was started',
    value: ({ found }) => factValue(found),
    cell: ({ found, matches }) =>
      matches === false ? <Status tone="bad">{factValue(found)}</Status> : factValue(found),
  },
  {
    id: 'first',
    header: 'Before the session',
    hint: 'What it goes back to',
    value: ({ first }) => factValue(first),
  },
];

/** How many runs were measured so. */
const RUNS: Column<FactRow> = { id: 'runs', header: 'Runs', align: 'right', value: ({ runs }) => runs.length };

/** What the levels of runs asked of hosts and servers, and what was read back; of several runs with their number. */
export const FactsTable = ({ rows, counted = false }: { rows: readonly FactRow[]; counted?: boolean }) => (
  <DataTable
    label="Set on hosts and servers"
    columns={counted ? [...COLUMNS, RUNS] : COLUMNS}
    rows={rows}
    rowId={(row) => `${factName(row)} ${row.wanted} ${row.found} ${row.first}`}
  />
);
