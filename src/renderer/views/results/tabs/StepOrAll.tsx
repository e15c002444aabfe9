import { Select } from '@mantine/core';
import type { SessionStep } from '../../../../shared/model/plan.ts';

/** With more, the list has a search. */
const FEW_STEPS = 12;

interface StepOrAllProperties {
  steps: readonly SessionStep[];
  /** Undefined: all. */
  step: number | undefined;
  onChange: (step: number | undefined) => void;
}

/** Steps with results, as options of a list. */
export const measuredSteps = (steps: readonly SessionStep[]): { value: string; label: string }[] =>
  steps.flatMap(({ name, tool, measured }, place) =>
    measured === false ? [] : [{ value: String(place), label: name ?? `Step ${place + 1}, ${tool}` }],
  );

const ALL_STEPS = 'all';

/** Selects the step whose runs are listed below, or all; renders nothing if trials have only one step. */
export function StepOrAll({ steps, step, onChange }: StepOrAllProperties) {
  const measured = measuredSteps(steps);
  if (steps.length < 2 || measured.length === 0) return null;
  return (
    <Select
      aria-label="Step"
      w={220}
      searchable={measured.length > FEW_STEPS}
      allowDeselect={false}
      data={[{ value: ALL_STEPS, label: 'All steps' }, ...measured]}
      value={step === undefined ? ALL_STEPS : String(step)}
      onChange={(value) => onChange(value === null || value === ALL_STEPS ? undefined : Number(value))}
    />
  );
}
