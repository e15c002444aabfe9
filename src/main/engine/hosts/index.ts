export { readFolder, testSyncs } from './facts/folder.ts';
export { readClock, readFacts } from './facts/read.ts';
export type { HostMachines } from './machine.ts';
export { createMachines, defaultAgent } from './machines.ts';
export { JOBS_KEEP_RUNNING } from './ssh/link-problems.ts';
export { readSshConfig } from './ssh-config/index.ts';
export { createRelays, createTunnels, type Relays, type Tunnels } from './tunnels/tunnels.ts';
