import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './review.module.css';

/** Leave that is given only by typing what it is for, word for word: copying it by a click would be no thought at all. */
export function TypedConfirmation({ phrase, onConfirm }: { phrase: string; onConfirm(phrase: string): void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      className={classes.confirmation}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === phrase) onConfirm(phrase);
      }}
    >
      <TextInput
        label={`Type ${phrase} to allow it`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        size="xs"
      />
      <Button type="submit" size="xs" color="red" disabled={typed !== phrase}>
        Allow it
      </Button>
    </form>
  );
}
