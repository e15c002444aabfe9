import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Ports that a test process has for itself, and the first of all of them. */
const OWN = 64;
const FIRST = 10_240;

/** The first port that the system hands out by itself, to clients as well; where it does not say, one too low to leave any below. */
function firstHandedOut(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0]);
  } catch {
    return 0;
  }
}

let given = 0;

async function isFree(port: number, address: string): Promise<boolean> {
  const probe = createServer();
  probe.listen(port, address);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** A port that the system chose. Another program may get it before it is used. */
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
 * A TCP port that nobody listens on at that address, for a server that starts later. It is none of those that the system gives to
 * whoever asks for any, and tests in other processes look elsewhere: nobody takes it in the seconds until the server is up.
 */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const parts = Math.floor((firstHandedOut() - FIRST) / OWN);
  if (parts < 1) return handedOut(address);
  const from = FIRST + (process.pid % parts) * OWN;
  for (let tried = 0; tried < OWN; tried += 1) {
    const port = from + (given % OWN);
    given += 1;
    if (await isFree(port, address)) return port;
  }
  return handedOut(address);
}
