import type { StreamPaths } from '../rpc/define.ts';
import type { AppContract } from './index.ts';

/** The only part of the contract that the page needs at run time; the rest is types. */
export const STREAMS: StreamPaths<AppContract> = {
  'app.watch': true,
  'hosts.watchTunnels': true,
  'experiments.preflight': true,
  'sessions.watch': true,
  'monitors.watch': true,
};
