import { Button, PasswordInput } from '@mantine/core';
import { IconLock, IconLockOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './forms.module.css';

/** undefined: what is kept stays. null: forget it. A text: keep this one. */
export type SecretChange = string | null | undefined;

interface Properties {
  label: string;
  description?: string;
  /** Whether one is kept already. */
  kept: boolean;
  value: SecretChange;
  onChange(value: SecretChange): void;
}

/** A password is never shown again: it can only be replaced or forgotten. */
export function SecretField({ label, description, kept, value, onChange }: Properties) {
  const [replacing, setReplacing] = useState(false);
  if (kept && !replacing && value === undefined) {
    return (
      <KeptLine
        label={label}
        words="is kept"
        icon={<IconLock size={16} />}
        actions={[
          { name: 'Replace', act: () => setReplacing(true) },
          { name: 'Forget', act: () => onChange(null) },
        ]}
      />
    );
  }
  if (value === null) {
    return (
      <KeptLine
        label={label}
        words="will be removed when you save"
        icon={<IconLockOff size={16} />}
        actions={[{ name: 'Undo', act: () => onChange(undefined) }]}
      />
    );
  }
  return (
    <div className={classes.secret}>
      <PasswordInput
        label={label}
        {...(description && { description })}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autoComplete="new-password"
        value={value ?? ''}
        placeholder={kept ? 'New one' : ''}
        onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      />
      {kept && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            setReplacing(false);
            onChange(undefined);
          }}
        >
          Keep the stored one
        </Button>
      )}
    </div>
  );
}

interface KeptProperties {
  label: string;
  words: string;
  icon: ReactNode;
  actions: readonly { name: string; act(): void }[];
}

const KeptLine = ({ label, words, icon, actions }: KeptProperties) => (
  <fieldset className={classes.kept} aria-label={label}>
    {icon}
    <span>
      {label} {words}
    </span>
    {actions.map(({ name, act }) => (
      <Button key={name} size="compact-sm" variant="subtle" color="gray" onClick={act}>
        {name}
      </Button>
    ))}
  </fieldset>
);
