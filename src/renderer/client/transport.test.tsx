import { describe, expect, it } from 'vitest';
import type { Transport } from '../../shared/rpc/define.ts';
import { connectorOf } from './transport.ts';

/** A stand-in for a page with the desktop's bridge: window messages reach its listeners. */
function desktopPage() {
  const page = new EventTarget();
  let ready = 0;
  const bridge = {
    ready: () => {
      ready += 1;
    },
  };
  const hand = (data: unknown, source: unknown, ports: readonly unknown[]): void => {
    page.dispatchEvent(Object.assign(new Event('message'), { data, source, ports }));
  };
  return { page: Object.assign(page, { kneepoint: bridge }) as unknown as Window, hand, readies: () => ready };
}

const port = () => {
  const sent: unknown[] = [];
  return {
    sent,
    postMessage: (message: unknown) => sent.push(message),
    start: () => undefined,
    close: () => undefined,
    addEventListener: () => undefined,
  };
};

describe('the connector of the desktop app', () => {
  it('announces that it listens, and accepts every port from the preload script', () => {
    const { page, hand, readies } = desktopPage();
    const arrived: Transport[] = [];
    const stop = connectorOf(page)((transport) => arrived.push(transport));
    expect(readies()).toBe(1);
    const first = port();
    hand('engine-port', page, [first]);
    arrived[0]?.send('hello');
    expect(first.sent).toEqual(['hello']);
    hand('engine-port', page, [port()]);
    expect(arrived).toHaveLength(2);
    stop();
    hand('engine-port', page, [port()]);
    expect(arrived).toHaveLength(2);
  });

  it('closes the connection when the shell reports that the engine is gone', () => {
    const { page, hand } = desktopPage();
    const arrived: Transport[] = [];
    connectorOf(page)((transport) => arrived.push(transport));
    hand('engine-port', page, [port()]);
    let closed = 0;
    arrived[0]?.onClose(() => {
      closed += 1;
    });
    hand('engine-lost', page, []);
    hand('engine-lost', page, []);
    expect(closed).toBe(1);
  });

  it('ignores ports from other windows and other messages', () => {
    const { page, hand } = desktopPage();
    const arrived: Transport[] = [];
    connectorOf(page)((transport) => arrived.push(transport));
    hand('engine-port', {}, [port()]);
    hand('something else', page, [port()]);
    hand('engine-port', page, []);
    expect(arrived).toEqual([]);
  });
});
