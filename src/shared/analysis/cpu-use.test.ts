import { describe, expect, it } from 'vitest';
import { randomFrom } from '../util/numbers.ts';
import type { RunEvidence, WatchedHost } from './evidence.ts';
import { cpuUse } from './index.ts';
import { flat, hostWith, watched } from './testing/lines.ts';

const SEED = 41_772;
const SECONDS = 60;
const WINDOW = { from: 20, to: SECONDS };

const of = (...hosts: WatchedHost[]) => {
  const evidence: RunEvidence = { window: WINDOW, load: [], hosts, servers: [] };
  return cpuUse(evidence);
};

describe(`CPU of the hosts (seed ${SEED})`, () => {
  it('is the mean of each mode over the measured seconds, in cores', () => {
    const random = randomFrom(SEED);
    // Warm-up is busier than the measured part.
    const user = Float64Array.from({ length: SECONDS }, (_, index) => (index < WINDOW.from ? 90 : 20 + 40 * random()));
    const measured = [...user.slice(WINDOW.from)];
    const expected = measured.reduce((sum, percent) => sum + percent, 0) / measured.length;
    const [cpu] = of(hostWith([watched('cpu.user', user), watched('cpu.iowait', flat(5))], { cores: 16 }));
    expect(cpu).toMatchObject({ host: 'db1', roles: ['server'], cores: 16 });
    expect(cpu?.modes.user).toBeCloseTo((expected * 16) / 100, 9);
    expect(cpu?.modes.iowait).toBeCloseTo(0.8, 9);
    // Modes that the host does not report are not taken for zero.
    expect(cpu?.modes).not.toHaveProperty('steal');
    expect(cpu).not.toHaveProperty('programs');
  });

  it('is unknown without the number of cores or most of the window', () => {
    const late = flat(50).map((value, index) => (index < 45 ? Number.NaN : value));
    const enough = flat(50).map((value, index) => (index < 35 ? Number.NaN : value));
    expect(of(hostWith([watched('cpu.user', late)], { cores: 4 }))).toEqual([]);
    expect(of(hostWith([watched('cpu.user', flat(50))]))).toEqual([]);
    expect(of(hostWith([watched('cpu.user', enough)], { cores: 4 }))[0]?.modes).toEqual({ user: 2 });
  });

  it('includes the CPU of tool and server processes on a shared host', () => {
    const process = (instance: string, percent: number) => watched('proc.*.cpu', flat(percent), { instance });
    const shared = hostWith(
      [watched('cpu.user', flat(80)), process('sysbench', 120), process('mariadbd', 250), process('backup', 70)],
      { cores: 8, roles: ['generator', 'server'], programs: { tool: ['sysbench'], server: ['mariadbd'] } },
    );
    expect(of(shared)[0]?.programs).toEqual({ tool: 1.2, server: 2.5 });
    const alone = { ...shared, series: shared.series.filter(({ instance }) => instance !== 'mariadbd') };
    expect(of(alone)[0]).not.toHaveProperty('programs');
  });
});
