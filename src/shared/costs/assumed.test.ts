import { describe, expect, it } from 'vitest';
import type { CostResult } from '../model/cost.ts';
import { hostSizeWords, notMeasuredOn, workOnVolumes } from './assumed.ts';

const item = { label: 'disk', perHour: 1, perMonth: 1, perYear: 1, how: '', warnings: [] };
const price = (usable: CostResult['usable']) => ({
  items: [{ ...item, gives: {} }],
  ...(usable && { usable }),
});
const WORK = { rate: 8000, interval: { low: 7000, high: 9000 } };

describe('work on the volumes of another system', () => {
  it('is lowered to the I/O that they sustain, with its interval', () => {
    // 8,000 tps at 0.5 I/Os are 4,000 IOPS; 3,000 carry 6,000 tps.
    expect(workOnVolumes('tps', WORK, { iops: 0.5, mib: 0.001 }, price({ iops: 3000, mibS: 125 }))).toEqual({
      rate: 6000,
      interval: { low: 6000, high: 6000 },
      volumes: {
        words: 'Lowered from 8,000 tps: that takes 4,000 IOPS, its volumes sustain 3,000.',
        capped: true,
      },
    });
    // 8,000 × 0.02 are 160 MiB/s: the tighter limit.
    expect(workOnVolumes('tps', WORK, { iops: 0.3, mib: 0.02 }, price({ iops: 3000, mibS: 80 }))).toMatchObject({
      rate: 4000,
      volumes: { words: 'Lowered from 8,000 tps: that takes 160 MiB/s, its volumes sustain 80.' },
    });
  });

  it('is unchanged if they sustain it, or if that is unknown', () => {
    expect(workOnVolumes('tps', WORK, { iops: 0.05, mib: 0.001 }, price({ iops: 3000, mibS: 77.486 }))).toEqual({
      ...WORK,
      volumes: { words: 'Its volumes sustain this I/O: 400 of 3,000 IOPS, 8 of 77.5 MiB/s.' },
    });
    const small = { ...price({ iops: 3600 }), limitedBy: { iops: 'm5.large' } };
    expect(workOnVolumes('tps', WORK, { iops: 0.05 }, small).volumes?.words).toBe(
      'Its volumes sustain this I/O: 400 of 3,600 IOPS (limit of m5.large).',
    );
    expect(workOnVolumes('tps', WORK, { iops: 0.5 }, small).volumes?.words).toBe(
      'Lowered from 8,000 tps: that takes 4,000 IOPS, the limit of m5.large is 3,600.',
    );
    expect(workOnVolumes('tps', WORK, {}, price({ iops: 3000 })).volumes).toEqual({
      words: 'Its volumes may be too slow: the session did not record the I/O of its server.',
      unchecked: 'the session did not record the I/O of its server',
    });
    expect(workOnVolumes('tps', WORK, { iops: 1 }, price(undefined)).volumes?.words).toBe(
      'Its volumes may be too slow: their limits are not in the catalogue.',
    );
    expect(workOnVolumes('tps', WORK, { iops: 1 }, { items: [item] })).toEqual(WORK);
  });
});

describe('the machine of a measurement', () => {
  const m5 = { title: 'm5.large', vcpu: 2, memoryGib: 8 };
  const facts = (cpuCount: number, gib: number) => ({ cpuCount, memoryBytes: gib * 2 ** 30 });

  it('is certainly another one if its size differs, or if the work is assumed', () => {
    expect(notMeasuredOn([m5], facts(2, 7.7), false)).toBeUndefined();
    expect(notMeasuredOn([m5], facts(4, 7.7), false)).toBe('m5.large');
    expect(notMeasuredOn([m5], facts(2, 23), false)).toBe('m5.large');
    expect(notMeasuredOn([m5], undefined, false)).toBeUndefined();
    expect(notMeasuredOn([m5], facts(2, 7.7), true)).toBe('m5.large');
    expect(notMeasuredOn([m5, { ...m5, title: 'big', vcpu: 8, memoryGib: 32 }], facts(2, 7.7), false)).toBeUndefined();
    expect(notMeasuredOn([], facts(2, 7.7), true)).toBeUndefined();
  });

  it('is named with its size', () => {
    expect(hostSizeWords('this computer', facts(2, 23.4))).toBe('this computer (2 CPUs, 23 GiB)');
    expect(hostSizeWords('db1', undefined)).toBe('db1');
  });
});
