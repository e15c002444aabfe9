import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fault } from '../left.ts';
import { type SshdOptions, startSshd, type TestSshd } from './sshd.ts';
import { isRoot, networkPrefix, removeInterface, removeNamespace } from './workspace.ts';

/** A machine of the test bed: an SSH server with a network cable that can be unplugged. */
export interface TestHost extends TestSshd {
  /** Network namespace, for servers that run on this host (`ip netns exec`); undefined if hosts share the loopback. */
  readonly namespace?: string;
  /** Drops every packet to and from this host; connections are not notified. */
  pullCable(): void;
  plugCable(): void;
  /** Limits the rate to this host (`8mbit`), on the far end of its cable, so nothing on the host shows it. The returned function ends it. */
  narrow(rate: string): () => void;
}

export interface TestHosts {
  readonly hosts: readonly TestHost[];
  close(): Promise<void>;
}

/** Whether hosts get their own network namespaces and cables (Linux, root, iproute2). Otherwise they share 127.0.0.1. */
export const canMakeNetworks = (): boolean =>
  isRoot() && process.platform === 'linux' && existsSync('/proc/self/ns/net') && hasIp();

let networks = 0;

/** Starts `count` hosts, each with its own address if the system allows it. `options` apply to all. */
export async function createHosts(count: number, options: SshdOptions = {}): Promise<TestHosts> {
  if (!canMakeNetworks()) return createPortHosts(count, options);
  networks += 1;
  const network = makeNetwork(networks, count);
  const started = await Promise.allSettled(
    network.hosts.map(async ({ namespace, address }, index): Promise<TestHost> => {
      const cable = `${network.prefix}v${index}`;
      const plugCable = (): void => {
        pulled.ended();
        ip('link', 'set', cable, 'up');
      };
      const pulled = fault(`The cable of ${address} was out.`, plugCable);
      const server = await startSshd({ ...options, namespace, address, port: 22 });
      return {
        ...server,
        namespace,
        pullCable: () => {
          pulled.begun();
          ip('link', 'set', cable, 'down');
        },
        plugCable,
        narrow(rate) {
          tc('qdisc', 'add', 'dev', cable, 'root', 'tbf', 'rate', rate, 'burst', '32kb', 'latency', '400ms');
          const widen = (): void => {
            narrowed.ended();
            tc('qdisc', 'delete', 'dev', cable, 'root');
          };
          const narrowed = fault(`The cable of ${address} was narrow.`, widen);
          narrowed.begun();
          return widen;
        },
        close: async () => {
          pulled.ended();
          await server.close();
        },
      };
    }),
  );
  const hosts = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async () => {
    await Promise.all(hosts.map((host) => host.close()));
    network.remove();
  };
  try {
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    await network.settled();
  } catch (error) {
    await close();
    throw error;
  }
  return { hosts, close };
}

async function createPortHosts(count: number, options: SshdOptions): Promise<TestHosts> {
  const servers = await Promise.all(Array.from({ length: count }, () => startSshd(options)));
  const noCable = () => {
    throw new Error('This host shares the loopback network: there is no cable to pull (needs root and iproute2).');
  };
  return {
    hosts: servers.map((server) => ({ ...server, pullCable: noCable, plugCable: noCable, narrow: noCable })),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

const SETTLE_LIMIT = 20_000;
const isInterface = (name: string): boolean => existsSync(`/sys/class/net/${name}`);
const isUp = (name: string): boolean => readFileSync(`/sys/class/net/${name}/operstate`, 'utf8').trim() === 'up';

/** A bridge in our namespace and one namespace per host behind it. */
function makeNetwork(number: number, count: number) {
  const prefix = `${networkPrefix()}-${number}`;
  const bridge = `${prefix}b`;
  const subnet = freeSubnet();
  const names = Array.from({ length: count }, (_, index) => `${prefix}h${index}`);
  const cables = names.map((_, index) => `${prefix}v${index}`);
  const remove = () => {
    // Cables first: they would go with their namespace, but seconds later, and observers of the network would be notified then.
    for (const cable of cables) if (isInterface(cable)) removeInterface(cable);
    for (const name of names) removeNamespace(name);
    removeInterface(bridge);
  };
  /** A browser drops its requests when the network of its computer changes: nothing may change after a test begins. */
  const settled = async () => {
    const limit = performance.now() + SETTLE_LIMIT;
    while (![bridge, ...cables].every(isUp)) {
      if (performance.now() > limit) throw new Error(`The test network ${prefix} does not come up.`);
      await delay(20);
    }
  };
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
    // Otherwise each interface gets an address by itself, a second or two after it came up.
    ip('link', 'set', bridge, 'addrgenmode', 'none');
    ip('address', 'add', `${subnet}.254/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    const hosts = names.map((namespace, index) => {
      const address = `${subnet}.${index + 1}`;
      const cable = `${prefix}v${index}`;
      ip('netns', 'add', namespace);
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      ip('link', 'set', cable, 'addrgenmode', 'none', 'master', bridge, 'up');
      ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', namespace, 'link', 'set', 'eth0', 'up');
      ip('-n', namespace, 'link', 'set', 'lo', 'up');
      return { namespace, address };
    });
    return { prefix, hosts, settled, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The first /24 of 10.200.0.0/13 that no interface of this machine uses, starting at one that depends on our pid. */
function freeSubnet(): string {
  const used = ip('-4', '-o', 'address');
  for (let step = 0; step < 2048; step += 1) {
    const number = (process.pid * 7 + networks + step) % 2048;
    const subnet = `10.${200 + Math.floor(number / 256)}.${number % 256}`;
    if (!used.includes(`${subnet}.`)) return subnet;
  }
  throw new Error('No free test network is left.');
}

const ip = (...args: string[]): string => run('ip', args);
const tc = (...args: string[]): string => run('tc', args);
const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function hasIp(): boolean {
  return ['/sbin/ip', '/usr/sbin/ip', '/bin/ip', '/usr/bin/ip'].some((path) => existsSync(path));
}
