import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';

interface KeptTextProperties {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  /** Of the document. */
  problem?: string | undefined;
  /** In the letters of a machine, over several lines. */
  isCode?: boolean;
}

const MOST_ROWS = 10;

/** A text that must not be empty: while it is, the document keeps what it had. */
export function KeptText({ label, description, value, onChange, problem, isCode }: KeptTextProperties) {
  const [isEmpty, setEmpty] = useState(false);
  const change = (text: string): void => {
    setEmpty(text.trim() === '');
    if (text.trim() !== '') onChange(text);
  };
  const common = {
    ...{ label, value: isEmpty ? '' : value, error: isEmpty ? 'It cannot be empty.' : problem },
    ...(description !== undefined && { description }),
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
    onBlur: () => setEmpty(false),
  };
  return isCode ? (
    <Textarea rows={Math.min(MOST_ROWS, value.split('\n').length)} classNames={{ input: 'kp-mono' }} {...common} />
  ) : (
    <TextInput {...common} />
  );
}
