import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconArrowRight,
  IconChartDots,
  IconDatabase,
  IconFileText,
  IconFlask,
  IconKeyboard,
  IconMoon,
  IconPlus,
  IconRepeat,
  IconSearch,
  IconServer2,
  IconSun,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ExperimentFile } from '../../shared/contract/experiments.ts';
import { ENDED_SESSION, type Session } from '../../shared/model/session.ts';
import { formatDateTime } from '../../shared/util/format.ts';
import { useCall } from '../client/index.ts';
import { repeatsPlace, useRerun } from '../domain/index.ts';
import { SECTIONS } from './routes.ts';

/** Maximum entries of each kind while nothing is typed. */
const OF_EACH = 6;

/** Everything by keyboard: actions of the current screen, places, sessions, experiments, templates, hosts, targets, the theme. */
export function Palette({ onShortcuts }: { onShortcuts: () => void }) {
  const [, go] = useLocation();
  const [offered, setOffered] = useState<readonly ScreenAction[]>([]);
  const [query, setQuery] = useState('');
  // Documents are not read while the page starts.
  const [used, setUsed] = useState(false);
  const typed = query.trim() !== '';
  const inLibrary = useLibraryGroups(go, used);
  const commands = useCommands(go, onShortcuts);
  const again = useRerunGroup(go);
  const actions: SpotlightActionGroupData[] = [
    {
      group: 'Go to',
      actions: SECTIONS.map(({ id, label, to, icon: Icon }) => ({
        id: `go-${id}`,
        label,
        leftSection: <Icon size={18} stroke={1.6} />,
        onClick: () => go(to),
      })),
    },
    {
      group: 'On this page',
      actions: offered.map(({ label, do: act }) => ({
        id: `offered-${label}`,
        label,
        leftSection: <IconArrowRight size={18} stroke={1.6} />,
        // The palette returns the focus when it closes; the opened view takes it after that.
        onClick: () => void setTimeout(act),
      })),
    },
    { group: 'Commands', actions: commands },
    // A long list of one kind would leave no room for the others.
    ...[...inLibrary, again].map((kind) => (typed ? kind : { ...kind, actions: kind.actions.slice(0, OF_EACH) })),
  ];
  return (
    <Spotlight
      actions={actions.filter((group) => group.actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      // It opens wherever the focus is: in a field, on a checkbox, in the editor.
      tagsToIgnore={[]}
      triggerOnContentEditable
      onSpotlightOpen={() => {
        setUsed(true);
        setOffered(screenActions(document.getElementById('main') ?? document));
      }}
      limit={typed ? 24 : Number.POSITIVE_INFINITY}
      scrollable
      maxHeight={420}
      nothingFound="No results"
      highlightQuery
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: 'Search…', 'aria-label': 'Search' }}
    />
  );
}

function useCommands(go: (to: string) => void, onShortcuts: () => void): SpotlightActionData[] {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const ThemeIcon = other === 'light' ? IconSun : IconMoon;
  return [
    {
      id: 'new-experiment',
      label: 'New experiment',
      leftSection: <IconPlus size={18} />,
      onClick: () => go('/experiments/new'),
    },
    {
      id: 'new-host',
      label: 'Add a host',
      leftSection: <IconServer2 size={18} />,
      onClick: () => go('/hosts/new'),
    },
    {
      id: 'new-target',
      label: 'Add a target',
      leftSection: <IconDatabase size={18} />,
      onClick: () => go('/targets/new'),
    },
    {
      id: 'theme',
      label: `Switch to the ${other} theme`,
      leftSection: <ThemeIcon size={18} />,
      onClick: () => setColorScheme(other),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      leftSection: <IconKeyboard size={18} />,
      onClick: onShortcuts,
    },
  ];
}

/** Sessions of one document have the same name. */
const whichSession = ({ id, createdAt }: Pick<Session, 'id' | 'createdAt'>): string =>
  `${formatDateTime(createdAt)} · session ${id}`;

/** Every session again; that of the current screen first. */
function useRerunGroup(go: (to: string) => void): SpotlightActionGroupData {
  const again = useRerun();
  const [here] = useLocation();
  const present = Number(/^\/sessions\/(\d+)\//.exec(here)?.[1]);
  const sessions = (useCall('sessions.list', {}).data ?? []).filter(({ damaged }) => !damaged);
  const ordered = [...sessions].sort((one, other) => Number(other.id === present) - Number(one.id === present));
  return {
    group: 'Run again',
    actions: ordered.flatMap(({ id, name, createdAt }) => {
      const action = (label: string, onClick: () => void) => ({
        id: `${label} ${id}`,
        label: `${label}: ${name}`,
        description: whichSession({ id, createdAt }),
        leftSection: <IconRepeat size={18} stroke={1.6} />,
        onClick,
      });
      return [
        action('Run again', () => again.run(id)),
        action('Edit and run again', () => again.edit(id)),
        action('Add repeats', () => go(repeatsPlace(id))),
      ];
    }),
  };
}

/** Stored objects by kind. */
function useLibraryGroups(go: (to: string) => void, enabled: boolean): SpotlightActionGroupData[] {
  const sessions = (useCall('sessions.list', {}).data ?? []).filter(({ damaged }) => !damaged);
  const documents = useCall('experiments.list', {}, { enabled }).data ?? [];
  const hosts = useCall('hosts.list', {}, { enabled }).data ?? [];
  const targets = useCall('targets.list', {}, { enabled }).data ?? [];
  const documentsOf = (origin: ExperimentFile['origin'], Icon: typeof IconFlask) =>
    documents
      .filter((each) => each.origin === origin)
      .map((each) => ({
        id: `experiment-${each.origin}-${each.id}`,
        label: each.name,
        description: [each.changedAt && formatDateTime(each.changedAt), each.question].filter(Boolean).join(' · '),
        leftSection: <Icon size={18} stroke={1.6} />,
        onClick: () => go(`/experiments/${encodeURIComponent(each.id)}`),
      }));
  return [
    {
      group: 'Sessions',
      actions: sessions.map((session) => ({
        id: `session-${session.id}`,
        label: session.name,
        description: [whichSession(session), session.question ?? session.tags.join(', ')].filter(Boolean).join(' · '),
        leftSection: <IconChartDots size={18} stroke={1.6} />,
        onClick: () => go(`/sessions/${session.id}/${ENDED_SESSION.includes(session.state) ? 'results' : 'live'}`),
      })),
    },
    {
      group: 'Hosts',
      actions: hosts.map(({ id, spec }) => ({
        id: `host-${id}`,
        label: spec.name,
        description: spec.kind === 'local' ? '' : spec.address,
        leftSection: <IconServer2 size={18} stroke={1.6} />,
        onClick: () => go(`/hosts/${id}`),
      })),
    },
    {
      group: 'Targets',
      actions: targets.map(({ id, spec }) => ({
        id: `target-${id}`,
        label: spec.name,
        description: spec.via ? `${spec.kind}, via ${spec.via}` : spec.kind,
        leftSection: <IconDatabase size={18} stroke={1.6} />,
        onClick: () => go(`/targets/${id}`),
      })),
    },
    { group: 'Experiments', actions: documentsOf('saved', IconFlask) },
    { group: 'Templates', actions: documentsOf('template', IconFileText) },
  ];
}

/** An action of the current screen. */
interface ScreenAction {
  label: string;
  do: () => void;
}

const OFFERED = 'button:not(:disabled, [data-disabled]), [role=tab]:not(:disabled)';
/** Actions on a row, a list entry, a picture or a field only make sense next to it. */
const WITHIN_A_PIECE = 'table, figure, form, pre, li, [role=radiogroup], [role=listbox], [role=grid], .kp-code';

/**
 * Actions of the current screen, by their visible words. Read from the page itself, so that screens need not declare them and disabled ones
 * are omitted.
 */
function screenActions(root: ParentNode): ScreenAction[] {
  const actions = [...root.querySelectorAll<HTMLElement>(OFFERED)]
    .filter((element) => element.closest(WITHIN_A_PIECE) === null)
    .map((element) => ({
      label: element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '',
      do: () => {
        element.focus();
        element.click();
      },
    }));
  return actions.filter(
    ({ label }, index) => label !== '' && actions.findIndex((other) => other.label === label) === index,
  );
}
