import { Button, Group, Popover, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Scalar } from '../../../../../../shared/model/experiment.ts';
import { levelsAround, type Range, readRange } from '../../../../../../shared/model/ranges.ts';
import { type Field, shapeProblem } from '../../../../../forms/index.ts';
import { IconAction } from '../../../../../ui/index.ts';
import { readLevel } from '../levels.ts';

interface Properties {
  name: string;
  /** Absent: any value. */
  field: Field | undefined;
  levels: readonly Scalar[];
  /** CPUs of the generator, if known. */
  cpus: number | undefined;
  onChange(levels: readonly Scalar[]): void;
}

/** Fills in a whole ladder at once: doubling, in equal steps or around the number of CPUs; for a choice, every value. */
export function LevelHelpers({ name, field, levels, cpus, onChange }: Properties) {
  const [opened, setOpened] = useState(false);
  const shape = field?.shape;
  if (shape?.kind === 'text' || shape?.kind === 'switch') return null;
  if (shape?.kind === 'choice') {
    return (
      <IconAction
        label={`All values of ${name}`}
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
      width={320}
    >
      <Popover.Target>
        <div>
          <IconAction label={`Fill in levels of ${name}`} onClick={() => setOpened(!opened)}>
            <IconWand size={16} stroke={1.6} />
          </IconAction>
        </div>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Levels of ${name}`}>
        <Ladder
          field={field}
          levels={levels}
          cpus={cpus}
          onFill={(next) => {
            onChange(next);
            setOpened(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

const WAYS = { double: 'Doubling', step: 'Equal steps', around: 'Around CPUs' } as const;
type Way = keyof typeof WAYS;
const isWay = (way: string): way is Way => way in WAYS;

interface LadderProperties {
  field: Field | undefined;
  levels: readonly Scalar[];
  cpus: number | undefined;
  onFill(levels: readonly Scalar[]): void;
}

function Ladder({ field, levels, cpus, onFill }: LadderProperties) {
  const numbers = levels.filter((level): level is number => typeof level === 'number');
  const [way, setWay] = useState<Way>('double');
  const [first, setFirst] = useState(String(Math.max(1, Math.min(...numbers, 1))));
  const [last, setLast] = useState(String(Math.max(64, ...numbers)));
  const [step, setStep] = useState('8');
  const [count, setCount] = useState(String(cpus ?? 8));
  const made: Range =
    way === 'around'
      ? { levels: levelsAround(Number(count) || 1) }
      : (readRange(`${first}..${last} ${way === 'double' ? 'doubling' : `by ${step}`}`) ?? { problem: WANTED });
  const values = 'levels' in made ? made.levels.map((level) => readLevel(field, String(level))) : [];
  const wrong =
    'problem' in made
      ? made.problem
      : field && values.map((value) => shapeProblem(field.shape, value)).find((each) => each !== undefined);
  const fill = (event: FormEvent): void => {
    event.preventDefault();
    if (values.length > 0 && wrong === undefined) onFill(values);
  };
  const input = (label: string, value: string, set: (value: string) => void) => (
    <TextInput label={label} value={value} onChange={(event) => set(event.currentTarget.value)} />
  );
  return (
    <form onSubmit={fill}>
      <Stack gap="sm">
        <SegmentedControl
          fullWidth
          aria-label="Spacing of levels"
          value={way}
          data={Object.entries(WAYS).map(([value, label]) => ({ value, label }))}
          onChange={(value) => isWay(value) && setWay(value)}
        />
        <Group grow gap="sm">
          {way === 'around' ? (
            input('CPUs', count, setCount)
          ) : (
            <>
              {input('From', first, setFirst)}
              {input('To', last, setLast)}
            </>
          )}
          {way === 'step' && input('Step', step, setStep)}
        </Group>
        <Text size="xs" c={wrong ? 'var(--kp-bad)' : 'dimmed'} className="kp-figures">
          {wrong ?? values.join(', ')}
        </Text>
        <Button type="submit" disabled={values.length === 0 || wrong !== undefined}>
          Use these {values.length || ''} levels
        </Button>
      </Stack>
    </form>
  );
}

const WANTED = 'From, to and step must be numbers, all with the same unit or all without: 1 and 64, 128M and 1024M.';
