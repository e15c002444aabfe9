import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Comparison } from '../../../shared/model/result.ts';
import { repeatsOf } from '../../../shared/model/settling.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { repeatsPlace } from '../../domain/index.ts';

/** What would settle the cells of a session of which nothing can be told, and the way there; nothing where all is settled. */
export function Settle({ comparison }: { comparison: Comparison }) {
  const settling = repeatsOf(comparison);
  if (!settling) return null;
  const { words, repeats, cells } = settling;
  return (
    <div className="kp-dim">
      {words}{' '}
      <Button
        component={Link}
        href={repeatsPlace(comparison.other.id, repeats, cells)}
        variant="default"
        size="compact-sm"
      >
        {`Add ${formatCount(repeats, 'repeat')}`}
      </Button>
    </div>
  );
}
