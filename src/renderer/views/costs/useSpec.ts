import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type CostResult, CostSpec } from '../../../shared/model/cost.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useCall } from '../../client/index.ts';
import { EMPTY_SPEC } from './components.ts';

export interface Evaluation {
  result: CostResult | undefined;
  problem: Problem | undefined;
}

const read = (text: string | undefined): CostSpec => {
  if (text === undefined) return EMPTY_SPEC;
  const parsed = CostSpec.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : EMPTY_SPEC;
};

/** The configuration being put together, kept while the window lives, with what it costs. `from`: a session whose price it begins with. */
export function useSpec(from: number | undefined): {
  spec: CostSpec;
  setSpec(spec: CostSpec): void;
  evaluation: Evaluation;
} {
  const [spec, setSpec] = useSessionStorage<CostSpec>({
    key: 'kneepoint-costs',
    defaultValue: EMPTY_SPEC,
    getInitialValueInEffect: false,
    deserialize: read,
  });
  const [taken, setTaken] = useState<number>();
  const given = useCall('costs.ofSession', { sessionId: from ?? 0 }, { enabled: from !== undefined }).data?.spec;
  useEffect(() => {
    if (from === undefined || taken === from || !given) return;
    setTaken(from);
    setSpec(given);
  }, [from, taken, given, setSpec]);
  const [asked] = useDebouncedValue(spec, 120);
  const empty = asked.components.length === 0;
  const query = useCall('costs.evaluate', { spec: asked }, { enabled: !empty, placeholderData: keepPreviousData });
  return {
    spec,
    setSpec,
    evaluation: {
      result: empty || query.error ? undefined : query.data,
      problem: empty ? undefined : query.error?.problem,
    },
  };
}
