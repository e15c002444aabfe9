import { useMemo, useState } from 'react';
import type { Experiment, Factor } from '../../../../../../shared/model/experiment.ts';
import type { MatrixContext } from '../kinds.ts';
import { factorOf, type Proposal } from '../newFactor.ts';
import { FactorPanel } from './FactorPanel.tsx';

interface Properties {
  context: MatrixContext;
  experiment: Experiment;
  proposal: Proposal;
  onAdd(factor: Factor): void;
  onCancel(): void;
}

const NONE = [] as const;

/** A new factor whose levels are sets: it is added to the document once it has some. */
export function NewSets({ context, experiment, proposal, onAdd, onCancel }: Properties) {
  const index = experiment.factors.length;
  const [draft, setDraft] = useState<Experiment>(() => ({
    ...experiment,
    factors: [...experiment.factors, factorOf(proposal, [], context)],
  }));
  const own = useMemo(() => ({ ...context, experiment: draft }), [context, draft]);
  const factor = draft.factors[index];
  const ready = factor !== undefined && factor.levels.length > 0;
  return (
    <FactorPanel
      context={own}
      index={index}
      problems={NONE}
      edit={setDraft}
      onClose={onCancel}
      onAdd={() => ready && onAdd(factor)}
    />
  );
}
