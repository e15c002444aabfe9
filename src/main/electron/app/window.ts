import { app, BrowserWindow, type IpcMainEvent, session, type WebContents } from 'electron';
import { HOME } from './scheme.ts';
import { keepPlace, restoredPlace } from './window-state.ts';

/** Maximum reloads per minute of a crashing page. */
const RELOADS_PER_MINUTE = 3;

export interface WindowPlan {
  preload: string;
  /** File with size and position. */
  place: string;
}

/** The only window: sandboxed, without Node, with only the preload's bridge. */
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

/** Prevents pages from navigating elsewhere, opening windows or requesting device access. */
export function lockDown(): void {
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', (event, address) => {
      if (!isHome(address)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
  session.defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isGranted(contents, permission)),
  );
  session.defaultSession.setPermissionCheckHandler((contents, permission) => isGranted(contents, permission));
  session.defaultSession.setDevicePermissionHandler(() => false);
}

const isHome = (address: string): boolean => address === HOME || address.startsWith(HOME);

/** Pages copy command lines and pictures, and notify the user when a session is complete. They need no other permissions. */
const GRANTED: readonly string[] = ['clipboard-sanitized-write', 'notifications'];
const isGranted = (contents: WebContents | null, permission: string): boolean =>
  GRANTED.includes(permission) && contents !== null && isHome(contents.getURL());

/** Whether a message comes from the main frame of the app's own page. */
export const isFromHome = (event: IpcMainEvent, contents: WebContents): boolean =>
  event.sender === contents && event.senderFrame === contents.mainFrame && isHome(event.senderFrame.url);
