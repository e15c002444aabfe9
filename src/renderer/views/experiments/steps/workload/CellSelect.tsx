import { Select } from '@mantine/core';
import type { Plan } from '../../../../../shared/model/plan.ts';
import { plainLevels } from '../../../../../shared/util/format.ts';

interface Properties {
  plan: Plan | undefined;
  /** Number of selectable cells, from the first on. */
  count: number;
  value: number;
  onChange(cell: number): void;
}

/** Selects a cell of the plan by its levels; renders nothing if there is only one. */
export function CellSelect({ plan, count, value, onChange }: Properties) {
  if (count < 2) return null;
  return (
    <Select
      aria-label="Cell"
      w={260}
      value={String(value)}
      allowDeselect={false}
      searchable
      data={Array.from({ length: count }, (_, index) => ({
        value: String(index),
        label: `Cell ${index + 1}: ${plainLevels(plan?.cells[index]?.levels ?? {})}`,
      }))}
      onChange={(text) => onChange(Number(text ?? 0))}
    />
  );
}
