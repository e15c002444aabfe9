import { app, type IpcMainEvent, session, type WebContents } from 'electron';
import { HOME } from './scheme.ts';

/** Nothing in any page of ours may lead elsewhere, open windows or ask for the computer's devices. */
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

/** Copying a command line or a picture is all that a page needs. */
const isGranted = (contents: WebContents | null, permission: string): boolean =>
  permission === 'clipboard-sanitized-write' && contents !== null && isHome(contents.getURL());

/** Whether a message comes from the main frame of our own page. */
export const isFromHome = (event: IpcMainEvent, contents: WebContents): boolean =>
  event.sender === contents && event.senderFrame === contents.mainFrame && isHome(event.senderFrame.url);
