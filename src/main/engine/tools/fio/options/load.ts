import type { ToolIo } from '../../tool.ts';
import type { FioOptions } from './index.ts';
import { bytesOf } from './place.ts';

/** Engines that wait for each I/O, regardless of the queue depth. */
const WAITING: readonly FioOptions['ioengine'][] = ['psync', 'sync', 'pvsync', 'mmap'];

/** From the form. Unknown for a job file. */
export function ioOf(options: FioOptions): ToolIo | undefined {
  const { source, ioengine, direct, iodepth, numjobs } = options;
  if (source !== 'form') return undefined;
  // Linux native asynchronous I/O also blocks when it uses the page cache.
  const waits = WAITING.includes(ioengine) || (ioengine === 'libaio' && !direct) || iodepth === 1;
  return waits ? { queueDepth: numjobs } : { queueDepth: numjobs * iodepth, asynchronous: true };
}

/**
 * I/Os per second of all jobs, by the lower of two limits. Undefined without one, and for mixed patterns, where they limit reads and writes
 * separately.
 */
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
