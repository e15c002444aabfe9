import { type DesktopBridge, ENGINE_LOST, ENGINE_PORT } from '../../shared/contract/desktop.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { portTransport, webSocketTransport } from '../../shared/rpc/transports.ts';

/** Ways to the engine: `open` calls `arrived` for every connection made, again after one was lost. Returns how to stop. */
export type EngineDoor = (arrived: (transport: Transport) => void) => () => void;

/**
 * The transport with a way to end it here so that everything waiting on it is told, which closing a port alone does not
 * do: a page's port says nothing when its other end dies.
 */
export function withEnd(transport: Transport): { transport: Transport; end: () => void } {
  const listeners = new Set<() => void>();
  let ended = false;
  const tell = (): void => {
    if (ended) return;
    ended = true;
    for (const listener of listeners) listener();
  };
  transport.onClose(tell);
  return {
    transport: { ...transport, onClose: (listener) => listeners.add(listener) },
    end: () => {
      transport.close();
      tell();
    },
  };
}

/** Desktop: ports arrive as window messages, a new one after each start of the engine; another message tells its end. */
function desktopDoor(page: Window, bridge: DesktopBridge): EngineDoor {
  return (arrived) => {
    let endLast = (): void => undefined;
    const listen = (event: MessageEvent): void => {
      if (event.source !== page) return;
      const port = event.ports[0];
      if (event.data === ENGINE_LOST) endLast();
      else if (event.data === ENGINE_PORT && port) {
        const { transport, end } = withEnd(portTransport(port));
        endLast = end;
        arrived(transport);
      }
    };
    page.addEventListener('message', listen);
    bridge.ready();
    return () => page.removeEventListener('message', listen);
  };
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

/** Browser: a WebSocket to the server that gave us this page; tried again, ever more slowly, when it closes. */
function socketDoor(address: string): EngineDoor {
  return (arrived) => {
    let stopped = false;
    let wait = FIRST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let socket: WebSocket | undefined;
    const dial = (): void => {
      const next = new WebSocket(address);
      socket = next;
      next.addEventListener('open', () => {
        wait = FIRST_WAIT_MS;
        arrived(webSocketTransport(next));
      });
      next.addEventListener('close', () => {
        if (stopped) return;
        timer = setTimeout(dial, wait);
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
      });
    };
    dial();
    return () => {
      stopped = true;
      clearTimeout(timer);
      socket?.close();
    };
  };
}

/** The way that fits where this page runs. */
export function doorOf(page: Window & { kneepoint?: DesktopBridge }): EngineDoor {
  if (page.kneepoint) return desktopDoor(page, page.kneepoint);
  const { protocol, host } = page.location;
  return socketDoor(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/rpc`);
}
