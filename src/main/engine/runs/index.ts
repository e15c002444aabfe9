export { type CarriedClock, carriedReading, keepClock } from './clocks.ts';
export type { RunsContext, TargetAccess } from './context.ts';
export { decodeLine, takeLines } from './lines.ts';
export { moveRun, moveSession } from './move.ts';
export {
  atServer,
  databaseKey,
  findOccupant,
  hostKey,
  nodesOf,
  type Occupancy,
  type Occupant,
  occupiedFinding,
  occupiedProblem,
  placesOfRow,
  serverTarget,
} from './occupied.ts';
export {
  isForPerson,
  isOwnDiskFull,
  pauseFor,
  toLocalTime,
  unlessReset,
  untilReachable,
  untilTargetReachable,
  type Waiting,
} from './reachable.ts';
export { SessionChanges, SessionRecord } from './session-record.ts';
export {
  allOrNone,
  commandsOf,
  connectionOf,
  databaseOf,
  type Generator,
  generatorsOf,
  jobOf,
  launchedCommand,
  metricOfRun,
  parserOf,
  runsHere,
  seenFrom,
  stepOf,
  toFirst,
  toolLimit,
  toolOf,
  toolsOf,
  under,
  wayOf,
  workloadOf,
} from './steps.ts';
