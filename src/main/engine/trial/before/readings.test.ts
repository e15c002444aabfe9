import { describe, expect, it } from 'vitest';
import { droppedFindings, readCached } from './caches.ts';
import { busyParts, readBusy, untilIdle } from './idle.ts';
import { isTrue } from './target.ts';

const MIB = 1024 ** 2;
const at = (up: number, dirty: number, sectors: Record<string, number>) =>
  readBusy(
    `up ${up}\nDirty:   ${dirty} kB\nWriteback:  0 kB\n${Object.entries(sectors)
      .map(([name, count]) => `written ${name} ${count}\n`)
      .join('')}`,
  );

describe('host readings', () => {
  it('exclude shared memory from the cache, as it cannot be dropped', () => {
    const meminfo = 'Buffers: 10 kB\nCached: 100 kB\nShmem: 30 kB\nSReclaimable: 5 kB\n';
    expect(readCached(meminfo)).toEqual({ all: 85 * 1024, mapped: 0 });
    expect(readCached(`${meminfo}Mapped: 7 kB\n`)).toEqual({ all: 85 * 1024, mapped: 7 * 1024 });
    // Shared memory counts as mapped as well.
    expect(readCached(`${meminfo}Mapped: 97 kB\n`)).toEqual({ all: 85 * 1024, mapped: 85 * 1024 });
    expect(readCached('MemTotal: 1 kB')).toBeUndefined();
    expect(readCached('Cached: 999999999999999999999 kB')).toBeUndefined();
  });

  it.each([
    ['nothing', 5000, 0, 0, true],
    ['programs that run', 200, 113, 105, true],
    ['half of much', 5000, 2400, 300, true],
    ['what nobody has mapped', 200, 180, 60, false],
    ['files that a server has mapped', 5000, 4000, 3990, false],
  ])('compare caches before and after: remaining is %s', (_what, before, after, mapped, isDropped) => {
    const found = droppedFindings('db-1', { all: before * MIB, mapped: 0 }, { all: after * MIB, mapped: mapped * MIB });
    expect(found.map(({ code }) => code)).toEqual(['caches-dropped', ...(isDropped ? [] : ['caches-not-dropped'])]);
  });

  it('are quiet if pages and writes are below their limits', () => {
    const first = at(100, 2048, { sda: 0, nvme0n1: 1000 });
    const second = at(102, 1024, { sda: 4 * 2048, nvme0n1: 1000, sdb: 999_999 });
    if (!first || !second) throw new Error('Both are readable.');
    expect(busyParts(undefined, first, { dirty: 2 })).toEqual([]);
    expect(busyParts(undefined, first, { dirty: 1 })).toEqual(['2.00 MiB of dirty pages, limit 1 MiB']);
    expect(busyParts(undefined, first, { writes: 1 })).toBeUndefined();
    expect(busyParts(first, second, { writes: 2 })).toEqual([]);
    expect(busyParts(first, second, { writes: 1 })).toEqual(['2.00 MiB/s of device writes, limit 1 MiB/s']);
  });

  it('are absent if unreadable', () => {
    expect(readBusy('')).toBeUndefined();
    expect(readBusy('up x\nDirty: 1 kB')).toBeUndefined();
    expect(readBusy(`up 1.5\nDirty: 1 kB\n`)).toMatchObject({ up: 1.5, dirtyBytes: 1024 });
  });

  it.each(['1', 't', 'yes', 'done', '0.5', '-1'])('treat %s as true', (value) => expect(isTrue(value)).toBe(true));
  it.each(['0', '0.0', '', 'f', 'False', 'no', 'off', '.0'])('treat “%s” as false', (value) =>
    expect(isTrue(value)).toBe(false),
  );
  it('treat null as false', () => expect(isTrue(null)).toBe(false));
});

describe('a wait', () => {
  const { signal } = new AbortController();
  let now = 0;
  const clock = { monotonic: () => (now += 1000) };
  const waiting = { clock, signal, asked: () => false, pollMs: 1 };

  it('ends when quiet, and reports how long it took', async () => {
    const answers = [undefined, ['much'], []];
    const quiet = { what: 'db1', read: async () => answers.shift() };
    expect(await untilIdle(quiet, 100, waiting)).toMatchObject([{ code: 'waited-until-quiet', severity: 'note' }]);
    expect(answers).toEqual([]);
  });

  it('ends at its time limit, and reports the remaining activity', async () => {
    const [finding] = await untilIdle({ what: 'db1', read: async () => ['much of it'] }, 3, waiting);
    expect(finding).toMatchObject({ code: 'not-quiet', severity: 'warn' });
    expect(finding?.message).toContain('although db1 was not quiet yet: much of it.');
  });

  it('ends when the user requests something', async () => {
    const asked = { ...waiting, asked: () => true };
    expect(await untilIdle({ what: 'db1', read: async () => ['much'] }, 3, asked)).toEqual([]);
  });

  it('shows bytes in MiB', () => expect(at(1, 1024, {})?.dirtyBytes).toBe(MIB));
});
