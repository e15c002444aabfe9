import type { ToolIo } from '../../tool.ts';
import type { FioOptions } from './index.ts';
import { bytesOf } from './place.ts';

/** Engines that wait for each I/O, whatever the queue depth. */
const WAITING: readonly FioOptions['ioengine'][] = ['psync', 'sync', 'pvsync', 'mmap'];

/** What the form says; of a job file it is not known. */
export function ioOf(options: FioOptions): ToolIo | undefined {
  const { source, ioengine, direct, iodepth, numjobs } = options;
  if (source !== 'form') return undefined;
  // Native asynchronous I/O of Linux waits as well, where it goes through the page cache.
  const waits = WAITING.includes(ioengine) || (ioengine === 'libaio' && !direct) || iodepth === 1;
  return waits ? { queueDepth: numjobs } : { queueDepth: numjobs * iodepth, asynchronous: true };
}

/** I/Os a second of all jobs, by the tighter of the two limits; undefined: none. Of mixed patterns each limit is for reads and for writes apart. */
export function rateOf(options: FioOptions): number | undefined {
  const { source, rw, bs, numjobs, rate } = options;
  if (source !== 'form' || rw === 'rw' || rw === 'randrw') return undefined;
  const bytes = rate === '' ? undefined : bytesOf(rate);
  const block = bytesOf(bs);
  const limits = [
    ...(options['rate-iops'] > 0 ? [options['rate-iops']] : []),
    ...(bytes !== undefined && block !== undefined ? [bytes / block] : []),
  ];
  return limits.length === 0 ? undefined : numjobs * Math.min(...limits);
}
