import type { Measure } from '../../../../../shared/model/experiment.ts';
import { formatDuration } from '../../../../../shared/util/format.ts';
import classes from './measurement.module.css';

/** A trial's phases, drawn to scale; very short phases have a minimum width. */
export function PhaseBar({ measure }: { measure: Measure }) {
  const phases = [
    { id: 'warm-up', words: 'Warm-up', seconds: measure.warmup },
    { id: 'measure', words: 'Measure', seconds: measure.duration },
    { id: 'pause', words: 'Pause', seconds: measure.pause },
  ].filter((phase) => phase.seconds > 0);
  return (
    <div
      className={classes.phases}
      role="img"
      aria-label={phases.map(({ words, seconds }) => `${words} ${formatDuration(seconds)}`).join(', ')}
    >
      {phases.map(({ id, words, seconds }) => (
        <div key={id} data-phase={id} style={{ flexGrow: seconds }} title={`${words}: ${formatDuration(seconds)}`}>
          <strong>{words}</strong>
          <span>{formatDuration(seconds)}</span>
        </div>
      ))}
    </div>
  );
}
