import { SOCKET_PATH, SOCKET_PROTOCOL } from '../../shared/contract/browser.ts';
import { type DesktopBridge, ENGINE_LOST, ENGINE_PORT } from '../../shared/contract/desktop.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { portTransport, webSocketTransport } from '../../shared/rpc/transports.ts';
import { TabAccess } from './access.ts';
import type { EngineConnector } from './connector.ts';

/**
 * The transport with a function that ends it locally and notifies everything waiting on it, which closing a port alone does not do: a
 * page's port does not report that its other end died.
 */
export function withEnd(transport: Transport): { transport: Transport; end: () => void } {
  const listeners = new Set<() => void>();
  let ended = false;
  const notify = (): void => {
    if (ended) return;
    ended = true;
    for (const listener of listeners) listener();
  };
  transport.onClose(notify);
  return {
    transport: { ...transport, onClose: (listener) => listeners.add(listener) },
    end: () => {
      transport.close();
      notify();
    },
  };
}

/** Desktop: ports arrive as window messages, a new one after each start of the engine; another message reports its end. */
function desktopConnector(page: Window, bridge: DesktopBridge): EngineConnector {
  return (onConnected) => {
    let endLast = (): void => undefined;
    const listen = (event: MessageEvent): void => {
      if (event.source !== page) return;
      const port = event.ports[0];
      if (event.data === ENGINE_LOST) endLast();
      else if (event.data === ENGINE_PORT && port) {
        const { transport, end } = withEnd(portTransport(port));
        endLast = end;
        onConnected(transport);
      }
    };
    page.addEventListener('message', listen);
    bridge.ready();
    return () => page.removeEventListener('message', listen);
  };
}

/** The transport for the environment of this page. */
export const connectorOf = (page: Window & { kneepoint?: DesktopBridge }): EngineConnector =>
  page.kneepoint ? desktopConnector(page, page.kneepoint) : socketConnector(page);

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
/** A server that is only busy responds soon; one that does not is gone, and its next start prints another link. */
const TRIES_BEFORE_WORDS = 4;

/** Browser: a WebSocket to the server of this page; reconnects with increasing delays when it closes. */
function socketConnector(page: Window): EngineConnector {
  const { protocol, host } = page.location;
  const address = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${SOCKET_PATH}`;
  return (onConnected, onBlocked) => {
    let stopped = false;
    let dialling = false;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let socket: WebSocket | undefined;

    const access = new TabAccess(page, () => {
      if (socket?.readyState !== WebSocket.OPEN) void dial();
    });

    /** One attempt at a time, whoever starts it. */
    async function dial(): Promise<void> {
      if (dialling || stopped) return;
      dialling = true;
      clearTimeout(timer);
      try {
        const secret = await access.secret();
        if (secret === undefined) return onBlocked?.(access.obstacle);
        if (await opened(secret)) return;
        // A page cannot distinguish a refusal from a missing response.
        await access.isKnown(secret);
        retry();
      } catch {
        // The server cannot be reached.
        retry();
      } finally {
        dialling = false;
      }
    }

    function retry(): void {
      if (stopped) return;
      clearTimeout(timer);
      timer = setTimeout(() => void dial(), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));
      failures++;
      if (failures === TRIES_BEFORE_WORDS) onBlocked?.('unreachable');
    }

    /** Resolves when the connection is open, or has failed. */
    const opened = (secret: string): Promise<boolean> =>
      new Promise((resolve) => {
        const next = new WebSocket(address, [SOCKET_PROTOCOL, secret]);
        let hasOpened = false;
        socket = next;
        next.addEventListener('open', () => {
          if (stopped) return next.close();
          hasOpened = true;
          failures = 0;
          onConnected(webSocketTransport(next));
          resolve(true);
        });
        next.addEventListener('close', () => {
          resolve(false);
          if (hasOpened) retry();
        });
      });

    void dial();
    return () => {
      stopped = true;
      clearTimeout(timer);
      access.close();
      socket?.close();
    };
  };
}
