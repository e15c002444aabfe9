export { type DeviceFinding, devicesOf, lookAtDevicesOf, overwritesIn, requireDevices } from './devices.ts';
export { type Kills, kernelName, killedBetween, readKills } from './memory-kills.ts';
export { readProgram } from './programs.ts';
export { roundTripMs } from './round-trip.ts';
export {
  describeTarget,
  type FactsContext,
  factsSnapshot,
  processNow,
  readStartFacts,
  readTables,
} from './start-facts.ts';
