import { SOCKET_PATH, SOCKET_PROTOCOL } from '../../shared/contract/browser.ts';
import { webSocketTransport } from '../../shared/rpc/transports.ts';
import { TabAccess } from './access.ts';
import type { EngineDoor } from './door.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
/** A server that is only busy responds soon; one that does not is gone, and its next start prints another link. */
const TRIES_BEFORE_WORDS = 4;

/** Browser: a WebSocket to the server of this page; reconnects with increasing delays when it closes. */
export function socketDoor(page: Window): EngineDoor {
  const { protocol, host } = page.location;
  const address = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${SOCKET_PATH}`;
  return (arrived, hindered) => {
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
        if (secret === undefined) return hindered?.(access.obstacle);
        if (await opened(secret)) return;
        // A page cannot distinguish a refusal from a missing response.
        await access.isKnown(secret);
        again();
      } catch {
        // The server cannot be reached.
        again();
      } finally {
        dialling = false;
      }
    }

    function again(): void {
      if (stopped) return;
      clearTimeout(timer);
      timer = setTimeout(() => void dial(), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));
      failures++;
      if (failures === TRIES_BEFORE_WORDS) hindered?.('unreachable');
    }

    /** Resolves when the connection is open, or has failed. */
    const opened = (secret: string): Promise<boolean> =>
      new Promise((resolve) => {
        const next = new WebSocket(address, [SOCKET_PROTOCOL, secret]);
        let stood = false;
        socket = next;
        next.addEventListener('open', () => {
          if (stopped) return next.close();
          stood = true;
          failures = 0;
          arrived(webSocketTransport(next));
          resolve(true);
        });
        next.addEventListener('close', () => {
          resolve(false);
          if (stood) again();
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
