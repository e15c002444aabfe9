import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import type { ParseEvents, Parser } from '../tools/tool.ts';
import { IndexRecorder, RunRecorder } from './recorder.ts';
import { type OutputStream, SamplePlaces, zeroOfJob } from './zero.ts';

/** The tool's second 0 by its host's clock at its start, and that clock minus the uptime. Seconds. */
const ZERO = 1_700_000_000.37;
const BOOTED_AT = 1_699_990_000.2;
const SECONDS = 30;

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let run: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path, { mode: 'test' });
  run = firstRun(store);
});
afterEach(() => {
  store.close();
  folder.remove();
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const lineOf = (t: number): string => `second ${t}: ${'é'.repeat(t % 7)}\n`;
const OUTPUT = Array.from({ length: SECONDS }, (_, second) => lineOf(second + 1)).join('');

/** Reads `second N: …` and ignores lines of another stream. */
const parser =
  (stream: OutputStream) =>
  (events: ParseEvents): Parser => ({
    line: (text, from) => {
      const [, t] = /^second (\d+):/.exec(text) ?? [];
      if (t !== undefined && from === stream) events.sample({ t: Number(t), metrics: { tps: 1 } });
    },
    end: () => ({ ok: true, summary: {} }),
  });

const recorder = (stream: OutputStream = 'stdout'): RunRecorder =>
  new RunRecorder({ store, runId: run, generator: 0, makeParser: parser(stream) });

interface Looks {
  /** Reading of the host's clock at a true moment, seconds. */
  clock?: (at: number) => number;
  stream?: OutputStream;
  /** Whether the lines are those of an earlier version. */
  earlier?: boolean;
}

/** The index of a tool that prints each line a hundredth of a second after it is due. */
function look({ clock = (at) => Math.round(at * 100) / 100, stream = 'stdout', earlier = false }: Looks = {}): void {
  const index = new IndexRecorder(store, run, 0);
  for (let at = ZERO - 0.3; at < ZERO + SECONDS + 2; at += 1.094) {
    const printed = Math.max(0, Math.min(SECONDS, Math.floor(at - ZERO - 0.01)));
    const size = bytes(Array.from({ length: printed }, (_, second) => lineOf(second + 1)).join('')).length;
    const sizes = stream === 'stdout' ? [size, 0] : [0, size];
    index.push(bytes(`${clock(at)} ${(at - BOOTED_AT).toFixed(2)} ${sizes.slice(0, earlier ? 1 : 2).join(' ')}\n`));
  }
  index.flush();
}

const record = (stream: OutputStream = 'stdout'): RunRecorder => {
  const whole = bytes(OUTPUT);
  const first = recorder(stream);
  first.push(stream, 0, whole.slice(0, 200));
  first.flush();
  // Data that was not stored is lost with the recorder, as on a restart of the app.
  const second = recorder(stream);
  second.push(stream, second.wanted(stream), whole.slice(second.wanted(stream)));
  second.flush();
  return second;
};

const expectZero = (zero: ReturnType<typeof zeroOfJob>, errorMs: number): void => {
  expect(zero?.errorMs).toBeLessThanOrEqual(errorMs);
  expect(Math.abs((zero?.hostMs ?? Number.NaN) - ZERO * 1000)).toBeLessThanOrEqual(zero?.errorMs ?? 0);
};

describe('second 0 of a tool', () => {
  it('is found from recorded output, also after a restart during it', () => {
    look();
    expectZero(zeroOfJob(store, run, 0, record().places), 150);
  });

  it('is found if the tool reports on standard error', () => {
    look({ stream: 'stderr' });
    expectZero(zeroOfJob(store, run, 0, record('stderr').places), 150);
  });

  it('uses the clock at the start, however often the clock of the host is set', () => {
    const set = (at: number): number => (at > ZERO + 8 ? at - 3600 : at);
    look({ clock: (at) => Number((at > ZERO + 20 ? at + 86_400 : set(at)).toFixed(2)) });
    expectZero(zeroOfJob(store, run, 0, record().places), 150);
  });

  it('is half a second less precise if the clock has whole seconds', () => {
    look({ clock: Math.floor, earlier: true });
    const zero = zeroOfJob(store, run, 0, record().places);
    expectZero(zero, 650);
    expect(zero?.errorMs).toBeGreaterThan(500);
  });

  it('is unknown from lines of earlier versions if the tool reports on standard error, and without an index', () => {
    look({ stream: 'stderr', earlier: true });
    expect(zeroOfJob(store, run, 0, record('stderr').places)).toBeUndefined();
    expect(zeroOfJob(store, run, 1, new SamplePlaces())).toBeUndefined();
  });

  it('is found for long runs from some of their samples', () => {
    const places = new SamplePlaces();
    const clock = Array.from({ length: 20_000 }, (_, row) => ZERO - 0.3 + row * 1.094);
    for (let t = 1; t <= 20_000; t += 1) places.note('stdout', { t, end: t * 10 });
    const index = {
      epoch: Float64Array.from(clock),
      uptime: Float64Array.from(clock, (at) => at - BOOTED_AT),
      offset: Float64Array.from(clock, (at) => Math.max(0, Math.floor(at - ZERO - 0.01)) * 10),
      next: new Float64Array(clock.length),
    };
    expectZero(places.zero(index), 100);
  });
});
