import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconAdjustments, IconAnchor, IconArrowDown, IconArrowUp, IconFlag, IconFlagOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Scalar } from '../../../../../../shared/model/experiment.ts';
import { type Level, levelName } from '../../../../../../shared/model/factor.ts';
import { type Field, shapeProblem } from '../../../../../forms/index.ts';
import { IconAction } from '../../../../../ui/index.ts';
import { readLevel } from '../levels.ts';

interface Properties {
  level: Level;
  field: Field | undefined;
  /** The other levels. */
  taken: readonly Scalar[];
  /** Whether it is the base; absent: every combination is measured. */
  base: boolean | undefined;
  /** Whether it is the baseline of the results; absent: there are no other levels. */
  baseline: boolean | undefined;
  first: boolean;
  last: boolean;
  onLevel(level: Level): void;
  onBase(): void;
  onBaseline(isBaseline: boolean): void;
  onMove(by: -1 | 1): void;
  onSets: (() => void) | undefined;
  onClose(): void;
}

/** One level: its value or name, its position, and a button for its settings. */
export function LevelEditor({
  level,
  field,
  taken,
  base,
  baseline,
  first,
  last,
  onLevel,
  onBase,
  onBaseline,
  onMove,
  onSets,
  onClose,
}: Properties) {
  const named = typeof level === 'object';
  const [text, setText] = useState(String(levelName(level)));
  const value = named ? text.trim() : readLevel(field, text);
  const problem = named ? value === '' && 'Enter a name.' : field && shapeProblem(field.shape, value);
  const twice = taken.some((other) => String(other) === String(value)) && 'This level already exists.';
  const choices = !named && field?.shape.kind === 'choice' ? field.shape.choices : undefined;
  const apply = (event: FormEvent): void => {
    event.preventDefault();
    if (problem || twice) return;
    if (String(value) !== String(levelName(level))) onLevel(named ? { ...level, name: String(value) } : value);
    onClose();
  };
  return (
    <form onSubmit={apply}>
      <Stack gap="sm">
        {choices ? (
          <Select
            label="Value"
            data={choices.map(String)}
            value={text}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            error={twice}
            onChange={(next) => next !== null && setText(next)}
          />
        ) : (
          <TextInput
            label={named ? 'Name' : 'Value'}
            data-autofocus
            value={text}
            maxLength={named ? 80 : 10_000}
            error={problem || twice}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Group gap="xs">
          <IconAction label="Move up" disabled={first} onClick={() => onMove(-1)}>
            <IconArrowUp size={16} stroke={1.6} />
          </IconAction>
          <IconAction label="Move down" disabled={last} onClick={() => onMove(1)}>
            <IconArrowDown size={16} stroke={1.6} />
          </IconAction>
          {base !== undefined && (
            <IconAction label="Vary the others around this level" disabled={base} onClick={onBase}>
              <IconAnchor size={16} stroke={1.6} />
            </IconAction>
          )}
          {baseline !== undefined && (
            <IconAction
              label={baseline ? 'Not the baseline' : 'Baseline: results compare the other levels with it'}
              onClick={() => onBaseline(!baseline)}
            >
              {baseline ? <IconFlagOff size={16} stroke={1.6} /> : <IconFlag size={16} stroke={1.6} />}
            </IconAction>
          )}
          {onSets && (
            <IconAction label="Edit what it sets" onClick={onSets}>
              <IconAdjustments size={16} stroke={1.6} />
            </IconAction>
          )}
          <Button type="submit" size="compact-sm" ml="auto" disabled={Boolean(problem || twice)}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
