import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from '@playwright/test';
import { WebSocketServer } from 'ws';

/** A message as received by the page: text, or bytes. */
export type Frame = string | Buffer;

/** An empty page with a WebSocket. */
export interface BarePage {
  /** Milliseconds until these messages have arrived and been parsed, and a line is painted. */
  got(frames: readonly Frame[]): Promise<number>;
  close(): Promise<void>;
}

/** Limit for a page's handling of a response: the same bytes over the same transport, parsed, and one line of a thousand points. */
export async function barePage(browser: Browser): Promise<BarePage> {
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<canvas></canvas>'));
  const sockets = new WebSocketServer({ server });
  let next: readonly Frame[] = [];
  sockets.on('connection', (socket) =>
    socket.on('message', () => {
      for (const frame of next) socket.send(frame);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(
    (address) =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(address);
        socket.binaryType = 'arraybuffer';
        Object.assign(globalThis, { socket });
        socket.onopen = () => resolve();
      }),
    `ws://127.0.0.1:${port}/`,
  );
  return {
    got(frames) {
      next = frames;
      return page.evaluate(askAndDraw, frames.length);
    },
    async close() {
      await page.close();
      sockets.close();
      server.close();
    },
  };
}

/** Runs in the page. */
function askAndDraw(count: number): Promise<number> {
  const { socket } = globalThis as unknown as { socket: WebSocket };
  const pen = document.querySelector('canvas')?.getContext('2d');
  if (!pen) throw new Error('There is no canvas.');
  const parse = (data: string | ArrayBuffer): unknown => {
    if (typeof data === 'string') return JSON.parse(data);
    const length = new DataView(data).getUint32(0, true);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  };
  return new Promise((resolve) => {
    const began = performance.now();
    let left = count;
    const draw = (): void => {
      pen.clearRect(0, 0, 300, 150);
      pen.beginPath();
      for (let point = 0; point < 1000; point += 1) pen.lineTo(point * 0.3, 75 + 70 * Math.sin(point / 30));
      pen.stroke();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - began);
        port2.postMessage(0);
      });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      parse(data);
      left -= 1;
      if (left === 0) draw();
    };
    socket.send('next');
  });
}
