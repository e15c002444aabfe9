import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconChartDots, IconFlask, IconMoon, IconPlus, IconSearch, IconServer2, IconSun } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { ENDED_SESSION } from '../../shared/model/session.ts';
import { useCall } from '../client/index.ts';
import { SECTIONS } from './sections.ts';

const has = (section: string): boolean => SECTIONS.some((entry) => entry.id === section);

/** Everything by keyboard: places, sessions, templates, the theme. */
export function Palette() {
  const [, go] = useLocation();
  const sessions = useCall('sessions.list', {});
  const whole = (sessions.data ?? []).filter(({ damaged }) => !damaged);
  const documents = useCall('experiments.list', {});
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const ThemeIcon = other === 'light' ? IconSun : IconMoon;

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
      group: 'Do',
      actions: [
        ...(has('experiments')
          ? [
              {
                id: 'new-experiment',
                label: 'New experiment',
                leftSection: <IconPlus size={18} />,
                onClick: () => go('/experiments/new'),
              },
            ]
          : []),
        ...(has('hosts')
          ? [
              {
                id: 'new-host',
                label: 'Add a host',
                leftSection: <IconServer2 size={18} />,
                onClick: () => go('/hosts/new'),
              },
            ]
          : []),
        {
          id: 'theme',
          label: `Switch to the ${other} theme`,
          leftSection: <ThemeIcon size={18} />,
          onClick: () => setColorScheme(other),
        },
      ],
    },
    {
      group: 'Sessions',
      actions: whole.map((session) => ({
        id: `session-${session.id}`,
        label: session.name,
        description: session.question ?? session.tags.join(', '),
        leftSection: <IconChartDots size={18} stroke={1.6} />,
        onClick: () => go(`/sessions/${session.id}/${ENDED_SESSION.includes(session.state) ? 'results' : 'live'}`),
      })),
    },
    {
      group: 'Experiments',
      actions: (has('experiments') ? (documents.data ?? []) : []).map((document) => ({
        id: `experiment-${document.origin}-${document.id}`,
        label: document.name,
        description: document.question ?? '',
        leftSection: <IconFlask size={18} stroke={1.6} />,
        onClick: () => go(`/experiments/${encodeURIComponent(document.id)}`),
      })),
    },
  ];
  return (
    <Spotlight
      actions={actions.filter((group) => group.actions.length > 0)}
      shortcut={['mod + K']}
      limit={12}
      scrollable
      maxHeight={420}
      nothingFound="Nothing by that name."
      highlightQuery
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: 'A place, a session, an experiment…' }}
    />
  );
}
