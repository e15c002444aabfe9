import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

/** A Unix socket that leads to a server, as the app creates for its own programs. */
export async function startRelay(path: string, { address, port }: { address: string; port: number }): Promise<Server> {
  const relay = createServer((near) => {
    const far = connect(port, address);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  relay.listen(path);
  await once(relay, 'listening');
  return relay;
}
