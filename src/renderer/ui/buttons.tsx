import { ActionIcon, Button, Group, Menu, Modal, Popover, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentProps, type MouseEvent, type ReactNode, useState } from 'react';
import { ProblemBanner } from './status.tsx';

interface Properties {
  /** On the button, and on the confirming one if that has no `act` of its own. */
  label: string;
  act?: string;
  /** Longer name, if several buttons have the same label. */
  name?: string;
  /** Names what will be removed. */
  question: string;
  busy?: boolean;
  icon?: ReactNode;
  onConfirm(): void;
}

/** For actions that cannot be undone: asks once, next to the button. */
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

/** An icon with a tooltip that describes its action. */
export const IconAction = ({ label, disabled = false, onClick, children }: IconActionProperties) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} disabled={disabled} {...(disabled && { bg: 'transparent' })} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);

/** Away from its button, which a menu would otherwise overlap. */
const AT_POINTER = { shift: { limiter: { fn: ({ x, y }: { x: number; y: number }) => ({ x, y }) } } };

interface RowMenuProperties {
  /** Name of the row. */
  name: string;
  busy?: boolean;
  width?: number;
  /** Its items. */
  children: ReactNode;
}

/** The menu of a row: below its button, or at the pointer after a right-click anywhere on the row (`table-row.tsx`). */
export function RowMenu({ name, busy = false, width = 200, children }: RowMenuProperties) {
  const [opened, setOpened] = useState(false);
  /** Distance of the pointer from the lower left corner of the button, pixels. */
  const [pointer, setPointer] = useState<{ mainAxis: number; crossAxis: number }>();
  const openAtPointer = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    // The row would send it here again.
    event.stopPropagation();
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    setPointer({ mainAxis: event.clientY - bottom, crossAxis: event.clientX - left });
    setOpened(true);
  };
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position={pointer ? 'bottom-start' : 'bottom-end'}
      {...(pointer && { offset: pointer, middlewares: AT_POINTER })}
      width={width}
    >
      <Menu.Target>
        <ActionIcon
          aria-label={`Actions for ${name}`}
          loading={busy}
          onClick={() => setPointer(undefined)}
          onContextMenu={openAtPointer}
        >
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface MenuActionProperties {
  label: string;
  icon: typeof IconDots;
  disabled?: boolean;
  onClick(): void;
}

/** An item of a menu, with its icon. */
export const MenuAction = ({ label, icon: Icon, disabled = false, onClick }: MenuActionProperties) => (
  <Menu.Item leftSection={<Icon size={16} stroke={1.6} />} disabled={disabled} onClick={onClick}>
    {label}
  </Menu.Item>
);

interface ConfirmDialogProperties {
  title: string;
  /** Names what will be removed, and what stays. */
  question: string;
  act: string;
  busy: boolean;
  /** Why it was refused. */
  children?: ReactNode;
  onConfirm(): void;
  onClose(): void;
}

/** As `ConfirmButton`, for an action of a menu, which closes. */
export const ConfirmDialog = ({
  title,
  question,
  act,
  busy,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProperties) => (
  <Modal opened onClose={onClose} title={title}>
    <Stack gap="sm">
      <Text size="sm">{question}</Text>
      {children}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" loading={busy} onClick={onConfirm}>
          {act}
        </Button>
      </Group>
    </Stack>
  </Modal>
);

interface TypedConfirmationProperties {
  phrase: string;
  label?: string;
  /** On the button. */
  act?: string;
  busy?: boolean;
  onConfirm(phrase: string): void;
}

/** Permission that is only given by typing the name exactly: copying it by a click would require no thought. */
export function TypedConfirmation({
  phrase,
  label = `Type ${phrase} to confirm`,
  act = 'Confirm',
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
          // It may be inside a form, which must not be submitted by this.
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

interface RenameProperties {
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
export function RenameDialog({ title, name, note, busy, problem, onRename, onClose }: RenameProperties) {
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
