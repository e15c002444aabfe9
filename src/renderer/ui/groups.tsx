import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useDropPlace } from './hooks.ts';

/** A group of table rows; `order` sorts it among the others. */
export interface RowGroup {
  label: string;
  order: string | number;
}

export interface Section<R> extends RowGroup {
  rows: readonly R[];
}

/** Rows by group, in their given order; a row of several groups appears in each. */
function sectionsOf<R>(rows: readonly R[], groupsOf: (row: R) => readonly RowGroup[]): Section<R>[] {
  const sections = new Map<string, RowGroup & { rows: R[] }>();
  for (const row of rows) {
    for (const group of groupsOf(row)) {
      const section = sections.get(group.label) ?? { ...group, rows: [] };
      section.rows.push(row);
      sections.set(group.label, section);
    }
  }
  return [...sections.values()].sort((one, other) =>
    typeof one.order === 'number' && typeof other.order === 'number'
      ? one.order - other.order
      : String(one.order).localeCompare(String(other.order)),
  );
}

/** A line of a table: the head of a group, or a row. */
export interface Line<R> {
  readonly key: string;
  readonly section?: Section<R>;
  readonly row?: R;
}

/** Rows as the lines of a table: under the heads of their groups, without those of closed ones. */
export function linesOf<R extends { id: string }>(
  rows: readonly R[],
  closed: readonly string[],
  groupsOf: (row: R) => readonly RowGroup[] | undefined,
): Line<R>[] {
  const [first] = rows;
  if (!first || !groupsOf(first)) return rows.map((row) => ({ key: row.id, row }));
  return sectionsOf(rows, (row) => groupsOf(row) ?? []).flatMap((section) => [
    { key: `head ${section.label}`, section },
    ...(closed.includes(section.label) ? [] : section.rows.map((row) => ({ key: `${row.id} ${section.label}`, row }))),
  ]);
}

interface HeadProperties {
  section: Section<unknown>;
  aside: ReactNode;
  columns: number;
  open: boolean;
  onToggle: () => void;
  /** The action for a drop of the dragged row; undefined if it is not accepted. */
  dropOn: () => (() => void) | undefined;
}

/** Head of a group: its name, its number of rows, and whether they are shown. */
export function GroupHead({ section, columns, open, aside, onToggle, dropOn }: HeadProperties) {
  const place = useDropPlace(dropOn);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <tr className="kp-table-group" {...place}>
      <th scope="rowgroup" colSpan={columns}>
        <div className="kp-table-group-head">
          <button type="button" aria-expanded={open} title={section.label} onClick={onToggle}>
            <Chevron size={14} aria-hidden="true" />
            <b className="kp-ellipsis">{section.label}</b> <span>{section.rows.length.toLocaleString('en-US')}</span>
          </button>
          {aside}
        </div>
      </th>
    </tr>
  );
}
