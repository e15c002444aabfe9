import { IconAdjustments, IconBooks, IconCoins, IconDatabase, IconFlask, IconServer2 } from '@tabler/icons-react';
import { lazyView, type ViewRoute } from './lazyView.ts';

/** One entry per view. A pattern that ends with `/*?` leaves the rest to the view. */
export const ROUTES: readonly ViewRoute[] = [
  {
    path: '/',
    section: 'library',
    view: lazyView(
      () => import('../views/library/index.tsx'),
      (views) => views.LibraryView,
    ),
  },
  {
    path: '/experiments/*?',
    section: 'experiments',
    view: lazyView(
      () => import('../views/experiments/index.tsx'),
      (views) => views.ExperimentsView,
    ),
  },
  {
    path: '/sessions/:id/live',
    section: 'library',
    view: lazyView(
      () => import('../views/live/index.tsx'),
      (views) => views.LiveView,
    ),
  },
  {
    path: '/sessions/:id/results/:tab?',
    section: 'library',
    view: lazyView(
      () => import('../views/results/index.tsx'),
      (views) => views.ResultsView,
    ),
  },
  {
    path: '/sessions/:id/repeats',
    section: 'library',
    view: lazyView(
      () => import('../views/repeats/index.tsx'),
      (views) => views.RepeatsView,
    ),
  },
  {
    path: '/hosts/*?',
    section: 'hosts',
    view: lazyView(
      () => import('../views/hosts/index.tsx'),
      (views) => views.HostsView,
    ),
  },
  {
    path: '/compare',
    section: 'library',
    view: lazyView(
      () => import('../views/compare/index.tsx'),
      (views) => views.CompareView,
    ),
  },
  {
    path: '/targets/*?',
    section: 'targets',
    view: lazyView(
      () => import('../views/targets/index.tsx'),
      (views) => views.TargetsView,
    ),
  },
  {
    path: '/costs',
    section: 'costs',
    view: lazyView(
      () => import('../views/costs/index.tsx'),
      (views) => views.CostsView,
    ),
  },
  {
    path: '/settings',
    section: 'settings',
    view: lazyView(
      () => import('../views/settings/index.tsx'),
      (views) => views.SettingsView,
    ),
  },
];

interface Section {
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

/** Entries of the left rail: the sections with a view. */
export const SECTIONS = ALL.filter((section) => ROUTES.some((route) => route.section === section.id));
