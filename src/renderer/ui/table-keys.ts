import type { KeyboardEvent } from 'react';

export const ROW = 'data-row';

interface RowKeys {
  /** How many lines the table has; those that are not drawn are reached through `reach`. */
  readonly count: number;
  reach(line: number): void;
  /** Absent where rows cannot be selected. */
  readonly selection?: {
    toggle(id: string): void;
    select(ids: readonly string[]): void;
    all(): void;
    none(): void;
  };
}

const rowsOf = (body: Element): HTMLElement[] => [...body.querySelectorAll<HTMLElement>(`tr[${ROW}]`)];

/**
 * Keys on a row that has the focus: arrows, Home and End go to other rows, with Shift they select on the way; Space selects, Ctrl A selects all,
 * Escape none. What is inside a row, but for its tick box, keeps its own keys.
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
    // What is far away is drawn by then.
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
