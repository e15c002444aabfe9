import type { ComparedFact } from '../../../../shared/model/result.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { type Column, DataTable, Panel, Status } from '../../../ui/index.ts';

const sideColumn = (side: 'baseline' | 'other', header: string): Column<ComparedFact> => ({
  id: side,
  header,
  value: (fact) => fact[side],
  cell: (fact) => (
    <span className="kp-compare-value" title={fact[side]}>
      {fact[side]}
    </span>
  ),
});

const COLUMNS: readonly Column<ComparedFact>[] = [
  { id: 'what', header: 'Fact', value: ({ what }) => what },
  sideColumn('baseline', 'Baseline'),
  sideColumn('other', 'Compared'),
  {
    id: 'verdict',
    header: 'Verdict',
    grow: true,
    value: ({ isEqual }) => Number(isEqual),
    cell: ({ isEqual }) => (isEqual ? <Status tone="idle">Equal</Status> : <Status tone="warn">Different</Status>),
  },
];

/** Captures that both sides have stored as facts, different ones first. */
export function ComparedFacts({ facts }: { facts: readonly ComparedFact[] }) {
  const different = facts.filter(({ isEqual }) => !isEqual);
  return (
    <Panel
      title="Captured facts"
      note={`${formatCount(facts.length, 'fact')}, ${formatCount(different.length, 'difference')}`}
      flush
    >
      <DataTable
        label="Captured facts"
        columns={COLUMNS}
        rows={[...different, ...facts.filter(({ isEqual }) => isEqual)]}
        rowId={({ what }) => what}
      />
    </Panel>
  );
}
