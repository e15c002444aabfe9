import type { Changer } from '../factors/change.ts';
import type { Jobs } from '../jobs/job.ts';
import type { RunsContext } from '../runs/index.ts';
import type { Servers } from '../servers/server.ts';

/** Adds changes of hosts and servers, and jobs. */
export interface WorldContext extends RunsContext {
  jobs: Jobs;
  servers: Servers;
  /** They carry out changes on hosts and servers. */
  changers: readonly Changer[];
  /** Owner and location of this library, for people who find its changes: “root@laptop, /home/…”. */
  library: string;
  /** Ids of jobs that this engine executes: from before their launch until their end was seen. */
  jobsAtWork: Set<string>;
  /** Call when facts of a host have changed. */
  hostsChanged(): void;
}
