import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

/** A field that filters a long list. */
export const Finder = ({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) => (
  <TextInput
    w={280}
    aria-label={label}
    placeholder={label}
    leftSection={<IconSearch size={14} />}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
