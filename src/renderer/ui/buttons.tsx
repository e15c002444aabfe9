import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Properties {
  /** On the button, and on the one that confirms if that has no `act` of its own. */
  label: string;
  act?: string;
  /** Longer name, where several buttons have one label. */
  name?: string;
  /** What will be gone. */
  question: string;
  busy?: boolean;
  icon?: ReactNode;
  onConfirm(): void;
}

/** For what cannot be undone: asks once, beside the button. */
export function ConfirmButton({
  label,
  act = label,
  name = label,
  question,
  busy = false,
  icon,
  onConfirm,
}: Properties) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={300} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          aria-label={name}
          leftSection={icon}
          loading={busy}
          onClick={() => setOpened(!opened)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{question}</Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
            <Button
              color="red"
              onClick={() => {
                setOpened(false);
                onConfirm();
              }}
            >
              {act}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface IconActionProperties {
  label: string;
  disabled?: boolean;
  onClick(): void;
  children: ReactNode;
}

/** An icon that says on hover what it does. */
export const IconAction = ({ label, disabled = false, onClick, children }: IconActionProperties) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} disabled={disabled} {...(disabled && { bg: 'transparent' })} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);

interface TypedConfirmationProperties {
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
}: TypedConfirmationProperties) {
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
