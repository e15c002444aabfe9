import { connect, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canMakeNetworks, createHosts, type TestHost, type TestHosts } from '../../../../e2e/testbed/sshd/index.ts';
import type { LinkState } from '../../../shared/model/host.ts';
import { createTestLibrary, problemFrom, specOf, type TestLibrary } from './testing/library.ts';
import { createTunnels } from './tunnels/tunnels.ts';

/** Waits until a link satisfies `is`. */
async function linkWhen(library: TestLibrary, host: string, is: (link: LinkState) => boolean): Promise<void> {
  const look = () => library.machines.links().some((link) => link.host === host && is(link));
  if (look()) return;
  await new Promise<void>((resolve) => {
    const forget = library.machines.onLinks(() => {
      if (!look()) return;
      forget();
      resolve();
    });
  });
}

const linkState = (library: TestLibrary, host: string, state: LinkState['state']): Promise<void> =>
  linkWhen(library, host, (link) => link.state === state);

describe.skipIf(!canMakeNetworks())('a host whose network cable is pulled', () => {
  let bed: TestHosts;
  let web: TestHost;
  let library: TestLibrary;

  beforeAll(async () => {
    bed = await createHosts(2);
    web = bed.hosts[0] ?? expect.fail('no host');
  });
  afterAll(() => bed.close());
  afterEach(async () => {
    web.plugCable();
    await library.machines.close();
  });

  function machine() {
    library = createTestLibrary();
    library.save(specOf('web', web));
    library.trustServer(web);
    return library.machines.get('web');
  }

  it('for 3 s loses nothing', async () => {
    const host = machine();
    const spawned = await host.spawn('i=0; while [ $i -lt 40 ]; do echo $i; i=$((i+1)); sleep 0.1; done');
    let text = '';
    for await (const chunk of spawned.stdout) {
      if (text === '') {
        web.pullCable();
        setTimeout(() => web.plugCable(), 3_000);
      }
      text += Buffer.from(chunk).toString();
    }
    expect(text).toBe(Array.from({ length: 40 }, (_, n) => `${n}\n`).join(''));
    expect(host.link().state).toBe('up');
  });

  // The time this takes depends on the pauses, which have their own tests.
  it('for longer is detected, retried and reconnected', async () => {
    const host = machine();
    const release = library.machines.need('web');
    const spawned = await host.spawn('echo begin; cat >/dev/null');
    const reading = (async () => {
      for await (const chunk of spawned.stdout) if (chunk.length > 0) web.pullCable();
    })();
    const problem = await problemFrom(reading);
    expect(problem).toMatchObject({ code: 'host-unreachable', host: 'web' });
    expect(problem.safe).toContain('keep running');
    await linkWhen(library, 'web', ({ message }) => message?.includes('does not respond') ?? false);

    web.plugCable();
    await linkState(library, 'web', 'up');
    expect((await host.exec('echo back')).stdout).toBe('back\n');
    release();
  });

  it('is unreachable at first contact, distinct from refused and from a failed login', async () => {
    const host = machine();
    web.pullCable();
    const problem = await problemFrom(host.exec('true'));
    expect(problem.code).toBe('host-unreachable');
    expect(problem.message).toContain(web.address);
    const abort = new AbortController();
    const waiting = problemFrom(host.ready(abort.signal));
    abort.abort();
    expect((await waiting).code).toBe('cancelled');
  });

  it('makes hosts behind it unreachable, by name', async () => {
    machine();
    const db = bed.hosts[1] ?? expect.fail('no second host');
    library.save(specOf('db', db, { jumps: ['web'] }));
    library.trustServer(db);
    const host = library.machines.get('db');
    const from = await host.exec('echo "$SSH_CONNECTION"');
    expect(from.stdout.split(' ')[0]).toBe(web.address);
    const release = library.machines.need('db');
    web.pullCable();
    await linkState(library, 'db', 'down');
    const problem = await problemFrom(host.exec('true'));
    expect(problem).toMatchObject({ code: 'host-unreachable', host: 'web' });
    expect(problem.message).toContain('db is connected via web, which failed');
    web.plugCable();
    await linkState(library, 'db', 'up');
    release();
  });

  it('keeps its named tunnel: connections end, and the port is released and opened again', async () => {
    machine();
    const tunnels = createTunnels(library.machines);
    // The host sees this computer at the bridge's address.
    const bridge = web.address.replace(/\.\d+$/, '.254');
    const server = await echoServer(bridge);
    const opened = await tunnels.start(7, {
      name: 'echo',
      host: 'web',
      localPort: 0,
      address: bridge,
      port: portOf(server),
      autoStart: false,
    });
    expect(opened).toMatchObject({ id: 7, kind: 'tunnel', state: 'open', wantedPort: 0, connections: 0 });
    const port = opened.localPort ?? expect.fail('no port');
    expect(await ask(port, 'hello')).toBe('hello');
    while (tunnels.list()[0]?.connections !== 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(tunnels.list()).toEqual([expect.objectContaining({ bytesIn: 5, bytesOut: 5, connections: 0 })]);

    const states: string[] = [];
    tunnels.onChanged(([row]) => {
      if (row && states.at(-1) !== row.state) states.push(row.state);
    });
    const hanging = connect(port, '127.0.0.1');
    const ended = new Promise((resolve) => hanging.once('close', resolve));
    hanging.on('error', () => hanging.destroy());
    web.pullCable();
    await ended;
    await linkState(library, 'web', 'connecting');
    await expect(ask(port, 'x')).rejects.toThrow('ECONNREFUSED');
    expect(tunnels.list()[0]).toMatchObject({ state: 'waiting', message: expect.stringContaining('web') });
    web.plugCable();
    await linkState(library, 'web', 'up');
    while (tunnels.list()[0]?.state !== 'open') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await ask(port, 'again')).toBe('again');
    expect(states).toEqual(['open', 'waiting', 'open']);
    await tunnels.close();
    await expect(ask(port, 'x')).rejects.toThrow('ECONNREFUSED');
    await new Promise((resolve) => server.close(resolve));
  });
});

async function echoServer(address: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : expect.fail('not listening');
}

async function ask(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}
