import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy in front of a server that forwards one request after the other, with a delay in milliseconds for each. */
export async function startProxy(
  listen: string,
  server: { address: string; port: number },
  takesMs: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  let turn: Promise<unknown> = Promise.resolve();
  const listener = createServer((client) => {
    const behind = connect(server.port, server.address);
    behind.pipe(client);
    client.on('data', (request) => {
      turn = turn.then(() => delay(takesMs)).then(() => behind.write(request));
    });
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  listener.listen(0, listen);
  await once(listener, 'listening');
  const place = listener.address();
  return {
    port: typeof place === 'object' && place ? place.port : 0,
    stop: async () => {
      listener.close();
      await turn;
    },
  };
}
