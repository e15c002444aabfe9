import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { carriedReading, keepClock } from './clocks.ts';

/** A host that was started at this moment of our clock, milliseconds, and whose clock was an hour and 70 ms behind when its job began. */
const BOOT = 1_700_000_000_000;
const BEHIND = 3_600_070;
const JOB = { uptime: 500, epoch: (BOOT + 500_000 - BEHIND) / 1000 };

describe('a clock that its job carries on', () => {
  it('is compared with ours by uptime, whatever is set on the host', () => {
    for (const offsetMs of [BEHIND, 0, -86_400_000]) {
      const reading = carriedReading(JOB, { offsetMs, roundTripMs: 8, bootMs: BOOT + 2 }, BOOT + 1_100_000);
      expect(reading?.offsetMs).toBeCloseTo(BEHIND + 2, 3);
      expect(reading?.errorMs).toBe(14);
      // At that second of its clock, our clock shows the moment of the reading.
      expect((reading?.t ?? 0) * 1000 + (reading?.offsetMs ?? 0)).toBeCloseTo(BOOT + 1_100_000, 3);
    }
  });

  it('shows drift as growth of its offset', () => {
    // A thousandth too fast: after 1000 s of ours its uptime has grown by a second more.
    const early = carriedReading(JOB, { offsetMs: 0, roundTripMs: 2, bootMs: BOOT }, BOOT + 500_000);
    const late = carriedReading(JOB, { offsetMs: 0, roundTripMs: 2, bootMs: BOOT - 1000 }, BOOT + 1_500_000);
    expect((late?.offsetMs ?? 0) - (early?.offsetMs ?? 0)).toBeCloseTo(-1000, 3);
  });

  it('is not used after a reboot of the host, or without an uptime', () => {
    expect(carriedReading(JOB, { offsetMs: 0, roundTripMs: 8, bootMs: BOOT + 1_000_000 }, BOOT + 1_100_000)).toBe(
      undefined,
    );
    expect(carriedReading(JOB, { offsetMs: 0, roundTripMs: 8 }, BOOT + 1_100_000)).toBeUndefined();
  });
});

describe('the clock of a source', () => {
  let folder: ReturnType<typeof libraryFolder>;
  let store: Store;
  let sourceId: number;
  beforeEach(() => {
    folder = libraryFolder();
    store = openStore(folder.path, { mode: 'test' });
    const session = store.runs.get(firstRun(store))?.sessionId ?? 0;
    sourceId = store.sources.ensure(session, { kind: 'generator', name: 'one', position: 0 }).id;
  });
  afterEach(() => {
    store.close();
    folder.remove();
  });

  it('is read repeatedly, also after failed readings, until nothing is followed', async () => {
    const over = new AbortController();
    let asked = 0;
    const warnings: string[] = [];
    const context = {
      store,
      clock: { now: () => BOOT + 600_000 + asked * 1000, monotonic: () => 0 },
      log: { debug: () => {}, info: () => {}, error: () => {}, warn: (message: string) => warnings.push(message) },
      readClock: async () => {
        asked += 1;
        if (asked === 2) throw new Error('the link is down');
        if (asked === 4) over.abort();
        return { offsetMs: 5, roundTripMs: 4, bootMs: BOOT };
      },
    };
    const machine = { name: 'one' } as Parameters<typeof keepClock>[1]['machine'];
    await keepClock(context, { machine, sourceId, clock: () => JOB, everyMs: 1 }, over.signal);
    expect(asked).toBe(4);
    expect(warnings).toHaveLength(1);
    const stored = store.sources.clocks(sourceId);
    expect(stored.map(({ offsetMs }) => offsetMs)).toEqual([expect.closeTo(BEHIND, 3), expect.closeTo(BEHIND, 3)]);
    expect(stored.map(({ t, offsetMs }) => Math.round(t * 1000 + offsetMs) - BOOT)).toEqual([601_000, 603_000]);
  });
});
