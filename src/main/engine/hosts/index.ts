export { readClock, readFacts } from './facts/read.ts';
export { createMachines, type HostMachines } from './machines.ts';
export { createRelays } from './relays.ts';
export { createTunnels, type Tunnels } from './tunnels.ts';
