import { Button, Group, Popover, Stack, Text } from '@mantine/core';
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
