export { type DeviceFinding, devicesOf, inspectDevicesOf, overwritesIn, requireDevices } from './devices.ts';
export { readPlaces } from './places.ts';
export { type Kills, kernelName, killedBetween, readKills, readProgram } from './server-process.ts';
export {
  describeTarget,
  type FactsContext,
  factsSnapshot,
  processNow,
  readStartFacts,
  readTables,
  roundTripMs,
} from './start-facts.ts';
