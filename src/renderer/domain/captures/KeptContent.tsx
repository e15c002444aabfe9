import { Button } from '@mantine/core';
import { fileKind, isText } from '../../../shared/captures/index.ts';
import type { AttachedFile, CapturedTable, KeptCapture } from '../../../shared/model/capture.ts';
import { problemWords, sizeWords } from '../../../shared/model/capture-words.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import { formatBytes, formatNumber, NO_VALUE } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { CodeBlock, type Column, DataTable, ProblemBanner, saveFile, TableSkeleton } from '../../ui/index.ts';
import classes from './captures.module.css';

const HEIGHT = 360;
const ROW_HEIGHT = 32;

type OnMeasure = (measure: Partial<DerivedMeasure>) => void;

/**
 * The content of a capture, with its stored size and any problem. With `onMeasure`, a click on a number of a table begins a measure of it.
 */
export function KeptContent({ kept, onMeasure }: { kept: KeptCapture; onMeasure?: OnMeasure | undefined }) {
  const hasContent = kept.bytes > 0;
  const query = useCall(
    'captures.content',
    { id: kept.id },
    { enabled: hasContent, staleTime: Number.POSITIVE_INFINITY },
  );
  const { text, table, file } = query.data ?? {};
  return (
    <div className={classes.side}>
      {kept.problem === undefined ? null : <ProblemBanner tone="warn" problem={{ message: problemWords(kept) }} />}
      {query.error ? <ProblemBanner problem={query.error.problem} /> : null}
      {hasContent && query.isPending && !query.error ? <TableSkeleton rows={4} /> : null}
      {kept.left ? <span className="kp-small">{sizeWords(kept)}</span> : null}
      {text ? <CodeBlock text={text} label={`Copy ${kept.name}`} maxHeight={HEIGHT} /> : null}
      {table ? <KeptTable name={kept.name} table={table} onMeasure={onMeasure} /> : null}
      {file ? <KeptFile file={file} runId={kept.runId} /> : null}
      {text === '' ? <span className="kp-dim">It is empty.</span> : null}
    </div>
  );
}

/** Maximum characters of a text file that are shown. */
const MOST_SHOWN = 100_000;

/** A file with its type and size, to be saved; the text of one that is text. */
function KeptFile({ file: { name, bytes }, runId }: { file: AttachedFile; runId: number }) {
  const { words, mediaType } = fileKind(bytes);
  const text = isText(bytes) ? new TextDecoder().decode(bytes) : undefined;
  const left = (text?.length ?? 0) - MOST_SHOWN;
  return (
    <>
      <div className={classes.head}>
        <span>
          {name}: {words}, {formatBytes(bytes.length)}
        </span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => saveFile({ fileName: `run-${runId}-${name}`, mediaType, bytes })}
        >
          Save file
        </Button>
      </div>
      {text === undefined ? null : (
        <CodeBlock text={text.slice(0, MOST_SHOWN)} label={`Copy ${name}`} maxHeight={HEIGHT} />
      )}
      {left > 0 ? <span className="kp-small">{formatNumber(left)} more characters in the file</span> : null}
    </>
  );
}

type Row = readonly [place: number, values: CapturedTable['rows'][number]];

/** Maximum characters of the name of a measure. */
const LONGEST_NAME = 60;

/** A number of a table as the draft of a measure: its formula uses the column and, with several rows, the first value of the row. */
function measureOfCell(
  table: string,
  { columns, rows }: CapturedTable,
  { place, index }: { place: number; index: number },
): Partial<DerivedMeasure> | undefined {
  const [column, value] = [columns[index], rows[place]?.[index]];
  if (column === undefined || value === null || value === undefined || !isNumber(value)) return undefined;
  const own = String(rows[place]?.[0] ?? '');
  const isOne = rows.length === 1;
  if (!isOne && (index === 0 || rows.filter(([first]) => String(first ?? '') === own).length > 1)) return undefined;
  const names = isOne ? [table, column] : [table, column, own];
  return {
    name: (isOne ? `${table}: ${column}` : own).slice(0, LONGEST_NAME),
    is: `fact(${names.map((each) => JSON.stringify(each)).join(', ')})`,
  };
}

interface TableProperties {
  name: string;
  table: CapturedTable;
  onMeasure: OnMeasure | undefined;
}

function KeptTable({ name, table, onMeasure }: TableProperties) {
  const { columns, rows } = table;
  const numbers = columns.map((_, index) => rows.length > 0 && rows.every((row) => isNumber(row[index])));
  const shown = columns.map(
    (header, index): Column<Row> => ({
      id: String(index),
      header,
      align: numbers[index] ? 'right' : 'left',
      value: ([, values]) => (numbers[index] ? Number(values[index]) : String(values[index] ?? '')),
      cell: ([place, values]) => {
        const measure = onMeasure && measureOfCell(name, table, { place, index });
        const cell = <Cell value={values[index]} />;
        if (!measure) return cell;
        return (
          <button
            type="button"
            className={classes.measure}
            title="Use as measure"
            aria-label={`Use as measure: ${measure.name}, ${values[index] ?? NO_VALUE}`}
            onClick={() => onMeasure(measure)}
          >
            {cell}
          </button>
        );
      },
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
