import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { type CatalogueEntry, type CostComponent, CostSpec, type Priced } from '../../../shared/model/cost.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { useCall } from '../../client/index.ts';

/** A configuration being edited; `id`: of the saved one that it changes. */
const Draft = z.object({ id: z.number().optional(), spec: CostSpec });
export type Draft = z.infer<typeof Draft>;

export interface Pricing {
  priced: Priced | undefined;
  problem: Problem | undefined;
}

const read = (text: string | undefined): Draft => {
  if (text === undefined) return { spec: EMPTY_SPEC };
  const parsed = Draft.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : { spec: EMPTY_SPEC };
};

/** The configuration being edited, stored for the lifetime of the window, with its price. `from`: a session whose price it starts from. */
export function useDraft(from: number | undefined): { draft: Draft; setDraft(draft: Draft): void; pricing: Pricing } {
  const [draft, setDraft] = useSessionStorage<Draft>({
    key: 'kneepoint-configuration',
    defaultValue: { spec: EMPTY_SPEC },
    getInitialValueInEffect: false,
    deserialize: read,
  });
  const [taken, setTaken] = useState<number>();
  const given = useCall('costs.ofSession', { sessionId: from ?? 0 }, { enabled: from !== undefined }).data?.spec;
  useEffect(() => {
    if (from === undefined || taken === from || !given) return;
    setTaken(from);
    setDraft({ spec: given });
  }, [from, taken, given, setDraft]);
  const [asked] = useDebouncedValue(draft.spec, 120);
  const empty = asked.components.length === 0;
  const query = useCall('costs.evaluate', { spec: asked }, { enabled: !empty, placeholderData: keepPreviousData });
  return {
    draft,
    setDraft,
    pricing: {
      priced: empty || query.error ? undefined : query.data,
      problem: empty ? undefined : query.error?.problem,
    },
  };
}

export const EMPTY_SPEC: CostSpec = { label: '', currency: 'USD', components: [] };

/** Without an amount: it has no price until one is entered. */
export const ownFigure = (): CostComponent => ({ kind: 'own', label: 'Custom item', amount: null, per: 'month' });

/** Whether every word of the query occurs in the entry's title, summary, provider or region. */
export function matchesEntry(entry: CatalogueEntry, query: string): boolean {
  const text = `${entry.title} ${entry.summary} ${entry.provider} ${entry.region} ${entry.id}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A stable key for each part: parts have no identity, so equal ones are counted. */
export function keysOf(components: readonly CostComponent[]): string[] {
  const seen = new Map<string, number>();
  return components.map((component) => {
    const name = component.kind === 'own' ? 'own' : component.id;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${name} ${count}`;
  });
}
