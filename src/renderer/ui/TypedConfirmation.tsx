import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';

interface Properties {
  phrase: string;
  label?: string;
  /** On the button. */
  act?: string;
  busy?: boolean;
  onConfirm(phrase: string): void;
}

/** Leave that is given only by typing what it is for, word for word: copying it by a click would be no thought at all. */
export function TypedConfirmation({
  phrase,
  label = `Type ${phrase} to allow it`,
  act = 'Allow it',
  busy,
  onConfirm,
}: Properties) {
  const [typed, setTyped] = useState('');
  const confirm = (): void => {
    if (typed === phrase) onConfirm(phrase);
  };
  return (
    <div className="kp-typed">
      <TextInput
        label={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // It may stand in a form, which is not sent by this.
          event.preventDefault();
          confirm();
        }}
        autoComplete="off"
        spellCheck={false}
        size="xs"
      />
      <Button size="xs" color="red" disabled={typed !== phrase} loading={busy === true} onClick={confirm}>
        {act}
      </Button>
    </div>
  );
}
