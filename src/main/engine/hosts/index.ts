export { readClock, readFacts } from './facts/read.ts';
export type { HostMachines } from './machine.ts';
export { createMachines } from './machines.ts';
export { createRelays, type Relays } from './tunnels/relays.ts';
export { createTunnels, type Tunnels } from './tunnels/tunnels.ts';
