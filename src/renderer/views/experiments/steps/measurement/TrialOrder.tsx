import type { Plan } from '../../../../../shared/model/plan.ts';
import { formatCount, formatLevels } from '../../../../../shared/util/format.ts';
import classes from './measurement.module.css';

const MOST_TRIALS = 120;
const MOST_CELLS = 40;
const HEIGHT = 8;

/** The plan as a score: what runs when. Shows how a drift of the machine would spread over the cells. */
export function TrialOrder({ plan }: { plan: Plan }) {
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
            <title>{`Trial ${trial.index + 1}: ${formatLevels(plan.cells[trial.cell]?.levels ?? {}) || 'the one cell'}, ${trial.canary ? 'canary' : `repeat ${trial.repeat + 1}`}`}</title>
          </rect>
        ))}
      </svg>
      {left > 0 && <p className="kp-small">and {formatCount(left, 'more trial')}</p>}
    </>
  );
}
