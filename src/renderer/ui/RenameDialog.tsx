import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { ProblemBanner } from './status.tsx';

interface Properties {
  title: string;
  name: string;
  /** Places that keep the previous name. */
  note?: string;
  busy: boolean;
  problem: ComponentProps<typeof ProblemBanner>['problem'] | undefined;
  onRename(name: string): void;
  onClose(): void;
}

/** Asks for another name, at most 200 characters. */
export function RenameDialog({ title, name, note, busy, problem, onRename, onClose }: Properties) {
  const [typed, setTyped] = useState(name);
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onRename(typed.trim());
        }}
      >
        <Stack gap="sm" align="end">
          <TextInput
            label="Name"
            description={note}
            w="100%"
            data-autofocus
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} disabled={!typed.trim()}>
            Rename
          </Button>
          {problem ? <ProblemBanner problem={problem} /> : null}
        </Stack>
      </form>
    </Modal>
  );
}
