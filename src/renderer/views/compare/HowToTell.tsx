import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Comparison } from '../../../shared/model/result.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';

/** Below the figures of two single sessions: why there is no verdict on their set-ups, and what gives one. */
export function HowToTell({ comparison: { baseline, other, cells } }: { comparison: Comparison }) {
  const [, go] = useLocation();
  const repeats = repeatsWanted(cells);
  const both = useCall('experiments.bothInTurns', {
    ...{ baselineId: baseline.id, otherId: other.id },
    ...(repeats !== undefined && { repeats }),
  });
  const save = useAction('experiments.save', { onSuccess: ({ id }) => go(`/experiments/${id}`) });
  const { text, why } = both.data ?? {};
  return (
    <div className="kp-dim">
      {text === undefined
        ? `For a verdict on the set-ups, measure both again in turns, and choose several sessions on each side.${why ? ` ${why}` : ''}`
        : `For a verdict on the set-ups, measure both in turns in one session${repeats === undefined ? '' : `, with ${formatCount(repeats, 'repeat')}`}, and choose it on both sides.`}{' '}
      {text === undefined ? null : (
        <Button variant="default" size="compact-sm" loading={save.isPending} onClick={() => save.mutate({ text })}>
          Make this experiment
        </Button>
      )}
      {save.error ? ` ${save.error.problem.message}` : null}
    </div>
  );
}

/** So many repeats as would settle every cell of which nothing can be told; undefined where nothing is to be settled. */
function repeatsWanted(cells: Comparison['cells']): number | undefined {
  const wanted = cells.flatMap(({ more, baseline, other }) =>
    more === undefined ? [] : [more + Math.max(baseline?.means.length ?? 0, other?.means.length ?? 0)],
  );
  return wanted.length > 0 ? Math.max(...wanted) : undefined;
}
