import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../../../shared/contract/desktop.ts';

const places: readonly [label: string, path: string][] = [
  ['Library', '/'],
  ['Experiments', '/experiments'],
  ['Hosts', '/hosts'],
  ['Targets', '/targets'],
  ['Costs', '/costs'],
];

/** The window's menu. What concerns the page goes to `choose`; DevTools exist only while developing. */
export function setMenu(choose: (command: MenuCommand) => void): void {
  const open = (label: string, path: string, accelerator: string): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => choose({ do: 'open', path }),
  });
  const mac = process.platform === 'darwin';
  const settings = open('Settings', '/settings', 'CmdOrCtrl+,');
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        open('New Experiment', '/experiments/new', 'CmdOrCtrl+N'),
        { type: 'separator' },
        settings,
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit', accelerator: 'CmdOrCtrl+Q' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: [
        ...places.map(([label, path], index) => open(label, path, `CmdOrCtrl+${index + 1}`)),
        { type: 'separator' },
        { label: 'Search and Commands', accelerator: 'CmdOrCtrl+K', click: () => choose({ do: 'search' }) },
      ],
    },
    {
      label: '&View',
      submenu: [
        { label: 'Light or Dark', accelerator: 'CmdOrCtrl+Shift+L', click: () => choose({ do: 'theme' }) },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'reload' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ role: 'about', label: 'About Kneepoint' }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
