import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { caveatSentence, errorWords, type Figured, warningGroups, warningsOf } from '../../shared/model/figure.ts';
import type { CellResult } from '../../shared/model/result.ts';
import { formatNumber } from '../../shared/util/format.ts';
import { ask, type EngineLink, useLink } from '../client/index.ts';
import classes from './figures.module.css';

interface Properties {
  of: Figured | undefined;
  /** It is on a coloured tile, and uses the text colour there. */
  onTile?: boolean;
}

/** Shown next to a ranked or compared figure: a mark for all of its warnings. */
export function Warnings({ of, onTile = false }: Properties) {
  const warnings = warningsOf(of);
  if (warnings.length === 0) return null;
  return (
    <span
      className={classes.mark}
      data-on-tile={onTile || undefined}
      role="img"
      aria-label={warnings.map(caveatSentence).join(' ')}
      title={warnings.map((caveat) => `${caveatSentence(caveat)} ${caveat.evidence ?? ''}`).join('\n')}
    >
      <IconAlertTriangle size={14} aria-hidden="true" />
    </span>
  );
}

/** Shown next to a chart of cells: warnings about their figures. */
export const WarningNotes = ({ cells }: { cells: Parameters<typeof warningGroups>[0] }) =>
  warningGroups(cells).map(({ message, evidence }) => (
    <div key={message} className={classes.note} role="note" title={evidence}>
      <IconAlertTriangle size={16} aria-hidden="true" />
      <span>{message}</span>
    </div>
  ));

/** Errors of a cell in a table: non-zero counts are highlighted, as the cell did less work than its figure shows. */
export const ErrorCount = ({ cell }: { cell: Pick<CellResult, 'errors' | 'failures'> }) =>
  cell.errors === 0 ? (
    formatNumber(0)
  ) : (
    <b className={classes.errors} title={errorWords(cell)}>
      {formatNumber(cell.errors)}
    </b>
  );

interface PendingFigureProperties {
  /** Sessions whose figures are still to be calculated. */
  ids: readonly number[];
  /** The previous value; absent: none. */
  children?: ReactNode;
}

/** Replaces a figure that is still to be calculated. It is then calculated before those that are not visible. */
export function PendingFigure({ ids, children }: PendingFigureProperties) {
  const link = useLink();
  const wanted = ids.join(' ');
  useEffect(() => {
    want(link, wanted.split(' ').map(Number));
  }, [link, wanted]);
  if (children)
    return (
      <span className={classes.before} title="Recalculating. Showing the previous figure.">
        {children}
      </span>
    );
  return <span className={classes.place} role="img" aria-label="Calculating" title="Calculating" />;
}

/** Rows of one screen are requested together, milliseconds. */
const TOGETHER_MS = 50;
/** Maximum of one request. */
const MOST = 1000;

const waiting = new WeakMap<EngineLink, Set<number>>();

/** The result arrives like all others, as an update of the list. */
function want(link: EngineLink, ids: readonly number[]): void {
  const some = waiting.get(link);
  if (some) {
    for (const id of ids) some.add(id);
    return;
  }
  const all = new Set(ids);
  waiting.set(link, all);
  setTimeout(() => {
    waiting.delete(link);
    // If the call fails, they are calculated in their turn.
    ask(link, 'sessions.figures', { ids: [...all].slice(0, MOST) }).catch(() => undefined);
  }, TOGETHER_MS);
}
