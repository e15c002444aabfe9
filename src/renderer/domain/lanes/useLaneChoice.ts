import { useCallback, useState } from 'react';
import { LaneChoice, NOTHING_CHOSEN } from '../../../shared/chart-models/index.ts';

const keyOf = (name: string): string => `kneepoint-lanes-${name}`;

function kept(name: string): LaneChoice {
  try {
    return LaneChoice.parse(JSON.parse(localStorage.getItem(keyOf(name)) ?? ''));
  } catch {
    // Nothing was kept, the page may keep nothing, or it is of another version.
    return NOTHING_CHOSEN;
  }
}

/** The choice for an experiment, by its name; kept in this browser. */
export function useLaneChoice(name: string): [LaneChoice, (change: (before: LaneChoice) => LaneChoice) => void] {
  const [choice, setChoice] = useState(() => kept(name));
  const change = useCallback(
    (next: (before: LaneChoice) => LaneChoice) =>
      setChoice((before) => {
        const after = next(before);
        try {
          localStorage.setItem(keyOf(name), JSON.stringify(after));
        } catch {
          // It is as chosen until the page is left.
        }
        return after;
      }),
    [name],
  );
  return [choice, change];
}
