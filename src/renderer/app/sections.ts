import { IconAdjustments, IconBooks, IconCoins, IconDatabase, IconFlask, IconServer2 } from '@tabler/icons-react';
import { ROUTES } from './routes.ts';

export interface Section {
  id: string;
  label: string;
  to: string;
  icon: typeof IconBooks;
}

const ALL: readonly Section[] = [
  { id: 'library', label: 'Library', to: '/', icon: IconBooks },
  { id: 'experiments', label: 'Experiments', to: '/experiments', icon: IconFlask },
  { id: 'hosts', label: 'Hosts', to: '/hosts', icon: IconServer2 },
  { id: 'targets', label: 'Targets', to: '/targets', icon: IconDatabase },
  { id: 'costs', label: 'Costs', to: '/costs', icon: IconCoins },
  { id: 'settings', label: 'Settings', to: '/settings', icon: IconAdjustments },
];

/** Entries of the left rail: the sections that have a view. */
export const SECTIONS = ALL.filter((section) => ROUTES.some((route) => route.section === section.id));
