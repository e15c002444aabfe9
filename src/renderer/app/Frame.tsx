import { ActionIcon, Kbd, Tooltip, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { IconKey, IconKeyboard, IconMoon, IconSearch, IconSun, IconX } from '@tabler/icons-react';
import { Fragment, useEffect, useState } from 'react';
import { Link, useLocation, useRouter } from 'wouter';
import { type Obstacle, onMenu, useCall, useLinkStatus } from '../client/index.ts';
import { VaultUnlock } from '../domain/problems.tsx';
import { CodeBlock, type Crumb, CrumbsContext, EmptyState, ProblemBanner } from '../ui/index.ts';
import { ChangesBanner } from './ChangesBanner.tsx';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { ROUTES, SECTIONS } from './routes.ts';
import { Shortcuts } from './Shortcuts.tsx';
import { useDroppedFiles } from './useDroppedFiles.ts';
import { useSessionNotices } from './useSessionNotices.ts';
import { Views } from './Views.tsx';
import { Working } from './Working.tsx';

const NO_CRUMBS: readonly Crumb[] = [];

/** The window: left rail, top bar, and the view for the current address. */
export function Frame() {
  useMenu();
  useSessionNotices();
  useDroppedFiles();
  const [path] = useLocation();
  const { parser } = useRouter();
  const [crumbs, setCrumbs] = useState(NO_CRUMBS);
  const small = useMediaQuery('(max-width: 1000px)');
  const [narrow, setNarrow] = useLocalStorage({ key: 'kneepoint-rail-narrow', defaultValue: false });
  const [shortcuts, { open: openShortcuts, close: closeShortcuts }] = useDisclosure(false);
  const route = ROUTES.find((entry) => parser(entry.path).pattern.exec(path));
  const section = SECTIONS.find((entry) => entry.id === route?.section);
  const trail = [...(section ? [{ label: section.label, to: section.to }] : []), ...crumbs];
  const title = trail.at(-1)?.label;
  useEffect(() => {
    document.title = title ? `${title} · Kneepoint` : 'Kneepoint';
  }, [title]);

  return (
    <CrumbsContext value={setCrumbs}>
      <div className="kp-frame">
        <button type="button" className="kp-skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the content
        </button>
        <Rail section={section?.id ?? ''} narrow={narrow || Boolean(small)} onToggle={() => setNarrow(!narrow)} />
        <div className="kp-body">
          <TopBar crumbs={trail} onShortcuts={openShortcuts} />
          <LinkBanner />
          <LibraryBanner />
          <VaultBanner />
          <ChangesBanner />
          <Views />
        </div>
        <Working />
        <Palette onShortcuts={openShortcuts} />
        <Shortcuts opened={shortcuts} onOpen={openShortcuts} onClose={closeShortcuts} />
      </div>
    </CrumbsContext>
  );
}

/** Executes commands from the menu of the desktop window. */
function useMenu(): void {
  const [, go] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  useEffect(
    () =>
      onMenu(window, (command) => {
        if (command.do === 'open') go(command.path);
        else if (command.do === 'search') spotlight.open();
        else setColorScheme(other);
      }),
    [go, setColorScheme, other],
  );
}

/** The current place, the command palette, the list of shortcuts, and the theme. */
function TopBar({ crumbs, onShortcuts }: { crumbs: readonly Crumb[]; onShortcuts: () => void }) {
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

/** Shows that the engine is unreachable, and later that it is back: no measurement depends on this page, and nothing on it moves. */
function LinkBanner() {
  const { state, times, obstacle } = useLinkStatus();
  const [read, setRead] = useState(1);
  if (state === 'lost') {
    return (
      <div className="kp-link-banner" data-floats>
        <ProblemBanner
          tone="warn"
          problem={{
            message: 'The connection to the engine is lost.',
            safe: 'Trials on the hosts continue, and nothing measured is lost.',
            next: 'Reconnecting…',
            ...(obstacle ? OBSTACLES[obstacle] : {}),
          }}
        />
      </div>
    );
  }
  if (state !== 'up' || times <= read) return null;
  return (
    <div className="kp-link-banner" data-floats>
      <ProblemBanner
        tone="ok"
        problem={{ message: 'The engine restarted. Nothing measured is lost.' }}
        actions={
          <ActionIcon aria-label="Dismiss" onClick={() => setRead(times)}>
            <IconX size={16} />
          </ActionIcon>
        }
      />
    </div>
  );
}

/** Shown on every screen if the library is read-only, because of a read-only or full disk, or damage: explains what still works. */
function LibraryBanner() {
  const readOnly = useCall('app.info', {}).data?.readOnly;
  if (!readOnly) return null;
  return (
    <div className="kp-link-banner">
      <ProblemBanner tone="warn" problem={readOnly} />
    </div>
  );
}

/** Shown on every screen after a restart: sessions that continue once the vault is unlocked. */
function VaultBanner() {
  const sessions = useCall('sessions.list', {});
  const waiting = (sessions.data ?? []).filter((session) => session.waitsForVault);
  if (waiting.length === 0) return null;
  const names = waiting.map((session) => `“${session.name}”`).join(', ');
  return (
    <div className="kp-link-banner">
      <VaultUnlock
        problem={{
          code: 'vault-locked',
          message: `${names} cannot continue: the vault with the passwords it needs is locked.`,
          safe: 'Jobs on hosts keep running, and their output is stored there.',
          next: 'Unlock the vault. The session then continues.',
        }}
        onUnlocked={() => void sessions.refetch()}
      />
    </div>
  );
}

const MORE = 'npm run -s kneepoint -- link';

/** Reasons why a tab has no access to the engine, with the remedy. */
const OBSTACLES: Readonly<Record<Obstacle, { message: string; next: string }>> = {
  'no-link': {
    message: 'This tab has no access to Kneepoint.',
    next: `Open the link that Kneepoint printed. It works once; “${MORE}” prints another.`,
  },
  'link-used': {
    message: 'This link was already used, or belongs to an earlier start of Kneepoint.',
    next: `Open the latest printed link, or print another with “${MORE}”.`,
  },
  restarted: {
    message: 'Kneepoint was restarted and printed a new link. This tab belongs to the earlier start.',
    next: `Open the new link; “${MORE}” prints another.`,
  },
  unreachable: {
    message: 'Kneepoint does not respond.',
    next: 'If it was closed, start it again and open the link that it prints. This tab reconnects automatically.',
  },
};

/** Replaces the app in a tab that never had access. */
export function NoAccess({ obstacle }: { obstacle: Obstacle }) {
  const { message } = OBSTACLES[obstacle];
  return (
    <main className="kp-no-access">
      <EmptyState icon={<IconKey size={32} stroke={1.4} aria-hidden="true" />} title={message}>
        {obstacle === 'unreachable'
          ? OBSTACLES.unreachable.next
          : 'Open the latest link that Kneepoint printed. A link works once. To print another, run this command in the folder of Kneepoint:'}
      </EmptyState>
      {obstacle === 'unreachable' ? null : <CodeBlock text={MORE} />}
    </main>
  );
}
