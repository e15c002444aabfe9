/** Interface that the preload script adds to the page as `window.kneepoint`; absent in browser mode. */
export interface DesktopBridge {
  /** Notifies the shell that this page listens for messages and needs a port to the engine. */
  ready(): void;
}

/** Window message that carries a MessagePort to the engine: at first, and again after each restart of the engine. */
export const ENGINE_PORT = 'engine-port';
/** Window message: the engine ended and the last port is dead. In older Chromium, the port itself does not report that to pages. */
export const ENGINE_LOST = 'engine-lost';

/** A command chosen in the window's menu. `path` is the page's own: `/`, `/hosts`, `/experiments/new` … */
export type MenuCommand = { do: 'open'; path: string } | { do: 'search' } | { do: 'theme' };

/** Window message that carries a menu command. */
export interface MenuMessage {
  menu: MenuCommand;
}

/** Messages that the preload script posts into the page's window. */
export type DesktopMessage = typeof ENGINE_PORT | typeof ENGINE_LOST | MenuMessage;
