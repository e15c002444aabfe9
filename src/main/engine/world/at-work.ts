import type { JobStatus } from '../jobs/job.ts';

/** A tool of a job in this state may still load its target. */
export const mayBeAtWork = (status: JobStatus): boolean =>
  status.state === 'running' || (status.state === 'lost' && status.tool === 'alive');
