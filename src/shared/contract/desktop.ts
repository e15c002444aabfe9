/** What the preload script puts on the page as `window.kneepoint`; absent in browser mode. */
export interface DesktopBridge {
  /** Tells the shell that this page listens for messages and wants a port to the engine. */
  ready(): void;
}

/** Window message that carries a MessagePort to the engine: at first, and again after each restart of the engine. */
export const ENGINE_PORT = 'engine-port';
/** Window message: the engine ended and the last port is dead. Pages of older Chromium are not told that by the port itself. */
export const ENGINE_LOST = 'engine-lost';

/** What a person chose in the window's menu. `path` is the page's own: `/`, `/hosts`, `/experiments/new` … */
export type MenuCommand = { do: 'open'; path: string } | { do: 'search' } | { do: 'theme' };

/** Window message that carries a menu command. */
export interface MenuMessage {
  menu: MenuCommand;
}

/** What the preload posts into the page's window. */
export type DesktopMessage = typeof ENGINE_PORT | typeof ENGINE_LOST | MenuMessage;
