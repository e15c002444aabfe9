import { formatNumber } from '../../../../../shared/util/format.ts';
import { cannotDivide, shareOf, startOf } from '../../divide.ts';
import type { Part } from '../../tool.ts';
import { addsRecords, distributionOf, type YcsbOptions } from '../options/index.ts';

const OPERATIONS = ['operation', 'operations'] as const;
const RECORDS = ['record', 'records'] as const;

/** A generator's part of threads, rate and operations, and of the keys when the load is what is measured. */
export function divideYcsb(options: YcsbOptions, part: Part): YcsbOptions {
  const { phase, operationcount, target } = options;
  return {
    ...options,
    threads: shareOf(['thread', 'threads'], options.threads, part),
    ...(target > 0 && { target: shareOf(['operation per second', 'operations per second'], target, part) }),
    ...(operationcount !== undefined && { operationcount: shareOf([...OPERATIONS], operationcount, part) }),
    ...(phase === 'load' ? keysOf(options, part) : addsRecords(options) ? newKeysOf(options, part) : {}),
  };
}

/** YCSB reads them as integers of Java. */
const MOST_KEYS = 2_147_483_647;
/** As many new records a generator must at least be able to number. */
const LEAST_ROOM = 10_000_000;

/**
 * All ask for the records that were loaded; the new ones of each have numbers of their own, as YCSB numbers them from `recordcount` on,
 * and tells what it asks for by `insertstart` and `insertcount`.
 */
function newKeysOf(
  options: YcsbOptions,
  { index, count }: Part,
): Pick<YcsbOptions, 'recordcount' | 'insertstart' | 'insertcount'> {
  const { recordcount } = options;
  const distribution = distributionOf(options);
  if (distribution === 'latest' || distribution === 'exponential')
    throw cannotDivide(
      `A workload that inserts, and asks for records by how new they are (requestdistribution ${distribution}), cannot be divided between generators: YCSB reckons that back from the number of its own newest record, and below that of a second generator lie numbers that nobody has inserted.`,
      'Use one generator, or set requestdistribution to uniform, zipfian or hotspot: they ask for the records that were loaded.',
    );
  const room = Math.floor((MOST_KEYS - recordcount) / count);
  if (room < LEAST_ROOM)
    throw cannotDivide(
      `With ${formatNumber(recordcount)} records, YCSB’s numbers leave each of ${count} generators only ${formatNumber(Math.max(0, room))} for the records that it inserts.`,
      'Use fewer records, or one generator.',
    );
  return { recordcount: recordcount + index * room, insertstart: 0, insertcount: recordcount };
}

/** Ranges that lie side by side. */
function keysOf(options: YcsbOptions, part: Part): Pick<YcsbOptions, 'insertstart' | 'insertcount'> {
  const total = options.insertcount ?? options.recordcount - options.insertstart;
  return {
    insertstart: options.insertstart + startOf([...RECORDS], total, part),
    insertcount: shareOf([...RECORDS], total, part),
  };
}
