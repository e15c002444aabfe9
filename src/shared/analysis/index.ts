export { boundOf } from './bounds/index.ts';
export {
  type DeviceFacts,
  type LinkFacts,
  type LoadPart,
  onRunClock,
  type RunEvidence,
  type WatchedHost,
  type WatchedSeries,
  type WatchedServer,
  type Window,
  windowOf,
} from './evidence.ts';
