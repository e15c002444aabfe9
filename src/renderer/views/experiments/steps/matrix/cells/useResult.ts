import { useMemo } from 'react';
import { metricOf } from '../../../../../../shared/metrics/index.ts';
import type { Experiment, Levels } from '../../../../../../shared/model/experiment.ts';
import { formatDateTime, formatShort } from '../../../../../../shared/util/format.ts';
import { useCall } from '../../../../../client/index.ts';
import { keyOf } from './grid-model.ts';

/** Sessions of this experiment, and the figures of the one that is chosen by its id. */
export function useResult({ name }: Experiment, chosen: string | undefined) {
  const { data: all = [] } = useCall('sessions.list', { archived: false });
  const sessions = useMemo(
    () =>
      all
        .filter(({ experiment, best, figuresFollow }) => experiment === name && (best !== undefined || figuresFollow))
        .map(({ id, name: words, createdAt }) => ({ id, words: `${words}, ${formatDateTime(createdAt)}` })),
    [all, name],
  );
  const { data } = useCall('results.session', { sessionId: Number(chosen) }, { enabled: chosen !== undefined });
  const figureOf = useMemo(() => {
    if (chosen === undefined || !data) return undefined;
    const values = data.cells.flatMap(({ value }) => value ?? []);
    const low = Math.min(...values);
    const high = Math.max(...values);
    const byLevels = new Map(data.cells.map(({ levels, value }) => [keyOf(levels), value]));
    return (levels: Levels) => {
      const value = byLevels.get(keyOf(levels));
      return value === undefined
        ? undefined
        : { words: formatShort(value), share: high > low ? (value - low) / (high - low) : 1 };
    };
  }, [chosen, data]);
  const metric = data && metricOf(data.metric);
  return { sessions, figureOf, unit: figureOf && metric ? metric.unit : undefined };
}
