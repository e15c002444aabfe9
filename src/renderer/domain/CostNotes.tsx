import { usableWords } from '../../shared/costs/index.ts';
import type { CostResult, ValueForMoney } from '../../shared/model/cost.ts';
import { formatLevels } from '../../shared/util/format.ts';
import classes from './cost-notes.module.css';

/** Notes on a total: dates of its prices, performance of its volumes on its machines, points to check before deciding. */
export function CostNotes({ result }: { result: CostResult }) {
  const usable = usableWords(result);
  return (
    <ul className={classes.notes} aria-label="About this price">
      <li>{result.asOf === undefined ? 'Custom items only.' : `Prices of ${result.asOf}.`}</li>
      {usable && <li>{usable}</li>}
      {result.notes?.map((note) => (
        <li key={note} data-tone="warn">
          {note}
        </li>
      ))}
    </ul>
  );
}

/** Performance of volumes, and doubts about a price, item by item. */
export function ItemNotes({ items }: { items: CostResult['items'] }) {
  const sentences = items.flatMap(({ label, performance = [], warnings }) => [
    ...performance.map((text) => ({ text: `${label}: ${text}`, tone: undefined })),
    ...warnings.map((text) => ({ text: `${label}: ${text}`, tone: 'warn' })),
  ]);
  if (sentences.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label="About its items">
      {sentences.map(({ text, tone }) => (
        <li key={text} data-tone={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Items that are not ranked, with the reason. */
export function NotRanked({ left }: Pick<ValueForMoney, 'left'>) {
  if (left.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label="Not ranked">
      {left.map(({ sessionId, name, levels, why }) => (
        <li key={`${sessionId} ${JSON.stringify(levels)}`}>
          Not ranked: {name}
          {levels && formatLevels(levels) ? `, ${formatLevels(levels)}` : ''}. {why}
        </li>
      ))}
    </ul>
  );
}
