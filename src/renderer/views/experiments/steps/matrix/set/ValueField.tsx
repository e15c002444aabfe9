import { Autocomplete, Select } from '@mantine/core';
import { useState } from 'react';
import type { Scalar } from '../../../../../../shared/model/experiment.ts';
import { type Field, shapeProblem } from '../../../../../forms/index.ts';
import { readLevel } from '../levels.ts';

interface Properties {
  label: string;
  /** Field of the tool's option; absent: any value. */
  field: Field | undefined;
  value: Scalar | null | undefined;
  /** Suggested values; any other can be typed. */
  values?: readonly string[];
  placeholder: string;
  /** Undefined: nothing is set. */
  onChange(value: Scalar | undefined): void;
}

/** A value of a set. Keeps the text as typed while focused. */
export function ValueField({ label, field, value, values = [], placeholder, onChange }: Properties) {
  const [draft, setDraft] = useState<string>();
  const shape = field?.shape;
  const choices = shape?.kind === 'choice' ? shape.choices : shape?.kind === 'switch' ? [false, true] : undefined;
  const text = value === null || value === undefined ? '' : String(value);
  const problem = shape && value !== null && value !== undefined ? shapeProblem(shape, value) : undefined;
  if (choices)
    return (
      <Select
        aria-label={label}
        placeholder={placeholder}
        data={choices.map(String)}
        value={text === '' ? null : text}
        clearable
        error={problem}
        onChange={(next) => onChange(choices.find((choice) => String(choice) === next))}
      />
    );
  return (
    <Autocomplete
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      data={[...values]}
      filter={({ options }) => options}
      value={draft ?? text}
      error={problem}
      onChange={(typed) => {
        setDraft(typed);
        onChange(typed.trim() === '' ? undefined : readLevel(field, typed));
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}
