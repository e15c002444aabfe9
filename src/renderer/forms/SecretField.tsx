import { Button, PasswordInput } from '@mantine/core';
import { IconLock, IconLockOff } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './forms.module.css';

/** undefined: keeps the stored one. null: removes it. A text: stores this one. */
export type SecretChange = string | null | undefined;

interface Properties {
  label: string;
  description?: string;
  /** Whether one is already stored. */
  stored: boolean;
  /** Words for where it is stored. Default: “stored”. */
  words?: string | undefined;
  value: SecretChange;
  onChange(value: SecretChange): void;
  /** Placed among the rows of an option form, with its label to the left. */
  asRow?: boolean;
}

/** A password is never shown again: it can only be replaced or removed. Every state takes the same space. */
export function SecretField({
  label,
  description,
  stored,
  words = 'stored',
  value,
  onChange,
  asRow = false,
}: Properties) {
  const [replacing, setReplacing] = useState(false);
  const id = useId();
  const what = label.toLowerCase();
  const control =
    value === null ? (
      <Held label={label} words="removed on save" icon={<IconLockOff size={16} />}>
        <Act name="Undo" label={`Keep the ${what}`} onAct={() => onChange(undefined)} />
      </Held>
    ) : stored && !replacing && value === undefined ? (
      <Held label={label} words={words} icon={<IconLock size={16} />}>
        <Act name="Replace" label={`Replace the ${what}`} onAct={() => setReplacing(true)} />
        <Act name="Remove" label={`Remove the ${what}`} onAct={() => onChange(null)} />
      </Held>
    ) : (
      <div className={classes.secret}>
        <PasswordInput
          id={id}
          aria-label={label}
          autoComplete="new-password"
          value={value ?? ''}
          placeholder={stored ? 'New' : ''}
          onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        />
        {stored && (
          <Act
            name="Keep"
            label={`Keep the stored ${what}`}
            onAct={() => {
              setReplacing(false);
              onChange(undefined);
            }}
          />
        )}
      </div>
    );
  return (
    <div className={asRow ? classes.row : classes.stacked}>
      <div className={classes.title}>
        <label htmlFor={id}>{label}</label>
      </div>
      {control}
      {description && <div className={classes.description}>{description}</div>}
    </div>
  );
}

interface HeldProperties {
  label: string;
  words: string;
  icon: ReactNode;
  children: ReactNode;
}

const Held = ({ label, words, icon, children }: HeldProperties) => (
  <fieldset className={classes.held} aria-label={label}>
    {icon}
    <span>{words}</span>
    {children}
  </fieldset>
);

const Act = ({ name, label, onAct }: { name: string; label: string; onAct(): void }) => (
  <Button size="compact-xs" variant="subtle" color="gray" aria-label={label} onClick={onAct}>
    {name}
  </Button>
);
