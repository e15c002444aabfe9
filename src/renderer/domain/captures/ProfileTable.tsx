import { Button, MultiSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ComparedCounters } from '../../../shared/model/capture.ts';
import { profileWords } from '../../../shared/model/capture-words.ts';
import { capital, formatChange, formatShort, NO_VALUE } from '../../../shared/util/format.ts';

import { type Column, DataTable, Panel } from '../../ui/index.ts';
import { keyColumns } from './DifferenceTable.tsx';

/** Number of rows and counters shown by default; others are optional. */
const SHORT = 12;
const FEW = 4;

interface ProfileProperties {
  profile: ComparedCounters;
  /** Names of the two sides, the baseline first. */
  sides: readonly [one: string, other: string];
  choice: ReactNode;
}

type Row = ComparedCounters['rows'][number];
type Value = Row['values'][number];

/** Counters of both sides per operation of the tool, row by row. */
export function ProfileTable({ profile, sides, choice }: ProfileProperties) {
  const { name, keys, counters, rows, why } = profile;
  const [whole, setWhole] = useState(false);
  const [wanted, setWanted] = useState<readonly string[]>(counters.slice(0, FEW));
  const shown = counters.filter((counter) => wanted.includes(counter));
  const remaining = rows.length - SHORT;
  return (
    <Panel
      title={`${capital(name)}, per ${profile.word}`}
      note={why ?? profileWords(profile)}
      flush
      actions={
        <>
          {choice}
          {counters.length > FEW ? (
            <MultiSelect
              aria-label={`Counters of ${name}`}
              w={300}
              data={counters}
              value={[...shown]}
              onChange={(chosen) => setWanted(chosen)}
            />
          ) : null}
          {remaining > 0 ? (
            <Button variant="subtle" size="compact-sm" aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? 'Show fewer' : `Show ${remaining} more`}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        label={`${name}, per ${profile.word}`}
        columns={[
          ...keyColumns<Row>(keys),
          ...shown.map((counter) => columnOf(counter, counters.indexOf(counter), sides)),
        ]}
        rows={whole ? rows : rows.slice(0, SHORT)}
        rowId={({ key }) => JSON.stringify(key)}
      />
    </Panel>
  );
}

const columnOf = (counter: string, place: number, [one, other]: ProfileProperties['sides']): Column<Row> => ({
  id: counter,
  header: counter,
  hint: `${one} → ${other}, and the change`,
  align: 'right',
  value: ({ values }) => (values[place]?.one.mean ?? 0) + (values[place]?.other.mean ?? 0),
  cell: ({ values }) => <Pair value={values[place]} />,
});

const Pair = ({ value }: { value: Value | undefined }) => (
  <>
    <Mean side={value?.one} /> → <Mean side={value?.other} />{' '}
    <span className="kp-compare-change">{value?.change === undefined ? '' : formatChange(value.change)}</span>
  </>
);

/** The mean of a side; hover shows the range of several runs. */
const Mean = ({ side }: { side: Value['one'] | undefined }) => {
  const { mean, low, high } = side ?? {};
  if (mean === undefined) return NO_VALUE;
  const range = low === undefined || high === undefined ? undefined : `${formatShort(low)} to ${formatShort(high)}`;
  return <span title={range}>{formatShort(mean)}</span>;
};
