import type { StreamPaths } from '../rpc/define.ts';
import type { AppContract } from './index.ts';

/** What the page has to know of the contract; all else about it are types. */
export const STREAMS: StreamPaths<AppContract> = {
  'app.watch': true,
  'hosts.watchTunnels': true,
  'experiments.preflight': true,
  'sessions.watch': true,
  'monitors.watch': true,
};
