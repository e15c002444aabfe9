import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** The name is applied when the field is left, as every excluded cell refers to it. */
export function LevelName({ name, onRename }: { name: string; onRename(name: string): void }) {
  const [draft, setDraft] = useState(name);
  const commit = (): void => {
    const next = draft.trim();
    if (next === '') setDraft(name);
    else if (next !== name) onRename(next);
  };
  return (
    <TextInput
      aria-label={`Name of level ${name}`}
      maxLength={80}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
