import { app, BrowserWindow } from 'electron';
import { HOME } from './scheme.ts';
import { keepPlace, restoredPlace } from './window-state.ts';

/** A page that dies more often than this in a minute is not brought back by loading it again. */
const RELOADS_PER_MINUTE = 3;

export interface WindowPlan {
  preload: string;
  /** File that keeps size and place. */
  place: string;
}

/** The one window: sandboxed, without Node, with nothing but the preload's bridge. */
export function openWindow({ preload, place }: WindowPlan): BrowserWindow {
  const { bounds, maximized } = restoredPlace(place);
  const window = new BrowserWindow({
    ...bounds,
    show: false,
    title: 'Kneepoint',
    backgroundColor: '#16181d',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  keepPlace(window, place);
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  let deaths: number[] = [];
  window.webContents.on('render-process-gone', (_, { reason }) => {
    const now = Date.now();
    deaths = [...deaths.filter((at) => now - at < 60_000), now];
    if (reason !== 'clean-exit' && deaths.length <= RELOADS_PER_MINUTE) window.webContents.reload();
  });
  void window.loadURL(HOME);
  return window;
}
