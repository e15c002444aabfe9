import { describe, expect, it } from 'vitest';
import type { WatchedSeries } from '../evidence.ts';
import { flat, hostWith, watched } from '../testing/lines.ts';
import { boundOf } from './index.ts';

describe('memory on a host without pressure figures', () => {
  const of = (mibS: number, faults: number, busy: number, ...more: WatchedSeries[]) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [],
      hosts: [
        hostWith(
          [
            watched('vm.swap_in_mib_s', flat(mibS)),
            watched('vm.major_faults', flat(faults)),
            watched('cpu.busy', flat(busy)),
            watched('sys.running', flat(60)),
            ...more,
          ],
          { cores: 16 },
        ),
      ],
      servers: [],
    });

  it('is short if work waits while the CPU is not saturated, or if much is swapped in', () => {
    expect(of(1.2, 310, 99)).toMatchObject({ verdict: 'cpu', runnersUp: [] });
    expect(of(1.2, 310, 40).verdict).toBe('memory');
    expect(of(60, 15_000, 99).verdict).toBe('memory');
    expect(of(1.2, 310, 99, watched('pressure.memory.some', flat(30))).verdict).toBe('memory');
  });

  it('is reported as not watched for waits', () => {
    expect(of(1.2, 310, 99).notWatched).toContain('memory pressure on db1');
    expect(of(1.2, 310, 99, watched('pressure.memory.some', flat(0))).notWatched).not.toContain(
      'memory pressure on db1',
    );
  });
});

describe('memory without swap', () => {
  const total = 16_384;
  const of = (faults: number, waited: number, available: number, lost?: string, ...more: WatchedSeries[]) =>
    boundOf({
      window: { from: 0, to: 60 },
      load: [],
      hosts: [
        hostWith(
          [
            watched('vm.major_faults', flat(faults)),
            watched('pressure.memory.some', flat(waited)),
            watched('pressure.memory.full', flat(waited / 2)),
            watched('mem.used_mib', flat(total * (1 - available / 100)), {
              limit: { value: total, words: 'installed memory' },
            }),
            ...more,
          ].filter(({ id }) => id !== lost),
        ),
      ],
      servers: [],
    });

  it('is short if dropped pages are read again and almost none is available', () => {
    expect(of(900, 60, 2)).toMatchObject({ verdict: 'memory', host: 'db1', share: 1 });
    expect(of(900, 60, 2).sentence).toBe(
      'db1 short of memory in every second: 2.0 % of it was available, 900 major page faults/s re-read programs and files, some tasks waited for memory 60 % of the time, all non-idle tasks did 30 % of the time. The gain from more memory depends on the size of the working set: compare with a run on less data.',
    );
  });

  it('is not short during a cold start or a scan of files, or with a sign missing', () => {
    expect(of(900, 0.5, 2).verdict).toBe('not-known');
    expect(of(3, 60, 2).verdict).toBe('not-known');
    for (const lost of ['vm.major_faults', 'pressure.memory.some', 'mem.used_mib'])
      expect([lost, of(900, 60, 2, lost).verdict]).toEqual([lost, 'not-known']);
    expect(of(900, 60, 2, 'pressure.memory.full').verdict).toBe('memory');
  });

  it('is short if the kernel counts refaults, however much is available', () => {
    const refaults = (pages: number) => watched('vm.refaults', flat(pages));
    expect(of(900, 60, 50, '', refaults(1200))).toMatchObject({ verdict: 'memory', host: 'db1', share: 1 });
    expect(of(900, 60, 50, '', refaults(1200)).sentence).toBe(
      'db1 short of memory in every second, though 50 % of it was available: 900 major page faults/s re-read programs and files, 1,200 pages/s were re-read after eviction, some tasks waited for memory 60 % of the time, all non-idle tasks did 30 % of the time. A control group limits its processes, or the working set is larger than memory. The gain from more memory depends on the size of the working set: compare with a run on less data.',
    );
    // A first read, evenly distributed reads, and a scan with read(2).
    expect(of(900, 60, 50, '', refaults(40)).verdict).toBe('not-known');
    expect(of(900, 5, 50, '', refaults(1200)).verdict).toBe('not-known');
    expect(of(3, 60, 50, '', refaults(1200)).verdict).toBe('not-known');
  });

  it('is undetermined if it is available while mapped data is read again, and the sentence gives the figures', () => {
    expect(of(900, 60, 50)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(of(900, 60, 50).sentence).toContain(
      'db1: 900 major page faults/s and waits for memory 60 % of the time, while 8,192 MiB were available',
    );
    expect(of(3, 60, 50).sentence).not.toContain('major page faults');
  });
});
