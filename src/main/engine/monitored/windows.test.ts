import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { momentOf, toLocalTimes } from '../../../shared/monitoring/index.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { addRuns, libraryFolder } from '../store/testing/library.ts';
import { windowOf } from './series-in.ts';

const SEED = 20_261_123;
const EPOCH = 1_800_000_000_000;
/** Between two readings of a clock in a run, seconds. */
const EVERY = 600;

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** A host whose clock gains on ours, and is set before each run. Milliseconds. */
interface World {
  ppm: number;
  setBy: number[];
  /** Largest error of a reading. */
  errorMs: number;
}

describe(`runs on a host whose clock drifts and is set between runs (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const between = (from: number, to: number): number => from + random() * (to - from);
  const worlds = Array.from(
    { length: 40 },
    (): World => ({
      ppm: between(-150, 150),
      errorMs: between(2, 40),
      setBy: Array.from({ length: 3 }, () =>
        random() < 0.4 ? 0 : (random() < 0.2 ? -1 : 1) * between(2000, 4_000_000),
      ),
    }),
  );

  it('are placed correctly at both ends, whether an hour or a minute long', () => {
    for (const { ppm, setBy, errorMs } of worlds) {
      const seconds = random() < 0.7 ? 3600 : 60;
      const uuid = `world-${ppm}`;
      const ids = addRuns(store, setBy.length, uuid);
      const sessionId = store.runs.get(ids[0] ?? 0)?.sessionId ?? 0;
      const source = store.sources.ensure(sessionId, { kind: 'generator', name: 'gen', position: 0 }).id;
      const rate = 1 + ppm * 1e-6;
      let [ours, ahead] = [EPOCH + between(0, 1e6), between(-1e4, 1e4)];
      const truth: { zero: number; host: (second: number) => number }[] = [];
      for (const [index, id] of ids.entries()) {
        ahead += setBy[index] ?? 0;
        const [zero, first] = [ours, ahead];
        /** The host's clock at a moment of ours, in this run. */
        const atHost = (at: number): number => zero + first + (at - zero) * rate;
        const read = (at: number): void => {
          const clockError = between(-errorMs, errorMs);
          store.sources.addClock(source, {
            t: (atHost(at) + clockError) / 1000,
            offsetMs: at - atHost(at) - clockError,
            errorMs,
          });
        };
        const clockError = between(-errorMs, errorMs);
        store.sources.addClock(source, { t: atHost(zero) / 1000, offsetMs: -ahead + clockError, errorMs });
        for (let at = EVERY; at < seconds; at += EVERY) read(zero + at * 1000);
        store.runs.update(id, {
          ...{
            state: 'done',
            startedAt: Math.floor(zero - 200),
            endedAt: Math.ceil(zero + (seconds * 1000) / rate + 5000),
          },
          jobs: [{ host: 'gen', jobId: `${uuid}-${index}`, zero: { hostMs: atHost(zero), errorMs: 0 } }],
        });
        truth.push({ zero, host: (second) => atHost(zero) + second * 1000 });
        const end = zero + (seconds * 1000) / rate;
        ahead = atHost(end) - end;
        ours = end + between(3000, 300_000);
        ahead += (ours - end) * ppm * 1e-6;
      }
      for (const [index, id] of ids.entries()) {
        const run = store.runs.get(id);
        const { zero = Number.NaN, host = () => Number.NaN } = truth[index] ?? {};
        const window = run && windowOf(store, { ...run, warmup: 10, duration: seconds - 10 });
        if (!window) throw new Error('The run has begun.');
        const where = `${ppm} ppm, errors of ${errorMs} ms, run ${index} of ${seconds} s, clock set by ${setBy}`;
        /** Beyond the last reading, the pace stays as it was; a gain that readings cannot distinguish counts as none. */
        const allowed = 4 * errorMs + EVERY * Math.abs(ppm) * 1e-3 + 1;
        expect(Math.abs(window.zero - zero), where).toBeLessThanOrEqual(errorMs + 0.01);
        for (const second of [10, seconds / 2, seconds]) {
          const at = zero + (second * 1000) / rate;
          expect(Math.abs(momentOf(window, second) - at), `${where}, second ${second}`).toBeLessThanOrEqual(allowed);
          // Samples by the same clock align with the tool's, unless a time of the clock occurs twice.
          if (setBy.some((ms) => ms < 0)) continue;
          const [sampleAt = Number.NaN] = toLocalTimes(
            store.sources.clocks(source),
            Float64Array.of(host(second) / 1000),
          );
          expect(Math.abs(sampleAt - at), `${where}, sample at ${second}`).toBeLessThanOrEqual(allowed);
        }
        expect(window.to).toBe(momentOf(window, seconds));
      }
    }
  });

  it('continue at the observed rate after readings end, with a wider error', () => {
    const seconds = 3600;
    const uuid = 'early';
    const [id = 0] = addRuns(store, 1, uuid);
    const sessionId = store.runs.get(id)?.sessionId ?? 0;
    const source = store.sources.ensure(sessionId, { kind: 'generator', name: 'gen', position: 0 }).id;
    const [rate, errorMs] = [1 - 100e-6, 5];
    // It loses 100 ms in 1,000 s against ours, with no readings after that.
    for (const at of [0, 500, 1000])
      store.sources.addClock(source, {
        t: (EPOCH + at * 1000 * rate) / 1000,
        offsetMs: at * 1000 * (1 - rate),
        errorMs,
      });
    store.runs.update(id, {
      ...{ state: 'done', startedAt: EPOCH, endedAt: EPOCH + 2 * seconds * 1000, warmup: 0, duration: seconds },
      jobs: [{ host: 'gen', jobId: uuid, zero: { hostMs: EPOCH, errorMs: 0 } }],
    });
    const run = store.runs.get(id);
    const window = run && windowOf(store, run);
    if (!window) throw new Error('There is no window.');
    const truth = EPOCH + (seconds * 1000) / rate;
    expect(Math.abs(window.to - truth)).toBeLessThan(5);
    expect(window.errorMs).toBeGreaterThan(2 * errorMs);
    expect(Math.abs(window.to - truth)).toBeLessThanOrEqual(window.errorMs ?? 0);
  });
});
