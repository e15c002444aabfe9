import type { ToolIo } from '../../tool.ts';
import type { FioOptions } from './index.ts';
import { bytesOf, placeCount, SHARE } from './place.ts';

/** Engines that wait for each I/O, regardless of the queue depth. */
const WAITING: readonly FioOptions['ioengine'][] = ['psync', 'sync', 'pvsync', 'mmap'];

/** Jobs of the form in all places together. */
export const jobsOf = (options: FioOptions): number => options.numjobs * placeCount(options);

/** I/Os after which a load in passes ends. Undefined without passes, and for a share of a device of unknown capacity. */
export function endsAfter(options: FioOptions): number | undefined {
  const { source, passes, size, bs } = options;
  const [bytes, block] = [bytesOf(size), bytesOf(bs)];
  // Sessions of earlier versions have no passes.
  if (source !== 'form' || !passes || SHARE.test(size) || bytes === undefined || block === undefined) return undefined;
  return Math.floor(bytes / block) * passes * jobsOf(options);
}

/** From the form. Unknown for a job file. */
export function ioOf(options: FioOptions): ToolIo | undefined {
  const { source, ioengine, direct, iodepth } = options;
  const numjobs = jobsOf(options);
  if (source !== 'form') return undefined;
  // Linux native asynchronous I/O also blocks when it uses the page cache.
  const waits = WAITING.includes(ioengine) || (ioengine === 'libaio' && !direct) || iodepth === 1;
  return waits ? { queueDepth: numjobs } : { queueDepth: numjobs * iodepth, asynchronous: true };
}

/** A job with a sync after a number of writes. */
const SYNCED_JOB = /^\s*f(?:data)?sync\s*=\s*0*[1-9]/m;

/** Whether fsync or fdatasync follow its writes: fio counts their time apart, or not at all. */
export const syncsOf = (options: FioOptions): boolean =>
  options.source === 'form'
    ? (options.fsync > 0 || options.fdatasync > 0) && options.rw !== 'read' && options.rw !== 'randread'
    : SYNCED_JOB.test(options['job-file']);

/**
 * I/Os per second of all jobs, by the lower of two limits. Undefined without one, and for mixed patterns, where they limit reads and writes
 * separately.
 */
export function rateOf(options: FioOptions): number | undefined {
  const { source, rw, bs, rate } = options;
  if (source !== 'form' || rw === 'rw' || rw === 'randrw') return undefined;
  const bytes = rate === '' ? undefined : bytesOf(rate);
  const block = bytesOf(bs);
  const limits = [
    ...(options['rate-iops'] > 0 ? [options['rate-iops']] : []),
    ...(bytes !== undefined && block !== undefined ? [bytes / block] : []),
  ];
  return limits.length === 0 ? undefined : jobsOf(options) * Math.min(...limits);
}
