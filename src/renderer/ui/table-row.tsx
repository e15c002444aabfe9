import { Checkbox } from '@mantine/core';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type MouseEvent as ReactMouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react';
import { draggable, useDropPlace } from './hooks.ts';

/** One column. `value` sorts; `cell` draws (default: the value itself). Units belong in `header`. */
export interface Column<T> {
  id: string;
  header: string;
  /** Name of a column with an empty header. */
  label?: string;
  /** Longer words for the header, shown on hover. */
  hint?: string;
  value?: (row: T) => string | number | undefined;
  cell?: (row: T) => ReactNode;
  align?: 'left' | 'right';
  width?: number | string;
  /** Takes the remaining width, and is cut if there is too little. */
  grow?: boolean;
  /** Hidden in narrow windows. */
  minor?: boolean;
  /** In a table with fixed columns: order in which it is hidden if there is too little room. */
  hideOrder?: 1 | 2 | 3 | 4;
  /** Stays visible while others scroll; only the first columns. */
  pinned?: boolean;
}

/** Keeps a column in its place. */
export const pinOf = ({ pinned }: Pick<Column<never>, 'pinned'>, index: number) =>
  pinned ? { 'data-pin': true, style: { left: `var(--kp-pin-${index})` } satisfies CSSProperties } : {};

/** Maximum characters of a text that always has room. */
const SHORT = 24;

/** A long name takes no room from the columns after it: it is cut, and shown in full on hover. */
function cutOf<T>({ value, align, grow }: Column<T>, row: T) {
  const text = align === 'right' || grow ? undefined : value?.(row);
  return typeof text === 'string' && text.length > SHORT ? { 'data-cut': true, title: text } : {};
}

interface RowProperties<T> {
  id: string;
  row: T;
  columns: readonly Column<T>[];
  /** Its details are shown next to the table. */
  isCurrent: boolean;
  isSelected: boolean;
  /** Name of its tick box; absent: no tick box. */
  label: string | undefined;
  /** Whether a click opens it. */
  opens: boolean;
  /** Whether it can be dragged, and others dropped on it. */
  drags: boolean;
  actions: RowActions<T>;
}

/** The same for all rows and the lifetime of the table, so that scrolling renders no row again. */
export interface RowActions<T> {
  open(row: T): void;
  toggle(id: string): void;
  /** Undefined when the drag has ended. */
  drag(row: T | undefined): void;
  /** The action for a drop of the dragged row; undefined where it is not accepted. */
  dropOn(row: T): (() => void) | undefined;
}

/** Elements with their own click; a marked button only shows details, and a click on it counts as one on the row. */
const OWN_CLICK = 'input, button:not([data-of-row]), a, label, [role=menu], [role=dialog]';

function Row<T>(properties: RowProperties<T>) {
  const { id, row, columns, isCurrent, isSelected, label, opens, drags, actions } = properties;
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Opening the details may make the table lower: keeps the clicked row visible.
    if (isCurrent) line.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isCurrent]);
  const open = (event: SyntheticEvent): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // A dialog or menu of the row is elsewhere on the page.
    const isWithin = line.current?.contains(target) === true;
    if (isWithin && target.closest(OWN_CLICK) === null) actions.open(row);
  };
  const clickable = opens
    ? {
        'data-clickable': true,
        onClick: open,
        onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && event.target === line.current && open(event),
      }
    : {};
  const place = useDropPlace(() => actions.dropOn(row));
  const dragged = drags ? { ...draggable((starts) => actions.drag(starts ? row : undefined)), ...place } : {};
  const focusable = opens || label !== undefined ? { tabIndex: 0, [ROW]: id } : {};
  return (
    <tr
      ref={line}
      data-selected={isSelected || isCurrent || undefined}
      aria-current={isCurrent || undefined}
      onContextMenu={openMenu}
      {...focusable}
      {...clickable}
      {...dragged}
    >
      {label !== undefined ? (
        <td>
          <Checkbox aria-label={`Select ${label}`} checked={isSelected} onChange={() => actions.toggle(id)} />
        </td>
      ) : null}
      {columns.map((column, index) => (
        <td
          key={column.id}
          {...pinOf(column, index)}
          data-align={column.align}
          data-grow={column.grow || undefined}
          data-minor={column.minor || undefined}
          {...cutOf(column, row)}
        >
          {column.cell ? column.cell(row) : (column.value?.(row) ?? '–')}
        </td>
      ))}
    </tr>
  );
}

/** Opens the row's menu of actions at the pointer on a right-click. */
function openMenu(event: ReactMouseEvent<HTMLElement>): void {
  const menu = event.currentTarget.querySelector<HTMLElement>('button[aria-haspopup=menu]');
  const { target } = event;
  const isWithin = target instanceof Element && event.currentTarget.contains(target);
  if (!menu || !isWithin || target.closest('a, input') !== null) return;
  event.preventDefault();
  const { clientX, clientY } = event;
  menu.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }));
}

export const BodyRow = memo(Row) as typeof Row;

const ROW = 'data-row';

interface RowKeys {
  /** Number of lines of the table; unrendered ones are reached through `reach`. */
  readonly count: number;
  reach(line: number): void;
  /** Absent if rows cannot be selected. */
  readonly selection?: {
    toggle(id: string): void;
    select(ids: readonly string[]): void;
    all(): void;
    none(): void;
  };
}

const rowsOf = (body: Element): HTMLElement[] => [...body.querySelectorAll<HTMLElement>(`tr[${ROW}]`)];

/**
 * Keys on a focused row: arrows, Home and End move to other rows, with Shift they also select; Space selects, Ctrl A selects all, Escape
 * none. Elements inside a row, except its tick box, keep their own keys.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>, keys: RowKeys): void {
  const { target } = event;
  const { selection } = keys;
  const row = target instanceof HTMLElement ? target.closest<HTMLElement>(`tr[${ROW}]`) : null;
  const onTick = target instanceof HTMLInputElement && target.type === 'checkbox';
  if (!row || (target !== row && !onTick) || (onTick && event.key === ' ')) return;
  const id = row.getAttribute(ROW) ?? '';
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const rows = rowsOf(event.currentTarget);
    const next = rows[rows.indexOf(row) + step];
    next?.focus();
    if (event.shiftKey && next) selection?.select([id, next.getAttribute(ROW) ?? '']);
  } else if (event.key === 'Home' || event.key === 'End') {
    const body = event.currentTarget;
    keys.reach(event.key === 'Home' ? 0 : keys.count - 1);
    // Distant rows are rendered by then.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        rowsOf(body)
          .at(event.key === 'Home' ? 0 : -1)
          ?.focus(),
      ),
    );
  } else if (!selection) return;
  else if (event.key === ' ') selection.toggle(id);
  else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) selection.all();
  else if (event.key === 'Escape') selection.none();
  else return;
  event.preventDefault();
}
