import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  type ColumnDef,
  createSortedRowModel,
  type Header,
  type Row,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Fragment, type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { GroupHead, type RowGroup, sectionsOf } from './groups.tsx';

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});
type Features = typeof features;

/** One column. `value` sorts; `cell` draws (the value itself if absent). Units belong into `header`. */
export interface Column<T> {
  id: string;
  header: string;
  /** Longer words for the header, shown on hover. */
  hint?: string;
  value?: (row: T) => string | number | undefined;
  cell?: (row: T) => ReactNode;
  align?: 'left' | 'right';
  width?: number | string;
  /** Takes the room that is left, and is cut when there is too little. */
  grow?: boolean;
  /** Left out on narrow windows. */
  minor?: boolean;
}

interface DataTableProperties<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  /** Column sorted by at first; the rows' own order if absent. */
  sort?: { id: string; descending: boolean };
  onRowClick?: (row: T) => void;
  /** Rows that a click opens; all if absent. */
  isClickable?: (row: T) => boolean;
  /** Ids of the rows selected; gives each row a tick box. */
  selected?: readonly string[];
  onSelect?: (ids: readonly string[]) => void;
  /** Name of a row for its tick box. */
  rowLabel?: (row: T) => string;
  /** Groups that a row belongs to; no groups if absent. */
  groupsOf?: ((row: T) => readonly RowGroup[]) | undefined;
  /** Row whose details are shown beside the table. */
  current?: string | undefined;
  empty?: ReactNode;
  maxHeight?: number | string;
}

/** The one table: sorts by its headers, selects with tick boxes, 32 px rows, figures aligned right. */
export function DataTable<T extends RowData>(properties: DataTableProperties<T>) {
  const { columns, rows, rowId, sort, selected, onSelect } = properties;
  const [sorting, setSorting] = useState<SortingState>(sort ? [{ id: sort.id, desc: sort.descending }] : []);
  const rowSelection: RowSelectionState = Object.fromEntries((selected ?? []).map((id) => [id, true]));
  const table = useTable<Features, T>({
    features,
    columns: columns.map(definitionOf<T>),
    data: rows as T[],
    getRowId: (row) => rowId(row),
    enableSortingRemoval: Boolean(!sort),
    state: { sorting, rowSelection },
    onSortingChange: setSorting,
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change;
      onSelect?.(Object.keys(next).filter((id) => next[id]));
    },
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const lines = table.getRowModel().rows;
  return (
    <div className="kp-table-scroll" style={properties.maxHeight ? { maxHeight: properties.maxHeight } : undefined}>
      <table className="kp-table" aria-label={properties.label}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {onSelect ? (
                <th style={{ width: 24 }}>
                  <Checkbox
                    aria-label="Select all"
                    checked={table.getIsAllRowsSelected()}
                    indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </th>
              ) : null}
              {group.headers.map((header) => (
                <HeaderCell key={header.id} header={header} column={byId.get(header.column.id)} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {properties.groupsOf ? (
            <GroupedRows lines={lines} groupsOf={properties.groupsOf} properties={properties} />
          ) : (
            lines.map((row) => <BodyRow key={row.id} row={row} properties={properties} />)
          )}
        </tbody>
      </table>
      {lines.length === 0 ? <div className="kp-table-empty">{properties.empty ?? 'Nothing here yet.'}</div> : null}
    </div>
  );
}

function definitionOf<T extends RowData>(column: Column<T>): ColumnDef<Features, T> {
  const { value } = column;
  if (!value) return { id: column.id, enableSorting: false };
  return { id: column.id, accessorFn: (row) => value(row), sortUndefined: 'last' };
}

function HeaderCell<T extends RowData>(properties: { header: Header<Features, T>; column: Column<T> | undefined }) {
  const { header, column } = properties;
  if (!column) return null;
  const sorted = header.column.getIsSorted();
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <th
      data-align={column.align}
      data-grow={column.grow || undefined}
      data-minor={column.minor || undefined}
      title={column.hint}
      style={column.width ? { width: column.width } : undefined}
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
    >
      {header.column.getCanSort() ? (
        <button type="button" onClick={header.column.getToggleSortingHandler()}>
          {column.header}
          {sorted ? <Arrow size={12} aria-hidden="true" /> : null}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}

interface GroupedProperties<T extends RowData> {
  lines: readonly Row<Features, T>[];
  groupsOf: (row: T) => readonly RowGroup[];
  properties: DataTableProperties<T>;
}

function GroupedRows<T extends RowData>({ lines, groupsOf, properties }: GroupedProperties<T>) {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const width = properties.columns.length + (properties.onSelect ? 1 : 0);
  return sectionsOf(lines, (line) => groupsOf(line.original)).map((section) => {
    const { label } = section;
    const open = !closed.includes(label);
    return (
      <Fragment key={label}>
        <GroupHead
          section={section}
          columns={width}
          open={open}
          onToggle={() => setClosed(open ? [...closed, label] : closed.filter((other) => other !== label))}
        />
        {open ? section.rows.map((row) => <BodyRow key={row.id} row={row} properties={properties} />) : null}
      </Fragment>
    );
  });
}

function BodyRow<T extends RowData>({
  row,
  properties,
}: {
  row: Row<Features, T>;
  properties: DataTableProperties<T>;
}) {
  const { columns, onRowClick, isClickable = () => true, onSelect, rowLabel, current } = properties;
  const isCurrent = row.id === current;
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Opening the details may make the table lower: the row that was clicked stays in sight.
    if (isCurrent) line.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isCurrent]);
  const open = (event: SyntheticEvent): void => {
    const inner = event.target instanceof Element && event.target.closest('input, button, a, label');
    if (!inner) onRowClick?.(row.original);
  };
  const clickable =
    onRowClick && isClickable(row.original)
      ? {
          tabIndex: 0,
          'data-clickable': true,
          onClick: open,
          onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && open(event),
        }
      : {};
  return (
    <tr
      ref={line}
      data-selected={row.getIsSelected() || isCurrent || undefined}
      aria-current={isCurrent || undefined}
      {...clickable}
    >
      {onSelect ? (
        <td>
          <Checkbox
            aria-label={`Select ${rowLabel?.(row.original) ?? row.id}`}
            checked={row.getIsSelected()}
            onChange={row.getToggleSelectedHandler()}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-grow={column.grow || undefined}
          data-minor={column.minor || undefined}
        >
          {column.cell ? column.cell(row.original) : (column.value?.(row.original) ?? '–')}
        </td>
      ))}
    </tr>
  );
}
