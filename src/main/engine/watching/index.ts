export { type JudgedRun, OneByOne, type WatchingContext } from './context.ts';
export { canBeJudged, judgeAgain, judgeNow } from './judged.ts';
export { endMonitorsAtClose, monitorsLeft } from './left.ts';
export { type Tidying, tidyOnContact } from './on-contact.ts';
export { SessionMonitors } from './session-monitors.ts';
export { endStrays } from './strays.ts';
export { hostsOfServer, type Unwatched, unwatchedIn, type Watched, watchedIn } from './wanted.ts';
