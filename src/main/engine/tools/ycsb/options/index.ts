import { z } from 'zod';
import { KneepointError } from '../../../../../shared/model/problem.ts';
import { loadOptions } from './load.ts';
import { programOptions } from './program.ts';
import { CORE_MIXES, type Mix, workloadOptions } from './workload.ts';

/** Every option by the name that YCSB gives it; those that are the app's own are named in their files. */
export const YcsbOptions = z.strictObject({ ...workloadOptions, ...loadOptions, ...programOptions });
export type YcsbOptions = z.output<typeof YcsbOptions>;

/** Shares are written with decimals: 0.1 + 0.2 is no more exact than this. */
const NEARLY = 1e-6;

/** The shares of operations that the workload stands for. Throws `experiment-invalid` when own ones do not make up 1. */
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

/** The kind of binding that works on a table of a saved target; all others take their address from properties. */
export function drivesTarget({ binding }: YcsbOptions): 'jdbc' | 'mongodb' | undefined {
  if (binding === 'jdbc') return 'jdbc';
  return binding === 'mongodb' || binding === 'mongodb-async' ? 'mongodb' : undefined;
}

/** Whether a run adds records, so that the next one would find them there. */
export const addsRecords = (options: YcsbOptions): boolean => options.phase === 'load' || mixOf(options).insert > 0;

/** A measured load of some of the keys: what else is in the table stays, as others may be loading it. */
export const loadsPart = ({ phase, insertcount }: YcsbOptions): boolean =>
  phase === 'load' && insertcount !== undefined;
