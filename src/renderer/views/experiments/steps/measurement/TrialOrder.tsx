import type { Plan } from '../../../../../shared/model/plan.ts';
import { formatCount, formatLevels } from '../../../../../shared/util/format.ts';
import type { CostlyChange } from './changes.ts';
import classes from './measurement.module.css';

const MOST_TRIALS = 120;
const MOST_CELLS = 40;
const HEIGHT = 8;

/** The order of the plan as a chart. Shows how a drift of the machine would spread over the cells. */
export function TrialOrder({ plan, changes }: { plan: Plan; changes: readonly CostlyChange[] }) {
  const trials = plan.trials.slice(0, MOST_TRIALS);
  const cells = Math.min(plan.cells.length, MOST_CELLS);
  const width = 100 / Math.max(1, trials.length);
  const shown = trials.filter((trial) => trial.cell < cells);
  const left = plan.trials.length - trials.length;
  return (
    <>
      <svg
        className={classes.order}
        style={{ height: Math.max(24, cells * (HEIGHT + 1)) }}
        role="img"
        aria-label={`${formatCount(plan.trials.length, 'trial')} in order`}
      >
        {changes
          .filter(({ trial }) => trial < trials.length)
          .map(({ trial, cost }) => (
            <line
              key={`change ${trial}`}
              x1={`${trial * width}%`}
              x2={`${trial * width}%`}
              y1={0}
              y2="100%"
              data-cost={cost}
            >
              <title>{`Before trial ${trial + 1}: ${cost}`}</title>
            </line>
          ))}
        {shown.map((trial) => (
          <rect
            key={trial.index}
            x={`${trial.index * width}%`}
            y={trial.cell * (HEIGHT + 1)}
            width={`${Math.min(width * 0.92, 4)}%`}
            height={HEIGHT}
            rx={1.5}
            data-repeat={trial.repeat % 2}
            data-canary={trial.canary}
          >
            <title>{`Trial ${trial.index + 1}: ${formatLevels(plan.cells[trial.cell]?.levels ?? {}) || 'the only cell'}, ${trial.canary ? 'canary' : `repeat ${trial.repeat + 1}`}`}</title>
          </rect>
        ))}
      </svg>
      <ul className={classes.orderKey} aria-label="Key">
        <li>
          <i /> trial, every other repeat paler
        </li>
        {trials.some(({ canary }) => canary) && (
          <li>
            <i data-canary /> canary
          </li>
        )}
        {changes.length > 0 && (
          <li>
            <i data-line /> {costWords(changes)} between two trials
          </li>
        )}
      </ul>
      {left > 0 && <p className="kp-small">and {formatCount(left, 'more trial')}</p>}
    </>
  );
}

const costWords = (changes: readonly CostlyChange[]): string =>
  [...new Set(changes.map(({ cost }) => cost))].join(', ');
