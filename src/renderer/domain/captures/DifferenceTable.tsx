import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CounterDifference } from '../../../shared/model/capture.ts';
import { differenceWords, growthWords } from '../../../shared/model/capture-words.ts';
import { formatCount, formatShort } from '../../../shared/util/format.ts';
import { type Column, DataTable } from '../../ui/index.ts';
import classes from './captures.module.css';

/** Number of rows shown by default. */
const SHORT = 12;

type Row = CounterDifference['rows'][number];

/** The values that identify a row of a difference. */
const KeyCell = ({ words }: { words: string }) => (
  <span className={`${classes.key} kp-ellipsis`} title={words}>
    {words}
  </span>
);

export const keyColumns = <T extends { key: readonly string[] }>(keys: readonly string[]): Column<T>[] =>
  keys.map((header, index) => ({
    id: `key ${index}`,
    header,
    value: ({ key }) => key[index],
    cell: ({ key }) => <KeyCell words={key[index] ?? ''} />,
  }));

/** Growth of counters in a run, in total and per operation of its tool. */
export function DifferenceTable({ difference }: { difference: CounterDifference }) {
  const { name, keys, counters, rows, operations, notes } = difference;
  const [whole, setWhole] = useState(false);
  const columns: Column<Row>[] = [
    ...keyColumns<Row>(keys),
    ...counters.flatMap((header, index): Column<Row>[] =>
      rows.every(({ grew }) => grew[index] === 0)
        ? []
        : [
            {
              id: `counter ${index}`,
              header,
              hint: operations ? `From start to end · per ${operations.word}` : 'From start to end',
              align: 'right',
              value: ({ grew }) => grew[index] ?? -1,
              cell: ({ grew }) => <Grew by={grew[index]} count={operations?.count} />,
            },
          ],
    ),
  ];
  return (
    <div className={classes.side}>
      <span className="kp-small">
        {`${differenceWords(difference)}${operations ? `. Figures: from start to end · per ${operations.word}` : ''}`}
      </span>
      {notes.map((note) => (
        <span className="kp-small" key={note}>
          {note}
        </span>
      ))}
      {rows.length > 0 ? (
        <DataTable
          label={name}
          columns={columns}
          rows={whole ? rows : rows.slice(0, SHORT)}
          rowId={({ key }) => JSON.stringify(key)}
        />
      ) : (
        <span className="kp-dim">No counter grew.</span>
      )}
      {rows.length > SHORT ? (
        <div>
          <Button variant="subtle" size="compact-sm" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? 'Show fewer' : `Show ${formatCount(rows.length - SHORT, 'more row')}`}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Grew({ by, count }: { by: number | null | undefined; count: number | undefined }) {
  if (by === null || by === undefined) return <span className="kp-dim">unknown</span>;
  return (
    <>
      {growthWords(by)}
      {count !== undefined && count > 0 ? <span className={classes.per}> · {formatShort(by / count)}</span> : null}
    </>
  );
}
