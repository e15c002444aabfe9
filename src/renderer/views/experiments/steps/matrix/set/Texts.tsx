import { Button, CloseButton, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './set.module.css';

const FEWEST_ROWS = 1;
const MOST_ROWS = 12;

interface TextProperties {
  label: string;
  text: string;
  onChange(text: string): void;
}

/** Lines for programs. */
export const TextArea = ({ label, text, onChange }: TextProperties) => (
  <Textarea
    aria-label={label}
    className={classes.text ?? ''}
    classNames={{ input: 'kp-mono' }}
    rows={Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, text.split('\n').length))}
    spellCheck={false}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** A list of possibly multi-line texts, such as statements. Empty ones are dropped. */
export function Texts({
  label,
  texts,
  onChange,
}: {
  label: string;
  texts: readonly string[];
  onChange(texts: string[]): void;
}) {
  const [added, setAdded] = useState(texts.length === 0);
  const shown = added ? [...texts, ''] : texts;
  const set = (place: number, text: string): void => {
    if (place === texts.length) setAdded(false);
    const next = place === texts.length ? [...texts, text] : texts.map((old, at) => (at === place ? text : old));
    onChange(next.filter((each) => each !== ''));
  };
  return (
    <div className={classes.texts}>
      {shown.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text changes while typing, its index does not.
        <div key={place} className={classes.textLine}>
          <TextArea label={`${label}, ${place + 1}`} text={text} onChange={(next) => set(place, next)} />
          {place < texts.length && (
            <CloseButton size="sm" aria-label={`Remove ${label}, ${place + 1}`} onClick={() => set(place, '')} />
          )}
        </div>
      ))}
      {!added && (
        <Button
          className={classes.addLevel ?? ''}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={12} />}
          onClick={() => setAdded(true)}
        >
          Add another
        </Button>
      )}
    </div>
  );
}

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
