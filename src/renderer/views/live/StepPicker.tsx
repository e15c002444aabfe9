import { Select } from '@mantine/core';
import type { Run } from '../../../shared/model/session.ts';

interface Properties {
  /** Runs in progress. */
  going: readonly Run[];
  /** The run shown on the page. */
  run: Run | undefined;
  /** `step`: its place in the trial. */
  onChange(step: number): void;
}

/** Selects which of several parallel steps the page shows; renders nothing for a single one. */
export function StepPicker({ going, run, onChange }: Properties) {
  if (going.length < 2 || !run) return null;
  return (
    <Select
      size="xs"
      aria-label="Parallel step"
      data={going.map(({ step = 0, stepName }) => ({ value: String(step), label: stepName ?? `Step ${step + 1}` }))}
      value={String(run.step ?? 0)}
      allowDeselect={false}
      onChange={(step) => step !== null && onChange(Number(step))}
    />
  );
}
