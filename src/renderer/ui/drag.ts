import { type DragEvent, useState } from 'react';

/** Makes a browser start the drag; its content is never read, as only places of the same page accept the row. */
const TYPE = 'application/x-kneepoint';

/** Properties of a draggable element. `onDrag` is called at the start with true, and at the end, dropped or not, with false. */
export const draggable = (onDrag: (starts: boolean) => void) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(TYPE, '');
    event.dataTransfer.effectAllowed = 'move';
    // A change of the page during the event ends the drag in some browsers.
    setTimeout(() => onDrag(true));
  },
  onDragEnd: () => onDrag(false),
});

/** Properties of an element on which the dragged one can be dropped. `actionOf`: undefined where it is not accepted. */
export function useDropPlace(actionOf: () => (() => void) | undefined) {
  const [over, setOver] = useState(false);
  return {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent): void => {
      if (!actionOf()) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent): void => {
      setOver(false);
      const act = actionOf();
      if (!act) return;
      event.preventDefault();
      act();
    },
  };
}
