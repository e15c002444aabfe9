import { IconAlertTriangle } from '@tabler/icons-react';
import type { FigureBound } from '../../shared/model/analysis.ts';
import { type BoundedCell, loadBoundGroups, loadBoundSentence } from '../../shared/model/bound-words.ts';
import classes from './load-bound.module.css';

interface Properties {
  bound: FigureBound | undefined;
  /** It stands on a colour, and has that of the words there. */
  onTile?: boolean;
}

/** Beside a figure that is ranked or compared: it tells of the load, and not of the system under test. Nothing beside other figures. */
export function LoadBound({ bound, onTile = false }: Properties) {
  const sentence = loadBoundSentence(bound);
  if (sentence === undefined) return null;
  return (
    <span
      className={classes.mark}
      data-on-tile={onTile || undefined}
      role="img"
      aria-label={sentence}
      title={`${sentence} ${bound?.sentence ?? ''}`}
    >
      <IconAlertTriangle size={14} aria-hidden="true" />
    </span>
  );
}

/** Beside a picture of cells: which of them tell of the load. */
export const LoadBoundNote = ({ cells }: { cells: readonly BoundedCell[] }) =>
  loadBoundGroups(cells).map(({ verdict, message, evidence }) => (
    <div key={verdict} className={classes.note} role="note" title={evidence}>
      <IconAlertTriangle size={16} aria-hidden="true" />
      <span>{message}</span>
    </div>
  ));
