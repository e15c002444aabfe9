import { Textarea } from '@mantine/core';
import pasted from './pasted.module.css';

interface PastedProperties {
  label: string;
  placeholder: string;
  rows: number;
  value: string;
  onChange: (text: string) => void;
}

/** A field for lines of output as printed. */
export const PastedText = ({ label, onChange, ...rest }: PastedProperties) => (
  <Textarea
    aria-label={label}
    spellCheck={false}
    classNames={{ input: pasted.pasted ?? '' }}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...rest}
  />
);
