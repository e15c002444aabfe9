export { type JudgedRun, OneByOne, type WatchingContext } from './context.ts';
export { canBeJudged, judgeAgain, judgeNow } from './judged.ts';
export { endMonitorsAtClose, endStrays, monitorsLeft, type Tidying, tidyOnContact } from './left.ts';
export { SessionMonitors } from './session-monitors.ts';
export { hostsOfServer, type Unwatched, unwatchedIn, type Watched, watchedIn } from './wanted.ts';
