import type { Changer } from '../factors/change.ts';
import type { Jobs } from '../jobs/job.ts';
import type { RunsContext } from '../runs/index.ts';
import type { Servers } from '../servers/server.ts';

/** Adds changes of hosts and servers, and jobs. */
export interface WorldContext extends RunsContext {
  jobs: Jobs;
  servers: Servers;
  /** What carries out changes on hosts and servers. */
  changers: readonly Changer[];
  /** Who and where this library is, for people who meet what it has changed: “root@laptop, /home/…”. */
  library: string;
  /** Names of jobs that this engine leads through a step: from before their launch until their end was seen. */
  jobsAtWork: Set<string>;
  /** What is known of a host has changed. */
  hostsChanged(): void;
}
