import type { CapturedTable, KeptCapture } from '../../../shared/model/capture.ts';
import { problemWords, sizeWords } from '../../../shared/model/capture-words.ts';
import { NO_VALUE } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { CodeBlock, type Column, DataTable, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import classes from './captures.module.css';

const HEIGHT = 360;
const ROW_HEIGHT = 32;

/** The content of a capture, with how much is kept and what was in its way. */
export function KeptContent({ kept }: { kept: KeptCapture }) {
  const hasContent = kept.bytes > 0;
  const query = useCall(
    'captures.content',
    { id: kept.id },
    { enabled: hasContent, staleTime: Number.POSITIVE_INFINITY },
  );
  const { text, table } = query.data ?? {};
  return (
    <div className={classes.side}>
      {kept.problem === undefined ? null : <ProblemBanner tone="warn" problem={{ message: problemWords(kept) }} />}
      {query.error ? <ProblemBanner problem={query.error.problem} /> : null}
      {hasContent && query.isPending && !query.error ? <TableSkeleton rows={4} /> : null}
      {kept.left ? <span className="kp-small">{sizeWords(kept)}</span> : null}
      {text ? <CodeBlock text={text} label={`Copy ${kept.name}`} maxHeight={HEIGHT} /> : null}
      {table ? <KeptTable name={kept.name} table={table} /> : null}
      {text === '' ? <span className="kp-dim">It is empty.</span> : null}
    </div>
  );
}

type Row = readonly [place: number, values: CapturedTable['rows'][number]];

function KeptTable({ name, table: { columns, rows } }: { name: string; table: CapturedTable }) {
  const numbers = columns.map((_, index) => rows.length > 0 && rows.every((row) => isNumber(row[index])));
  const shown = columns.map(
    (header, index): Column<Row> => ({
      id: String(index),
      header,
      align: numbers[index] ? 'right' : 'left',
      value: ([, values]) => (numbers[index] ? Number(values[index]) : String(values[index] ?? '')),
      cell: ([, values]) => <Cell value={values[index]} />,
    }),
  );
  if (rows.length === 0) return <span className="kp-dim">The table has no rows.</span>;
  return (
    <DataTable
      label={name}
      columns={shown}
      rows={rows.map((values, place): Row => [place, values])}
      rowId={([place]) => String(place)}
      maxHeight={HEIGHT}
      {...(rows.length > 200 && { rowHeight: ROW_HEIGHT })}
    />
  );
}

const isNumber = (value: string | number | null | undefined): boolean =>
  value === null ||
  typeof value === 'number' ||
  (value !== undefined && value.trim() !== '' && Number.isFinite(Number(value)));

const Cell = ({ value }: { value: string | number | null | undefined }) =>
  value === null || value === undefined ? (
    <span className="kp-dim">{NO_VALUE}</span>
  ) : typeof value === 'string' && value.length > 24 ? (
    <span className={`${classes.cell} kp-ellipsis`} title={value}>
      {value}
    </span>
  ) : (
    String(value)
  );
