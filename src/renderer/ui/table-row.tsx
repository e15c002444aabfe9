import { Checkbox } from '@mantine/core';
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';
import type { Column } from './DataTable.tsx';
import { ROW } from './table-keys.ts';

interface RowProperties<T> {
  id: string;
  row: T;
  columns: readonly Column<T>[];
  /** Its details are shown beside the table. */
  isCurrent: boolean;
  isSelected: boolean;
  /** Name for its tick box; no tick box if absent. */
  label: string | undefined;
  onSelect: (event: unknown) => void;
  /** What a click opens; nothing if absent. */
  onOpen: (() => void) | undefined;
}

/** What has a click of its own; a button marked so only tells more, and a click on it is one on the row. */
const OWN_CLICK = 'input, button:not([data-of-row]), a, label, [role=menu], [role=dialog]';

export function BodyRow<T>(properties: RowProperties<T>) {
  const { id, row, columns, isCurrent, isSelected, label, onSelect, onOpen } = properties;
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Opening the details may make the table lower: the row that was clicked stays in sight.
    if (isCurrent) line.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isCurrent]);
  const open = (event: SyntheticEvent): void => {
    const inner = event.target instanceof Element && event.target.closest(OWN_CLICK);
    if (!inner) onOpen?.();
  };
  const clickable = onOpen
    ? {
        'data-clickable': true,
        onClick: open,
        onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && event.target === line.current && open(event),
      }
    : {};
  const focusable = onOpen || label !== undefined ? { tabIndex: 0, [ROW]: id } : {};
  return (
    <tr
      ref={line}
      data-selected={isSelected || isCurrent || undefined}
      aria-current={isCurrent || undefined}
      {...focusable}
      {...clickable}
    >
      {label !== undefined ? (
        <td>
          <Checkbox aria-label={`Select ${label}`} checked={isSelected} onChange={onSelect} />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-grow={column.grow || undefined}
          data-minor={column.minor || undefined}
        >
          {column.cell ? column.cell(row) : (column.value?.(row) ?? '–')}
        </td>
      ))}
    </tr>
  );
}
