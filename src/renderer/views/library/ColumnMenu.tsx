import { ActionIcon, Menu } from '@mantine/core';
import { IconColumns3, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { draggable, useDropPlace } from '../../ui/index.ts';

interface Choice {
  id: string;
  header: string;
}

interface Properties {
  /** Columns that can be hidden and moved, in their order. */
  columns: readonly Choice[];
  hidden: readonly string[];
  onHidden: (ids: readonly string[]) => void;
  onOrder: (ids: readonly string[]) => void;
}

/** Columns of the list: which are shown, and their order, by dragging or with Alt and the arrow keys. */
export function ColumnMenu({ columns, hidden, onHidden, onOrder }: Properties) {
  const [dragged, setDragged] = useState<number>();
  const move = (from: number, to: number): void => {
    const ids = columns.map(({ id }) => id);
    const [moved] = ids.splice(from, 1);
    if (moved === undefined) return;
    ids.splice(to, 0, moved);
    onOrder(ids);
  };
  return (
    <Menu position="bottom-end" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Columns">
          <IconColumns3 size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map((column, place) => (
          <ColumnItem
            key={column.id}
            header={column.header}
            shown={!hidden.includes(column.id)}
            onShown={(shown) => onHidden(shown ? hidden.filter((each) => each !== column.id) : [...hidden, column.id])}
            onDrag={(starts) => setDragged(starts ? place : undefined)}
            dropped={dragged === undefined || dragged === place ? undefined : () => move(dragged, place)}
            onStep={(by) => {
              const to = place + by;
              if (to >= 0 && to < columns.length) move(place, to);
            }}
          />
        ))}
        <Menu.Label>Drag, or Alt with ↑ ↓, to move</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ItemProperties {
  header: string;
  shown: boolean;
  onShown: (shown: boolean) => void;
  onDrag: (starts: boolean) => void;
  /** The action for a drop of the dragged column; undefined if there is none. */
  dropped: (() => void) | undefined;
  onStep: (by: 1 | -1) => void;
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

function ColumnItem({ header, shown, onShown, onDrag, dropped, onStep }: ItemProperties) {
  const place = useDropPlace(() => dropped);
  // Before the menu, which moves the focus with the same keys.
  const press = (event: KeyboardEvent): void => {
    const by = event.altKey ? STEPS[event.key] : undefined;
    const { target } = event;
    if (by === undefined || !(target instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    onStep(by);
    // A moved element loses the focus.
    requestAnimationFrame(() => target.focus());
  };
  return (
    <div role="none" className="kp-library-column" onKeyDownCapture={press} {...draggable(onDrag)} {...place}>
      <IconGripVertical size={14} aria-hidden="true" />
      {/* The default of its mouse button, which the menu prevents, starts a drag. */}
      <Menu.CheckboxItem checked={shown} onChange={onShown} onMouseDown={() => undefined}>
        {header}
      </Menu.CheckboxItem>
    </div>
  );
}
