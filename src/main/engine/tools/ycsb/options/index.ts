import { z } from 'zod';
import { KneepointError } from '../../../../../shared/model/problem.ts';
import { loadOptions } from './load.ts';
import { programOptions } from './program.ts';
import { CORE_MIXES, type Mix, workloadOptions } from './workload.ts';

/** All options by YCSB's names. The app's own ones are listed in their files. */
export const YcsbOptions = z.strictObject({ ...workloadOptions, ...loadOptions, ...programOptions });
export type YcsbOptions = z.output<typeof YcsbOptions>;

/** Tolerance for sums of decimal shares such as 0.1 + 0.2. */
const NEARLY = 1e-6;

/** The shares of operations in the workload. Throws `experiment-invalid` if the sum of own shares is not 1. */
export function mixOf(options: YcsbOptions): Mix {
  if (options.workload !== 'own') return CORE_MIXES[options.workload];
  const mix: Mix = {
    read: options.readproportion,
    update: options.updateproportion,
    insert: options.insertproportion,
    scan: options.scanproportion,
    readmodifywrite: options.readmodifywriteproportion,
  };
  const sum = Object.values(mix).reduce((total, each) => total + each, 0);
  if (Math.abs(sum - 1) <= NEARLY) return mix;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The shares of reads, updates, inserts, scans and read-modify-writes make up ${Number(sum.toFixed(6))}, not 1.`,
    safe: 'Nothing was started.',
    next: 'Change the options readproportion to readmodifywriteproportion so that their sum is 1.',
  });
}

export function distributionOf(options: YcsbOptions): NonNullable<YcsbOptions['requestdistribution']> {
  if (options.requestdistribution) return options.requestdistribution;
  if (options.workload === 'own') return 'uniform';
  return options.workload === 'D' ? 'latest' : 'zipfian';
}

/** The kind of binding that uses a table of a saved target. All others take their address from properties. */
export function drivesTarget({ binding }: YcsbOptions): 'jdbc' | 'mongodb' | undefined {
  if (binding === 'jdbc') return 'jdbc';
  return binding === 'mongodb' || binding === 'mongodb-async' ? 'mongodb' : undefined;
}

/** Whether a run adds records, which the next one would find. */
export const addsRecords = (options: YcsbOptions): boolean => options.phase === 'load' || mixOf(options).insert > 0;

/** A measured load of a part of the keys: other data in the table is kept, as other generators may be loading it. */
export const loadsPart = ({ phase, insertcount }: YcsbOptions): boolean =>
  phase === 'load' && insertcount !== undefined;
