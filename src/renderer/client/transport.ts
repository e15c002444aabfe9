import { type DesktopBridge, ENGINE_LOST, ENGINE_PORT } from '../../shared/contract/desktop.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { portTransport } from '../../shared/rpc/transports.ts';
import type { EngineDoor } from './door.ts';
import { socketDoor } from './socket-door.ts';

/**
 * The transport with a function that ends it locally and notifies everything waiting on it, which closing a port alone does not do: a
 * page's port does not report that its other end died.
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

/** Desktop: ports arrive as window messages, a new one after each start of the engine; another message reports its end. */
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

/** The transport for the environment of this page. */
export const doorOf = (page: Window & { kneepoint?: DesktopBridge }): EngineDoor =>
  page.kneepoint ? desktopDoor(page, page.kneepoint) : socketDoor(page);
