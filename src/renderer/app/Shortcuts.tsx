import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import { useKeys } from '../ui/index.ts';

type Shortcut = readonly [keys: readonly string[], does: string];

const CTRL = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const GROUPS: readonly (readonly [title: string, shortcuts: readonly Shortcut[]])[] = [
  [
    'Anywhere',
    [
      [[CTRL, 'K'], 'Search or run a command'],
      [['?'], 'Show this list'],
      [['Tab'], 'Next control; the first one skips the navigation'],
    ],
  ],
  [
    'Rows of a table',
    [
      [['↑', '↓'], 'Move; with Shift also select'],
      [['Home', 'End'], 'Move to the first or the last row'],
      [['Space'], 'Select or deselect'],
      [[CTRL, 'A'], 'Select all'],
      [['Esc'], 'Clear the selection'],
      [['Enter'], 'Open'],
      [['right-click'], 'Show the actions of a row'],
    ],
  ],
  [
    'Sessions of the library',
    [
      [['drag'], 'Onto a session: compare; onto a tag: add it'],
      [['Alt', '↑', '↓'], 'Move a column in the menu of columns'],
    ],
  ],
  [
    'Results',
    [
      [['1', '…', '9'], 'Show a tab'],
      [['[', ']'], 'The session before or after this one in the list'],
    ],
  ],
  ['Live session', [[['N'], 'Add a note at this moment']]],
  [
    'Charts',
    [
      [[CTRL, 'wheel'], 'Zoom in and out'],
      [['drag'], 'Zoom to a range'],
      [['double-click'], 'Show the whole range'],
      [['F'], 'Full screen for the chart under the pointer, or leave it'],
      [['Esc'], 'Leave full screen'],
    ],
  ],
  [
    'Warm-up cut',
    [
      [['←', '→'], 'Move by 1 s, with Shift by 10 s'],
      [['Home', 'End'], 'Move to the start or the end'],
    ],
  ],
  [
    'Experiment',
    [
      [[CTRL, 'Z'], 'Undo'],
      [[CTRL, 'Shift', 'Z'], 'Redo'],
    ],
  ],
  [
    'Cells of the matrix',
    [
      [['↑', '↓', '←', '→'], 'Move; with Shift mark an area'],
      [['Space'], 'Exclude or include'],
      [['Esc'], 'Clear the marked area'],
    ],
  ],
  [
    'Editor',
    [
      [['Ctrl', 'Space'], 'Complete'],
      [['Tab'], 'Leave the editor'],
    ],
  ],
];

interface ShortcutsProperties {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Full screen for the chart that has it, is under the pointer, has the focus, or is the first. */
function toggleFullScreen(): void {
  const chart =
    document.querySelector('.kp-chart[data-full]') ??
    document.querySelector('.kp-chart:hover') ??
    document.activeElement?.closest('.kp-chart') ??
    document.querySelector('.kp-chart');
  const button = chart?.querySelector<HTMLElement>('[data-full-screen]');
  // Escape leaves it from there.
  button?.focus();
  button?.click();
}

/** All keyboard shortcuts; opened by `?`. */
export function Shortcuts({ opened, onOpen, onClose }: ShortcutsProperties) {
  useKeys({ '?': onOpen, f: toggleFullScreen });
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={520}>
      {GROUPS.map(([title, shortcuts]) => (
        <section key={title} className="kp-shortcuts" aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(([keys, does]) => (
              <Fragment key={does}>
                <dt>
                  {keys.map((key) => (
                    <Kbd key={key} size="xs">
                      {key}
                    </Kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
