import { Button, Group, Popover, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Scalar } from '../../../../../shared/model/experiment.ts';
import { type Field, readText, shapeProblem } from '../../../../forms/index.ts';
import { IconAction } from '../../../../ui/index.ts';
import { doubling, stepping } from './levels.ts';

interface Properties {
  field: Field | undefined;
  levels: Scalar[];
  onChange(levels: Scalar[]): void;
}

/** Fills in a whole ladder at once: doubling or in equal steps for numbers, every value for a choice. */
export function LevelHelpers({ field, levels, onChange }: Properties) {
  const [opened, setOpened] = useState(false);
  if (!field || field.shape.kind === 'text' || field.shape.kind === 'switch') return null;
  const { shape } = field;
  if (shape.kind === 'choice') {
    return (
      <IconAction
        label={`All values of ${field.name}`}
        disabled={levels.length === shape.choices.length}
        onClick={() => onChange([...shape.choices])}
      >
        <IconWand size={16} stroke={1.6} />
      </IconAction>
    );
  }
  return (
    <Popover
      withRoles={false}
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      width={300}
    >
      <Popover.Target>
        <div>
          <IconAction label={`Fill in levels of ${field.name}`} onClick={() => setOpened(!opened)}>
            <IconWand size={16} stroke={1.6} />
          </IconAction>
        </div>
      </Popover.Target>
      <Popover.Dropdown>
        <Ladder
          field={field}
          levels={levels}
          onFill={(next) => {
            onChange(next);
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Ladder({ field, levels, onFill }: { field: Field; levels: Scalar[]; onFill(levels: Scalar[]): void }) {
  const numbers = levels.filter((level): level is number => typeof level === 'number');
  const [kind, setKind] = useState<'double' | 'step'>('double');
  const [first, setFirst] = useState(String(Math.max(1, Math.min(...numbers, 1))));
  const [last, setLast] = useState(String(Math.max(64, ...numbers)));
  const [step, setStep] = useState('8');
  const figure = (text: string): number => Number(readText(field.shape, text));
  const made =
    kind === 'double' ? doubling(figure(first), figure(last)) : stepping(figure(first), figure(last), figure(step));
  const wrong = made.map((level) => shapeProblem(field.shape, level)).find(Boolean);
  const fill = (event: FormEvent): void => {
    event.preventDefault();
    if (made.length > 0 && !wrong) onFill(made);
  };
  return (
    <form onSubmit={fill}>
      <Stack gap="sm">
        <SegmentedControl
          fullWidth
          value={kind}
          data={[
            { value: 'double', label: 'Doubling' },
            { value: 'step', label: 'Equal steps' },
          ]}
          onChange={(value) => setKind(value === 'step' ? 'step' : 'double')}
        />
        <Group grow gap="sm">
          <TextInput
            label="From"
            inputMode="decimal"
            value={first}
            onChange={(event) => setFirst(event.currentTarget.value)}
          />
          <TextInput
            label="To"
            inputMode="decimal"
            value={last}
            onChange={(event) => setLast(event.currentTarget.value)}
          />
          {kind === 'step' && (
            <TextInput
              label="Step"
              inputMode="decimal"
              value={step}
              onChange={(event) => setStep(event.currentTarget.value)}
            />
          )}
        </Group>
        <Text size="xs" c={wrong ? 'var(--kp-bad)' : 'dimmed'} className="kp-figures">
          {wrong ?? (made.length > 0 ? made.join(', ') : 'From must not be above To, and both be numbers.')}
        </Text>
        <Button type="submit" disabled={made.length === 0 || wrong !== undefined}>
          Use these {made.length || ''} levels
        </Button>
      </Stack>
    </form>
  );
}
