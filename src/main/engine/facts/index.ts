export { type DeviceFinding, devicesOf, inspectDevicesOf, overwritesIn, requireDevices } from './devices.ts';
export { readPlaces } from './places.ts';
export { roundTripMs } from './round-trip.ts';
export { type Kills, kernelName, killedBetween, readKills, readProgram } from './server-process.ts';
export {
  describeTarget,
  type FactsContext,
  factsSnapshot,
  processNow,
  readStartFacts,
  readTables,
} from './start-facts.ts';
