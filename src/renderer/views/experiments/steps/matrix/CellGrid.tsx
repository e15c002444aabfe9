import type { Factor, Levels } from '../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../shared/model/factor.ts';
import { formatLevel, formatLevels } from '../../../../../shared/util/format.ts';
import { combinations, countCombinations, isExcluded, withExcluded, withIncluded } from './cells.ts';
import classes from './matrix.module.css';

interface Properties {
  factors: readonly Factor[];
  exclude: readonly Levels[];
  onChange(exclude: Levels[]): void;
}

/** Past this many a preview is no longer looked at, only waited for. */
const MOST_SHOWN = 2000;

/** Every combination as a small square: the last factor across, the others down. */
export function CellGrid({ factors, exclude, onChange }: Properties) {
  const last = factors.at(-1);
  const count = countCombinations(factors);
  if (!last) return <p className={classes.gridWords}>The one cell is the workload as it stands.</p>;
  if (count > MOST_SHOWN) {
    return (
      <p className={classes.gridWords}>
        {count.toLocaleString('en-US')} combinations are too many to draw; exclude some in the YAML, or use fewer
        levels.
      </p>
    );
  }
  const outer = factors.slice(0, -1);
  const rows = combinations(outer);
  const numbers = new Map<string, number>();
  for (const cell of combinations(factors))
    if (!isExcluded(exclude, cell)) numbers.set(JSON.stringify(cell), numbers.size + 1);
  const toggle = (pattern: Levels): void => {
    const cells = combinations(factors).filter((cell) =>
      Object.entries(pattern).every(([name, level]) => cell[name] === level),
    );
    const allOut = cells.every((cell) => isExcluded(exclude, cell));
    onChange(allOut ? withIncluded(exclude, pattern, factors) : withExcluded(exclude, pattern));
  };
  return (
    <div className={classes.gridScroll}>
      <table className={classes.grid}>
        <caption className="kp-visually-hidden">Cells of the matrix</caption>
        <Head outer={outer} last={last} onToggle={toggle} />
        <tbody>
          {rows.map((row) => (
            <Row key={formatLevels(row)} row={row} outer={outer} last={last} numbers={numbers} onToggle={toggle} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PartProperties {
  outer: readonly Factor[];
  last: Factor;
  /** Takes every cell with these levels in or out. */
  onToggle(pattern: Levels): void;
}

const Head = ({ outer, last, onToggle }: PartProperties) => (
  <thead>
    <tr>
      {outer.map((factor) => (
        <th key={factor.name} scope="col" className={classes.gridName}>
          {factor.name}
        </th>
      ))}
      {outer.length === 0 && <th className={classes.gridName}>{last.name}</th>}
      {levelsOf(last).map((level) => (
        <th key={String(level)} scope="col">
          <button
            type="button"
            title={`${last.name} ${formatLevel(level)}: whole column`}
            onClick={() => onToggle({ [last.name]: level })}
          >
            {formatLevel(level)}
          </button>
        </th>
      ))}
      {outer.length > 0 && <th className={classes.gridLast}>{last.name}</th>}
    </tr>
  </thead>
);

const Row = ({
  row,
  outer,
  last,
  numbers,
  onToggle,
}: PartProperties & { row: Levels; numbers: ReadonlyMap<string, number> }) => (
  <tr>
    {outer.map((factor, index) => (
      <th key={factor.name} scope="row">
        {index === outer.length - 1 ? (
          <button type="button" title={`${formatLevels(row)}: whole row`} onClick={() => onToggle(row)}>
            {formatLevel(row[factor.name])}
          </button>
        ) : (
          formatLevel(row[factor.name])
        )}
      </th>
    ))}
    {outer.length === 0 && <th aria-label="Cells" />}
    {levelsOf(last).map((level) => {
      const cell = { ...row, [last.name]: level };
      const number = numbers.get(JSON.stringify(cell));
      return (
        <td key={String(level)}>
          <button
            type="button"
            aria-pressed={number !== undefined}
            aria-label={`${formatLevels(cell)}: ${number === undefined ? 'left out' : `cell ${number}`}`}
            title={formatLevels(cell)}
            onClick={() => onToggle(cell)}
          >
            {number ?? '×'}
          </button>
        </td>
      );
    })}
  </tr>
);
