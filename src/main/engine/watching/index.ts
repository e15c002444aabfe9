export { type JudgedRun, OneByOne, type WatchingContext } from './context.ts';
export { canBeJudged, judgeNow, rejudge } from './judged.ts';
export {
  cleanUpOnContact,
  endOrphanJobs,
  type HostCleanup,
  leaveMonitorsAtClose,
  leftoverMonitors,
} from './leftovers.ts';
export { SessionMonitors } from './session-monitors.ts';
export { hostsOfServer, type Unwatched, unwatchedIn, type Watched, watchedIn } from './wanted.ts';
