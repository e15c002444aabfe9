import type { CellResult } from '../../shared/model/result.ts';
import { errorWords } from '../../shared/model/result-words.ts';
import { formatNumber } from '../../shared/util/format.ts';
import classes from './error-count.module.css';

/** Errors of a cell in a table: those that there are stand out, as their cell did less work than its figure says. */
export const ErrorCount = ({ cell }: { cell: Pick<CellResult, 'errors' | 'failures'> }) =>
  cell.errors === 0 ? (
    formatNumber(0)
  ) : (
    <b className={classes.errors} title={errorWords(cell)}>
      {formatNumber(cell.errors)}
    </b>
  );
