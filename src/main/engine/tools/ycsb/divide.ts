import { cannotDivide, shareOf, startOf } from '../divide.ts';
import type { Part } from '../tool.ts';
import { addsRecords, type YcsbOptions } from './options.ts';

const OPERATIONS = ['operation', 'operations'] as const;
const RECORDS = ['record', 'records'] as const;

/** A generator's part of threads, rate and operations, and of the keys when the load is what is measured. */
export function divideYcsb(options: YcsbOptions, part: Part): YcsbOptions {
  const { phase, operationcount, target } = options;
  if (phase === 'run' && addsRecords(options))
    throw cannotDivide(
      'A workload that inserts cannot be divided between generators: each of them would insert the same keys.',
      'Use one generator, or a workload without inserts (A, B, C, F).',
    );
  return {
    ...options,
    threads: shareOf(['thread', 'threads'], options.threads, part),
    ...(target > 0 && { target: shareOf(['operation per second', 'operations per second'], target, part) }),
    ...(operationcount !== undefined && { operationcount: shareOf([...OPERATIONS], operationcount, part) }),
    ...(phase === 'load' && keysOf(options, part)),
  };
}

/** Ranges that lie side by side. */
function keysOf(options: YcsbOptions, part: Part): Pick<YcsbOptions, 'insertstart' | 'insertcount'> {
  const total = options.insertcount ?? options.recordcount - options.insertstart;
  return {
    insertstart: options.insertstart + startOf([...RECORDS], total, part),
    insertcount: shareOf([...RECORDS], total, part),
  };
}
