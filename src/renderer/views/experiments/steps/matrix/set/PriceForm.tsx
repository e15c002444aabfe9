import { Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { formatCount } from '../../../../../../shared/util/format.ts';

const PER = ['hour', 'month', 'year'] as const;

interface Properties {
  label: string;
  value: unknown;
  onChange(value: unknown): void;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** A price as an amount. One made of components is shown, and kept until an amount is typed instead. */
export function PriceForm({ label, value, onChange }: Properties) {
  const fields = fieldsOf(value);
  const { amount, per = 'month', currency = 'USD', components } = fields;
  const made = Array.isArray(components) ? components.length : 0;
  const set = (name: string, next: unknown): void => onChange({ ...(made > 0 ? { amount: 0 } : fields), [name]: next });
  return (
    <>
      {made > 0 && (
        <Text size="sm" c="dimmed">
          {formatCount(made, 'component')} of the catalogue, as named in the YAML. An amount replaces them.
        </Text>
      )}
      <Group gap="sm">
        <NumberInput
          aria-label={`${label}: amount`}
          w={140}
          min={0}
          hideControls
          value={typeof amount === 'number' ? amount : ''}
          onChange={(next) => typeof next === 'number' && set('amount', next)}
        />
        <TextInput
          aria-label={`${label}: currency`}
          w={72}
          maxLength={3}
          value={String(currency)}
          onChange={(event) => set('currency', event.currentTarget.value.toUpperCase())}
        />
        <Select
          aria-label={`${label}: per`}
          w={120}
          allowDeselect={false}
          data={PER.map((each) => ({ value: each, label: `per ${each}` }))}
          value={String(per)}
          onChange={(next) => next !== null && set('per', next)}
        />
      </Group>
    </>
  );
}
