import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';

interface KeptTextProperties {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  /** Problem from the document's check. */
  problem?: string | undefined;
  /** In a monospaced font, with several lines. */
  isCode?: boolean;
}

const LEAST_ROWS = 2;
const MOST_ROWS = 10;

/** A text that must not be empty: while it is, the document keeps its previous one. */
export function KeptText({ label, description, value, onChange, problem, isCode }: KeptTextProperties) {
  const [isEmpty, setEmpty] = useState(false);
  const change = (text: string): void => {
    setEmpty(text.trim() === '');
    if (text.trim() !== '') onChange(text);
  };
  const common = {
    ...{ label, value: isEmpty ? '' : value, error: isEmpty ? 'Enter a value.' : problem },
    ...(description !== undefined && { description }),
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
    onBlur: () => setEmpty(false),
  };
  return isCode ? (
    <Textarea
      rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, value.split('\n').length))}
      classNames={{ input: 'kp-mono' }}
      {...common}
    />
  ) : (
    <TextInput {...common} />
  );
}
