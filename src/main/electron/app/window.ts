import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  app,
  BrowserWindow,
  type IpcMainEvent,
  protocol,
  type Rectangle,
  screen,
  session,
  type WebContents,
} from 'electron';
import { z } from 'zod';
import { contentSecurityPolicy, pageFile, SAFE_HEADERS, withStyleNonce } from '../../../shared/util/page-files.ts';

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

const State = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  maximized: z.boolean(),
});
type State = z.infer<typeof State>;

const SMALLEST = { width: 900, height: 600 };
const USUAL = { width: 1360, height: 860 };
/** Minimum visible part of a window, so that the user can grab it. */
const VISIBLE_PX = 80;

/** The stored size and position. The default size if they are unknown, or if no screen contains that position any more. */
function restoredPlace(file: string): { bounds: Partial<Rectangle>; maximized: boolean } {
  const kept = read(file);
  if (!kept) return { bounds: USUAL, maximized: false };
  const shown = screen.getAllDisplays().some(({ workArea }) => overlap(workArea, kept.bounds));
  const { width, height } = kept.bounds;
  return { bounds: shown ? kept.bounds : { width, height }, maximized: kept.maximized };
}

/** Saves size and position of the window to `file`, shortly after each change and when it closes. */
function keepPlace(window: BrowserWindow, file: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = (): void => {
    clearTimeout(timer);
    const state: State = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, 400);
  };
  window.setMinimumSize(SMALLEST.width, SMALLEST.height);
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', save);
}

function read(file: string): State | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined; // First start.
  }
  try {
    return State.parse(JSON.parse(text));
  } catch {
    return undefined; // Partially written because of a power cut, or from another version: use the default size.
  }
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) >= VISIBLE_PX &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) >= VISIBLE_PX;

const SCHEME = 'kneepoint';
/** The only origin whose pages may communicate with the shell. */
const HOME = `${SCHEME}://app/`;

/** Call before the app is ready. Unlike file:, a standard, secure scheme gives the page an origin, storage and modules. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built page from `folder`. */
export function serveScheme(folder: string): void {
  const headersWith = (styleNonce?: string) => ({
    ...SAFE_HEADERS,
    'Content-Security-Policy': contentSecurityPolicy(styleNonce ? { styleNonce } : {}),
  });
  const missing = {
    statusCode: 404,
    mimeType: 'text/plain',
    data: Buffer.from('File not found.'),
    headers: headersWith(),
  };
  // The older of Electron's two interfaces, available in every version since 22.
  protocol.registerBufferProtocol(SCHEME, (request, answer) => {
    const url = new URL(request.url);
    const file = request.method === 'GET' && url.host === 'app' ? pageFile(url.pathname) : undefined;
    if (!file) {
      answer(missing);
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    const prepared = (data: Buffer): Buffer =>
      file.type === 'text/html' ? Buffer.from(withStyleNonce(data.toString(), nonce)) : data;
    readFile(path.join(folder, file.path)).then(
      (data) => answer({ data: prepared(data), mimeType: file.type, charset: 'utf-8', headers: headersWith(nonce) }),
      () => answer(missing),
    );
  });
}
