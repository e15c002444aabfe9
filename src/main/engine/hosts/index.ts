export { readFolder } from './facts/folder.ts';
export { readClock, readFacts } from './facts/read.ts';
export { testSyncs } from './facts/syncs.ts';
export type { HostMachines } from './machine.ts';
export { createMachines, defaultAgent } from './machines.ts';
export { JOBS_KEEP_RUNNING } from './ssh/link-problems.ts';
export { readSshConfig } from './ssh-config/index.ts';
export { createRelays, type Relays } from './tunnels/relays.ts';
export { createTunnels, type Tunnels } from './tunnels/tunnels.ts';
