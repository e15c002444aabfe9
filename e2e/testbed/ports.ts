import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';

/** Ports reserved for a test process, of which the first is held to mark them as taken; and the first port of all. */
const OWN = 64;
const FIRST = 10_240;

/** The first port that the system assigns by itself, also to clients; if unknown, one too low to leave any below. */
function firstHandedOut(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0]);
  } catch {
    return 0;
  }
}

let given = 0;
let own: Promise<number | undefined> | undefined;

/** Listens there; undefined if the port is in use. */
async function listen(port: number, address: string): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, address);
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  return server;
}

async function isFree(port: number, address: string): Promise<boolean> {
  const probe = await listen(port, address);
  if (probe === undefined) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

/** First of the ports reserved for this process until it ends; undefined if all are taken. */
async function claim(): Promise<number | undefined> {
  const parts = Math.floor((firstHandedOut() - FIRST) / OWN);
  for (let tried = 0; tried < parts; tried += 1) {
    const from = FIRST + ((process.pid + tried) % parts) * OWN;
    const sign = await listen(from, '127.0.0.1');
    if (sign) {
      sign.unref();
      return from;
    }
  }
  return undefined;
}

/** A port chosen by the system. Another program may get it before it is used. */
async function handedOut(address: string): Promise<number> {
  const probe = createServer();
  probe.listen(0, address);
  await once(probe, 'listening');
  const found = probe.address();
  probe.close();
  await once(probe, 'close');
  if (found === null || typeof found === 'string') throw new Error(`No free port at ${address}.`);
  return found.port;
}

/**
 * A free TCP port at that address, for a server that starts later. The system does not assign it by itself, and no other test process uses it, so
 * it stays free in the seconds until the server is up.
 */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  own ??= claim();
  const from = await own;
  if (from === undefined) return handedOut(address);
  for (let tried = 1; tried < OWN; tried += 1) {
    const port = from + 1 + (given % (OWN - 1));
    given += 1;
    if (await isFree(port, address)) return port;
  }
  return handedOut(address);
}
