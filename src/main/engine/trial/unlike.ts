import type { EngineFinding } from '../../../shared/checks/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';

import { formatPercent, withinSentence } from '../../../shared/util/format.ts';
import type { RunJob } from '../store/store.ts';

/** Generators that start further apart than this do not measure the same seconds any more. */
const WIDE_START_MS = 500;
/** Of what the best one did with each connection: less says that something is between this one and the target, or in its own way. */
const ALIKE = 0.8;

/** How far apart the generators started, and how exactly that is known. */
export function startFindings(jobs: readonly RunJob[]): EngineFinding[] {
  const starts = jobs.flatMap(({ startedAt }) => startedAt ?? []);
  if (starts.length < 2) return [];
  const spread = Math.round(Math.max(...starts) - Math.min(...starts));
  const known = Math.ceil(Math.max(...jobs.map(({ clock }) => (clock?.roundTripMs ?? 0) / 2)));
  const wide = spread > WIDE_START_MS;
  return [
    {
      code: 'start-spread',
      severity: wide ? 'warn' : 'note',
      message: `The generators started within ${spread} ms of one another; their clocks are known to ${known} ms.`,
      ...(wide && {
        next: 'Their seconds are put on one axis by when each started; the first and last seconds are not those of all.',
      }),
    },
  ];
}

/** Generators that did much less than the best one with each of their connections. `shares`: connections of each, in the order of `jobs`. */
export function unevenFindings(jobs: readonly RunJob[], metric: string, shares: readonly number[]): EngineFinding[] {
  const { combine, label } = metricOf(metric);
  if (combine !== 'sum') return [];
  const rates = jobs.flatMap(({ host, summary }, index) => {
    const figure = summary?.[metric];
    const share = shares[index];
    return figure === undefined || !share ? [] : [{ host, rate: figure / share }];
  });
  const best = Math.max(...rates.map(({ rate }) => rate));
  const slow = rates.filter(({ rate }) => rate < best * ALIKE);
  if (rates.length < 2 || slow.length === 0) return [];
  const words = slow.map(({ host, rate }) => `${host} ${formatPercent(1 - rate / best, 0)} fewer`).join(', ');
  return [
    {
      code: 'uneven-generators',
      severity: 'warn',
      message: `The generators did not produce equal load: per connection or thread ${words} ${withinSentence(label)} than the best one.`,
      next: 'Check CPU and network of the slower ones: they may be the limit, not the target.',
    },
  ];
}
