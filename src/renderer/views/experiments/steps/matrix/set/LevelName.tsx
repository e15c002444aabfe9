import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** The name is taken over when the field is left: every cell that is left out is named by it. */
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
