import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

interface Properties {
  label: string;
  disabled?: boolean;
  onClick(): void;
  children: ReactNode;
}

/** An icon that says on hover what it does. */
export const IconAction = ({ label, disabled = false, onClick, children }: Properties) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} disabled={disabled} {...(disabled && { bg: 'transparent' })} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);
