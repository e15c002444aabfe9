import path from 'node:path';
import { app, type BrowserWindow, ipcMain, Menu, type MenuItemConstructorOptions, MessageChannelMain } from 'electron';
import type { MenuCommand } from '../../../shared/contract/desktop.ts';
import { native } from '../../../shared/contract/native.ts';
import { serve } from '../../../shared/rpc/server.ts';
import { childEngine, type EngineProcess, Supervisor, utilityEngine } from '../engine-host/supervisor.ts';
import { PAGE_READY, TO_PAGE_LOST, TO_PAGE_MENU, TO_PAGE_PORT } from '../messages.ts';
import { keychain } from '../native/keychain.ts';
import { isFromHome, lockDown, openWindow, registerScheme, serveScheme } from './window.ts';

export interface ShellPlan {
  dataDir: string;
  /** Folder of the built page. */
  page: string;
  preload: string;
  /** Path of the engine's built file. */
  engine: string;
  /** A Node to run it with. Undefined: Electron's utility process. */
  engineNode?: string | undefined;
}

/** The desktop app around the engine: window, menu, keychain. It contains no benchmark logic. */
export function startShell(plan: ShellPlan): void {
  // Each library has a separate window profile and lock: one window per library.
  app.setPath('userData', path.join(plan.dataDir, 'window'));
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write('kneepoint: already open with this library; its window was brought to the front.\n');
    app.quit();
    return;
  }
  registerScheme();
  void app.whenReady().then(() => open(plan));
}

function open(plan: ShellPlan): void {
  lockDown();
  serveScheme(plan.page);
  const handlers = keychain();
  let waiting = false;

  const start = (): EngineProcess => {
    const engine = plan.engineNode ? childEngine(plan.engine, plan.engineNode) : utilityEngine(plan.engine);
    serve(native, handlers, engine.native);
    return engine;
  };
  const handPort = (): void => {
    const { port1, port2 } = new MessageChannelMain();
    waiting = !supervisor.connect(port1);
    if (!waiting) window.webContents.postMessage(TO_PAGE_PORT, null, [port2]);
  };
  const supervisor = new Supervisor({
    start,
    up: () => {
      if (waiting) handPort();
    },
    lost: () => {
      waiting = true;
      if (!window.isDestroyed()) window.webContents.send(TO_PAGE_LOST);
    },
  });

  const window: BrowserWindow = openWindow({
    preload: plan.preload,
    place: path.join(plan.dataDir, 'window/place.json'),
  });
  // A reloaded page asks again: it gets a new port, as the old one was closed with it.
  ipcMain.on(PAGE_READY, (event) => {
    if (isFromHome(event, window.webContents)) handPort();
  });
  setMenu((command: MenuCommand) => window.webContents.send(TO_PAGE_MENU, command));
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  });
  endWith(supervisor);
}

function endWith(supervisor: Supervisor): void {
  let ended = false;
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    if (ended) return;
    event.preventDefault();
    void supervisor.end().then(() => {
      ended = true;
      app.quit();
    });
  });
}

const places: readonly [label: string, path: string][] = [
  ['Library', '/'],
  ['Experiments', '/experiments'],
  ['Hosts', '/hosts'],
  ['Targets', '/targets'],
  ['Costs', '/costs'],
];

/** The window's menu. Commands for the page are passed to `choose`; DevTools exist only in development. */
function setMenu(choose: (command: MenuCommand) => void): void {
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
        { label: 'Toggle Theme', accelerator: 'CmdOrCtrl+Shift+L', click: () => choose({ do: 'theme' }) },
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
