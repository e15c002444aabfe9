import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';

/** Rows of a table that belong together; `order` places the group among the others. */
export interface RowGroup {
  label: string;
  order: string | number;
}

export interface Section<R> extends RowGroup {
  rows: readonly R[];
}

/** Rows by the groups they belong to, each in the order they come in; a row of several groups stands in each. */
export function sectionsOf<R>(rows: readonly R[], groupsOf: (row: R) => readonly RowGroup[]): Section<R>[] {
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

interface HeadProperties {
  section: Section<unknown>;
  columns: number;
  open: boolean;
  onToggle: () => void;
}

/** Head of a group: its name, how many rows, and whether they are shown. */
export function GroupHead({ section, columns, open, onToggle }: HeadProperties) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <tr className="kp-table-group">
      <th scope="rowgroup" colSpan={columns}>
        <button type="button" aria-expanded={open} onClick={onToggle}>
          <Chevron size={14} aria-hidden="true" />
          {section.label} <span>{section.rows.length.toLocaleString('en-US')}</span>
        </button>
      </th>
    </tr>
  );
}
