import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  type ColumnDef,
  createSortedRowModel,
  type Header,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  type Table,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type CSSProperties, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { GroupHead, linesOf, type RowGroup } from './groups.tsx';
import { BodyRow, type Column, onRowKey, pinOf, type RowActions } from './table-row.tsx';
import { usePinned, useRoom, useScrollsAlone, useTableWindow } from './table-window.ts';

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});
type Features = typeof features;

interface RowDrag<T> {
  /** The dragged row; undefined when the drag has ended. */
  onDrag: (row: T | undefined) => void;
  /** Actions for a drop on another row or on a group; undefined where it is not accepted. */
  onRow: (dragged: T, onto: T) => (() => void) | undefined;
  onGroup: (dragged: T, label: string) => (() => void) | undefined;
}

interface DataTableProperties<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  /** Initial sort column. Default: the order of the rows. */
  sort?: { id: string; descending: boolean };
  /** Called with the column that the user sorts by; `sort` is then the current one. */
  onSort?: (sort: { id: string; descending: boolean }) => void;
  onRowClick?: (row: T) => void;
  /** Rows that open on a click. Default: all. */
  isClickable?: (row: T) => boolean;
  /** Ids of the selected rows; adds a tick box to each row. */
  selected?: readonly string[];
  onSelect?: (ids: readonly string[]) => void;
  /** Name of a row for its tick box. */
  rowLabel?: (row: T) => string;
  /** Groups of a row; absent: no groups. */
  groupsOf?: ((row: T) => readonly RowGroup[]) | undefined;
  /** Content next to the name of a group. */
  groupAside?: ((rows: readonly T[]) => ReactNode) | undefined;
  /** Names of the closed groups, if the page stores them; otherwise the table does. */
  closed?: readonly string[];
  onClosed?: (labels: readonly string[]) => void;
  /**
   * Height of every row, pixels. Columns then have their specified width, whatever their content, the head stays visible, and with many
   * rows only visible ones are rendered.
   */
  rowHeight?: number;
  /** Rows can be dragged. Each drop must also be possible by keyboard in another way. */
  drag?: RowDrag<T>;
  /** Row whose details are shown next to the table. */
  current?: string | undefined;
  empty?: ReactNode;
  maxHeight?: number | string;
}

/** Widths below which columns are hidden in their order, pixels. */
const ROOM = [1320, 1180, 820, 620] as const;
const hasRoom = (turn: Column<never>['hideOrder'], width: number): boolean =>
  turn === undefined || width === 0 || width >= (ROOM[turn - 1] ?? 0);

/** Height of a group's head in a table with fixed rows, pixels. */
const HEAD_HEIGHT = 40;

/** The only table: sorts by its headers, selects with tick boxes and keys, 32 px rows, figures aligned right. */
export function DataTable<T extends RowData>(properties: DataTableProperties<T>) {
  const { selected, onSelect } = properties;
  const room = useRef<HTMLDivElement>(null);
  const roomWidth = useRoom(room);
  const scrollsAlone = useScrollsAlone(room);
  const columns = useMemo(
    () => properties.columns.filter(({ hideOrder }) => hasRoom(hideOrder, roomWidth)),
    [properties.columns, roomWidth],
  );
  const pinned = columns.filter((column) => column.pinned).length;
  const more = usePinned(room, pinned);
  const table = useRows(properties, columns);
  const rowsInOrder = table.getRowModel().rows;
  const [own, setOwn] = useState<readonly string[]>([]);
  const { closed = own, onClosed = setOwn, rowHeight } = properties;
  const lines = linesOf(rowsInOrder, closed, (row) => properties.groupsOf?.(row.original));
  const latest = useRef({ properties, table });
  useEffect(() => {
    latest.current = { properties, table };
  });
  const dragged = useRef<T>(undefined);
  const actions = useMemo<RowActions<T>>(
    () => ({
      open: (row) => latest.current.properties.onRowClick?.(row),
      toggle: (id) => latest.current.table.getRow(id).toggleSelected(),
      drag: (row) => {
        dragged.current = row;
        latest.current.properties.drag?.onDrag(row);
      },
      dropOn: (row) => {
        const { current } = dragged;
        return current !== undefined && current !== row
          ? latest.current.properties.drag?.onRow(current, row)
          : undefined;
      },
    }),
    [],
  );
  const dropOnGroup = (label: string): (() => void) | undefined =>
    dragged.current === undefined ? undefined : properties.drag?.onGroup(dragged.current, label);
  const body = useRef<HTMLTableSectionElement>(null);
  const heightOf = (line: number): number => (lines[line]?.section ? HEAD_HEIGHT : (rowHeight ?? 0));
  const window = useTableWindow(body, lines.length, rowHeight === undefined ? undefined : heightOf);
  const width = columns.length + (onSelect ? 1 : 0);
  const fixed = rowHeight !== undefined || undefined;
  return (
    <div
      className="kp-table-scroll"
      data-fixed={fixed}
      data-pins={pinned > 0 || undefined}
      data-more={(pinned > 0 && more) || undefined}
      ref={room}
      {...(scrollsAlone && { tabIndex: 0, role: 'group', 'aria-label': `${properties.label}, scrolls` })}
      style={properties.maxHeight ? { maxHeight: properties.maxHeight } : undefined}
    >
      <table
        className="kp-table"
        aria-label={properties.label}
        aria-rowcount={lines.length > window.to - window.from ? lines.length + 1 : undefined}
      >
        {fixed ? <Widths columns={columns} ticks={onSelect !== undefined} /> : null}
        <TableHead table={table} columns={columns} ticks={onSelect !== undefined} />
        <tbody
          ref={body}
          style={rowHeight ? ({ '--kp-row': `${rowHeight}px` } as CSSProperties) : undefined}
          onKeyDown={(event) =>
            onRowKey(event, {
              count: lines.length,
              reach: window.reach,
              ...(onSelect && {
                selection: {
                  toggle: actions.toggle,
                  select: (ids) => onSelect([...new Set([...(selected ?? []), ...ids])]),
                  all: () => table.toggleAllRowsSelected(true),
                  none: () => onSelect([]),
                },
              }),
            })
          }
        >
          <Spacer height={window.above} columns={width} />
          {lines
            .slice(window.from, window.to)
            .map(({ key, section, row }) =>
              row ? (
                <BodyRow<T>
                  key={key}
                  id={row.id}
                  row={row.original}
                  columns={columns}
                  isCurrent={row.id === properties.current}
                  isSelected={row.getIsSelected()}
                  label={onSelect && (properties.rowLabel?.(row.original) ?? row.id)}
                  drags={properties.drag !== undefined}
                  opens={properties.onRowClick !== undefined && (properties.isClickable?.(row.original) ?? true)}
                  actions={actions}
                />
              ) : section ? (
                <GroupHead
                  key={key}
                  section={section}
                  columns={width}
                  open={!closed.includes(section.label)}
                  aside={properties.groupAside?.(section.rows.map(({ original }) => original))}
                  onToggle={() => onClosed(toggled(closed, section.label))}
                  dropOn={() => dropOnGroup(section.label)}
                />
              ) : null,
            )}
          <Spacer height={window.below} columns={width} />
        </tbody>
      </table>
      {rowsInOrder.length === 0 ? (
        <div className="kp-table-empty">{properties.empty ?? 'Nothing here yet.'}</div>
      ) : null}
    </div>
  );
}

/** Sorted rows, with the selection. */
function useRows<T extends RowData>(
  properties: DataTableProperties<T>,
  columns: readonly Column<T>[],
): Table<Features, T> {
  const { rows, rowId, sort, onSort, selected, onSelect } = properties;
  const given: SortingState = sort ? [{ id: sort.id, desc: sort.descending }] : [];
  const [own, setOwn] = useState(given);
  const sorting = onSort ? given : own;
  const rowSelection: RowSelectionState = Object.fromEntries((selected ?? []).map((id) => [id, true]));
  return useTable<Features, T>({
    features,
    columns: columns.map(definitionOf<T>),
    data: rows as T[],
    getRowId: (row) => rowId(row),
    enableSortingRemoval: Boolean(!sort),
    state: { sorting, rowSelection },
    onSortingChange: (change) => {
      const next = typeof change === 'function' ? change(sorting) : change;
      const [first] = next;
      if (!onSort) setOwn(next);
      else if (first) onSort({ id: first.id, descending: first.desc });
    },
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change;
      onSelect?.(Object.keys(next).filter((id) => next[id]));
    },
  });
}

/** `ticks`: a box that selects every row. */
function TableHead<T extends RowData>(properties: {
  table: Table<Features, T>;
  columns: readonly Column<T>[];
  ticks: boolean;
}) {
  const { table, columns, ticks } = properties;
  const byId = new Map(columns.map((column) => [column.id, column]));
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {ticks ? (
            <th style={{ width: TICK_WIDTH }}>
              <Checkbox
                aria-label="Select all"
                checked={table.getIsAllRowsSelected()}
                indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                onChange={table.getToggleAllRowsSelectedHandler()}
              />
            </th>
          ) : null}
          {group.headers.map((header, index) => (
            <HeaderCell key={header.id} header={header} column={byId.get(header.column.id)} index={index} />
          ))}
        </tr>
      ))}
    </thead>
  );
}

const toggled = (labels: readonly string[], label: string): string[] =>
  labels.includes(label) ? labels.filter((each) => each !== label) : [...labels, label];

const TICK_WIDTH = 24;

/** Widths that do not depend on the visible rows. */
const Widths = ({ columns, ticks }: { columns: readonly Pick<Column<never>, 'id' | 'width'>[]; ticks: boolean }) => (
  <colgroup>
    {ticks ? <col style={{ width: 44 }} /> : null}
    {columns.map(({ id, width }) => (
      <col key={id} style={{ width }} />
    ))}
  </colgroup>
);

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    <tr className="kp-table-spacer">
      <td colSpan={columns} style={{ height }} />
    </tr>
  ) : null;

function definitionOf<T extends RowData>(column: Column<T>): ColumnDef<Features, T> {
  const { value } = column;
  if (!value) return { id: column.id, enableSorting: false };
  return { id: column.id, accessorFn: (row) => value(row), sortUndefined: 'last' };
}

/** Break points for names of settings, which are one word for a browser: `innodb_flush_log_at_trx_commit`. */
const breakable = (header: string): ReactNode =>
  partsOf(header).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={part + String(index)} />, part]));

/** Minimum letters of a line in a head: with fewer in each, a name becomes too tall. */
const LEAST_LINE = 10;

function partsOf(header: string): string[] {
  const parts: string[] = [];
  for (const part of header.split(/(?<=_)/)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length < LEAST_LINE) parts[parts.length - 1] += part;
    else parts.push(part);
  }
  return parts;
}

interface HeaderProperties<T extends RowData> {
  header: Header<Features, T>;
  column: Column<T> | undefined;
  index: number;
}

function HeaderCell<T extends RowData>({ header, column, index }: HeaderProperties<T>) {
  if (!column) return null;
  const sorted = header.column.getIsSorted();
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <th
      data-align={column.align}
      data-grow={column.grow || undefined}
      data-minor={column.minor || undefined}
      title={column.hint}
      {...pinOf(column, index)}
      {...(column.width && { style: { width: column.width } })}
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
    >
      {header.column.getCanSort() ? (
        <button type="button" onClick={header.column.getToggleSortingHandler()}>
          <span>{breakable(column.header)}</span>
          {sorted ? <Arrow size={12} aria-hidden="true" /> : null}
        </button>
      ) : column.label ? (
        <span className="kp-visually-hidden">{column.label}</span>
      ) : (
        column.header
      )}
    </th>
  );
}
