import { formatNumber } from '../../../../../shared/util/format.ts';
import { zipfian } from '../../accesses.ts';
import type { Accesses } from '../../tool.ts';
import type { FioOptions } from './index.ts';
import { type Job, jobFileLines, jobsIn } from './job-sections.ts';
import { bytesOf } from './place.ts';

/** Uniform random accesses. By default fio accesses each block once before repeating any, unless norandommap is set. */
const ONCE: Accesses = {
  words: 'uniform: every block once before any repeats',
  of: 'blocks',
  cumulative: (x) => x,
};
const ANY: Accesses = { words: 'uniform: all blocks equally', of: 'blocks', cumulative: (x) => x };

/**
 * The distribution of the jobs' random accesses over the blocks of a file, as in fio's `lib/zipf.c` and `filesetup.c`. Jobs without random accesses
 * are omitted, and so are those with an unknown distribution or number of blocks (normal, zoned_abs, several block sizes).
 */
export function blockAccesses(options: FioOptions): readonly Accesses[] {
  if (options.source === 'form') return options.rw.startsWith('rand') ? [ONCE] : [];
  return jobsIn(jobFileLines(options['job-file'])).flatMap((job) => ofJob(job) ?? []);
}

const isOn = (job: Job, name: string): boolean => job.options.has(name) && job.options.get(name)?.value !== '0';

function ofJob(job: Job): Accesses | undefined {
  const optionValue = (name: string): string => job.options.get(name)?.value ?? '';
  const mixed = optionValue('percentage_random');
  if (!/^rand/i.test(optionValue('rw')) || (mixed !== '' && mixed !== '100')) return undefined;
  // The first distribution is that of reads; those of writes and trims may follow.
  const [name = '', ...parameters] = (optionValue('random_distribution').split(',')[0] ?? '').split(':');
  if (name === '' || name === 'random') return isOn(job, 'norandommap') ? ANY : ONCE;
  if (name === 'zoned') return zoned(parameters);
  const [parameter = Number.NaN] = parameters.map(Number);
  if (name === 'zipf') {
    const blocks = blocksOf(optionValue('size'), optionValue('bs') || '4k', optionValue('nrfiles'));
    if (blocks === undefined || !(parameter > 0)) return undefined;
    return {
      words: `zipf, theta ${parameter}, ${formatNumber(blocks)} blocks`,
      of: 'blocks',
      cumulative: zipfian(blocks, parameter),
      ranked: true,
    };
  }
  if (name !== 'pareto' || !(parameter > 0 && parameter < 1)) return undefined;
  const exponent = Math.log(1 - parameter) / Math.log(parameter);
  return { words: `pareto, h = ${parameter}`, of: 'blocks', cumulative: (x) => x ** exponent, ranked: true };
}

function blocksOf(size: string, block: string, files: string): number | undefined {
  const [whole, part] = [bytesOf(size), bytesOf(block)];
  if (whole === undefined || part === undefined) return undefined;
  const blocks = Math.floor(whole / Number(files || 1) / part);
  return blocks >= 2 ? blocks : undefined;
}

/** `50/5:30/15:20/`: shares of the accesses and of the file; the last zone is the rest of the file. Undefined if they do not add up to 100 %. */
function zoned(parts: readonly string[]): Accesses | undefined {
  const given = parts.map((part) => part.split('/').map((text) => (text === '' ? undefined : Number(text) / 100)));
  const rest = 1 - given.reduce((sum, [, size = 0]) => sum + size, 0);
  const zones = given.map(([accesses = Number.NaN, size = rest]) => ({ accesses, size }));
  const all = (of: 'accesses' | 'size'): number => zones.reduce((sum, zone) => sum + zone[of], 0);
  if (zones.length === 0 || Math.abs(all('accesses') - 1) > 1e-9 || Math.abs(all('size') - 1) > 1e-9) return undefined;
  return {
    words: `zoned: ${zones.map(({ accesses, size }) => `${percent(accesses)} of the accesses in ${percent(size)} of the file`).join(', ')}`,
    of: 'blocks',
    cumulative(x) {
      let [begin, sum] = [0, 0];
      for (const { accesses, size } of zones) {
        sum += size === 0 ? 0 : accesses * Math.min(1, Math.max(0, (x - begin) / size));
        begin += size;
      }
      return sum;
    },
  };
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;
