import { type ReactNode, useState } from 'react';
import { formatNumber } from '../../../shared/util/format.ts';
import { Finder } from '../../domain/Finder.tsx';
import { type Column, DataTable, Panel } from '../../ui/index.ts';
import classes from './targets.module.css';

type Counter = readonly [name: string, value: number];

const COLUMNS: readonly Column<Counter>[] = [
  {
    id: 'name',
    header: 'Counter',
    grow: true,
    value: ([name]) => name,
    cell: ([name]) => <code className="kp-mono">{name}</code>,
  },
  {
    id: 'value',
    header: 'Value',
    align: 'right',
    value: ([, value]) => value,
    cell: ([, value]) => formatNumber(value, Number.isInteger(value) ? 0 : 3),
  },
];

/** The server's counters by its own names. */
export function CountersTable({ counters, moment }: { counters: Readonly<Record<string, number>>; moment: ReactNode }) {
  const [words, setWords] = useState('');
  const rows: Counter[] = Object.entries(counters);
  const wanted = words.trim().toLowerCase();
  return (
    <>
      <div className={classes.bar}>
        <Finder label={`Find one of ${rows.length} counters`} value={words} onChange={setWords} />
        {moment}
      </div>
      <Panel label="Counters" flush>
        <DataTable
          label="Counters"
          columns={COLUMNS}
          rows={rows.filter(([name]) => name.toLowerCase().includes(wanted))}
          rowId={([name]) => name}
          empty="No counter matches."
        />
      </Panel>
    </>
  );
}
