import { Select } from '@mantine/core';
import type { Run } from '../../../shared/model/session.ts';

interface Properties {
  /** Runs that are going on. */
  going: readonly Run[];
  /** The one that the page shows. */
  run: Run | undefined;
  /** `step`: its place in the trial. */
  onChange(step: number): void;
}

/** Which of several parallel steps the page shows; nothing where one runs alone. */
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
