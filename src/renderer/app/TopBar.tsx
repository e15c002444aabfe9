import { ActionIcon, Kbd, Tooltip, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconKeyboard, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Crumb } from '../ui/index.ts';

/** Where one is, the command palette, the list of shortcuts, and the theme. */
export function TopBar({ crumbs, onShortcuts }: { crumbs: readonly Crumb[]; onShortcuts: () => void }) {
  return (
    <header className="kp-top">
      <nav aria-label="Breadcrumb" className="kp-crumbs">
        {crumbs.map((crumb, index) => (
          <Fragment key={`${crumb.label} ${crumb.to}`}>
            {index > 0 ? <span aria-hidden="true">/</span> : null}
            {crumb.to && index < crumbs.length - 1 ? (
              <Link href={crumb.to}>{crumb.label}</Link>
            ) : (
              <span aria-current="page" className="kp-ellipsis">
                {crumb.label}
              </span>
            )}
          </Fragment>
        ))}
      </nav>
      <UnstyledButton className="kp-search" onClick={spotlight.open}>
        <IconSearch size={14} aria-hidden="true" />
        <span>Search or run a command</span>
        <Kbd size="xs">{/Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</Kbd>
      </UnstyledButton>
      <Tooltip label="Keyboard shortcuts (?)">
        <ActionIcon aria-label="Keyboard shortcuts" onClick={onShortcuts}>
          <IconKeyboard size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <ThemeSwitch />
    </header>
  );
}

function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const Icon = scheme === 'dark' ? IconSun : IconMoon;
  return (
    <Tooltip label={`Switch to the ${other} theme`}>
      <ActionIcon aria-label={`Switch to the ${other} theme`} onClick={() => setColorScheme(other)}>
        <Icon size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
