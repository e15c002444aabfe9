import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useLocation, useRouter } from 'wouter';
import { onMenu } from '../client/index.ts';
import { type Crumb, CrumbsContext } from '../ui/index.ts';
import { LibraryBanner, LinkBanner, VaultBanner } from './banners.tsx';
import { ChangesBanner } from './ChangesBanner.tsx';
import { Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { ROUTES, SECTIONS } from './routes.ts';
import { Shortcuts } from './Shortcuts.tsx';
import { TopBar } from './TopBar.tsx';
import { useDroppedFiles } from './useDroppedFiles.ts';
import { useSessionNotices } from './useSessionNotices.ts';
import { Views } from './Views.tsx';
import { Working } from './Working.tsx';

const NO_CRUMBS: readonly Crumb[] = [];

/** The window: left rail, top bar, and the view that the address names. */
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

/** Does what is chosen in the menu of the desktop window. */
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
