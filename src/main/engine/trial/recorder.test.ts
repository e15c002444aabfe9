import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder, SESSION } from '../store/testing/library.ts';
import type { ParseEvents, Parser } from '../tools/tool.ts';
import { IndexRecorder, RunRecorder } from './recorder.ts';

/** One sample per line `t value` on standard output; anything else is unparsed. */
const makeParser = (events: ParseEvents): Parser => {
  let lines = 0;
  return {
    line(text, stream, cut) {
      lines++;
      const match = /^(\d+) (\d+)$/.exec(text);
      if (match && stream === 'stdout' && !cut)
        events.sample({ t: Number(match[1]), metrics: { ops: Number(match[2]) } });
      else events.unparsed(text);
    },
    end: () => ({ ok: true, summary: { lines } }),
  };
};

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let runId: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  const session = store.sessions.insert(SESSION, [
    { trial: 0, cell: 0, repeat: 0, levels: {}, warmup: 0, duration: 10 },
  ]);
  runId = store.runs.ofSession(session.id)[0]?.id ?? 0;
});
afterEach(() => {
  store.close();
  folder.remove();
});

const recorder = () => new RunRecorder({ store, runId, generator: 0, makeParser });
const bytes = (text: string) => new TextEncoder().encode(text);
const stored = () => [...(store.samples.series(runId, 'ops')[0]?.v ?? [])];

it('stores every line once, however the output is split and the recorder restarted', () => {
  const lines = Array.from({ length: 400 }, (_, i) => `${i + 1} ${(i * 7919) % 1000}`);
  const output = bytes(`${lines.join('\n')}\n`);
  let seed = 12345;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  let current = recorder();
  while (current.wanted('stdout') < output.length) {
    const from = current.wanted('stdout');
    current.push('stdout', from, output.slice(from, from + 1 + random(60)));
    const what = random(10);
    if (what < 4) current.flush();
    // Bytes received but not committed are lost with the recorder, and fetched again from the stored offset.
    else if (what === 4) current = recorder();
  }
  const outcome = current.finish({ code: 0 });
  expect(outcome.summary.lines).toBe(400);
  expect(stored()).toEqual(lines.map((line) => Number(line.split(' ')[1])));
  expect(Buffer.from(store.samples.raw(runId, 0, 'stdout'))).toEqual(Buffer.from(output));
});

it('stores the bytes of an unfinished last line, but no sample', () => {
  const current = recorder();
  current.push('stdout', 0, bytes('1 10\n2 2'));
  current.finish({ code: 137, signal: 'SIGKILL' });
  expect(stored()).toEqual([10]);
  expect(current.unparsed).toEqual(['2 2']);
  expect(Buffer.from(store.samples.raw(runId, 0, 'stdout')).toString()).toBe('1 10\n2 2');
});

it('refuses output that does not continue at the end of the stored output', () => {
  const current = recorder();
  current.push('stdout', 0, bytes('1 10\n'));
  current.flush();
  expect(() => current.push('stdout', 9, bytes('3 30\n'))).toThrow(/stdout arrived at byte 9, but byte 5/);
  expect(stored()).toEqual([10]);
});

it('stores both streams separately and byte for byte, with carriage returns and bytes that are not text', () => {
  const noise = Uint8Array.of(0xff, 0xfe, 0x00, 0x0d, 0x0a);
  const current = recorder();
  current.push('stderr', 0, noise);
  current.push('stdout', 0, bytes('1 10\r\n'));
  current.flush();
  current.finish({ code: 0 });
  expect(stored()).toEqual([10]);
  expect([...store.samples.raw(runId, 0, 'stderr')]).toEqual([...noise]);
});

it('splits an endless line into pieces instead of holding it in memory', () => {
  const current = recorder();
  const long = bytes('x'.repeat(200_000));
  current.push('stdout', 0, long);
  current.flush();
  expect(current.pendingBytes).toBeLessThan(70_000);
  current.push('stdout', 200_000, bytes('\n1 10\n'));
  current.finish({ code: 0 });
  expect(stored()).toEqual([10]);
  expect(store.samples.rawSize(runId, 0, 'stdout')).toBe(200_006);
});

/** Holds each sample back until the next line, as the parser of a tool that prints more of a second on the following line. */
const makeHolding = (events: ParseEvents): Parser => {
  let held: number | undefined;
  const letGo = (): void => {
    if (held !== undefined) events.sample({ t: held, metrics: { ops: held * 10 } });
    held = undefined;
  };
  return {
    line(text) {
      letGo();
      held = Number(text);
    },
    end() {
      letGo();
      return { ok: true, summary: {} };
    },
  };
};
const holding = () => new RunRecorder({ store, runId, generator: 0, makeParser: makeHolding });

it('stores a sample that the parser emits at the end once, also when restarted after the end', () => {
  const current = holding();
  current.push('stdout', 0, bytes('1\n2\n'));
  current.flush();
  expect(stored()).toEqual([10]);
  current.push('stdout', 4, bytes('3\n'));
  current.finish({ code: 0 });
  expect(stored()).toEqual([10, 20, 30]);
  holding().finish({ code: 0 });
  expect(stored()).toEqual([10, 20, 30]);
});

it('reports more stored samples than the output contains', () => {
  const batch = { runId, generator: 0, stream: 'stdout' as const, offset: 0, bytes: bytes('1\n') };
  store.samples.ingest({ ...batch, samples: [1, 2, 3].map((t) => ({ t, metrics: { ops: t } })) });
  expect(() => holding().finish({ code: 0 })).toThrow(/parses to 1 samples, but 3 are stored/);
  const continued = holding();
  continued.push('stdout', 2, bytes('2\n'));
  expect(() => continued.flush()).toThrow(/parses to 1 samples, but 3/);
});

describe('the index of an output', () => {
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
  const output = (text: string): void =>
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: store.samples.offset(run, 0, 'stdout'),
      bytes: bytes(text),
      samples: [],
    });
  const LINES = ['1700000001 12.50 0\n', '1700000002 13.51 40\n', '1700000003 14.52 80\n'];
  const WHOLE = LINES.join('');

  it('stores every line once, however the file is split and the reader restarted', () => {
    const whole = bytes(WHOLE);
    for (let size = 1; size <= whole.length; size += 5) {
      const fresh = firstRunOf(size);
      let recorder = new IndexRecorder(store, fresh, 0);
      for (let turn = 0; recorder.wanted < whole.length; turn++) {
        recorder.push(whole.slice(recorder.wanted, recorder.wanted + size));
        recorder.flush();
        // An incomplete line is discarded with the recorder, and is requested again.
        if (turn % 2 === 0 && size > 25) recorder = new IndexRecorder(store, fresh, 0);
      }
      const { epoch, uptime, offset } = store.samples.index(fresh, 0);
      expect([...epoch], `pieces of ${size}`).toEqual([1_700_000_001, 1_700_000_002, 1_700_000_003]);
      expect([...uptime]).toEqual([12.5, 13.51, 14.52]);
      expect([...offset]).toEqual([0, 40, 80]);
    }
  });

  const firstRunOf = (size: number): number => {
    const { sessionId } = store.runs.get(run) ?? { sessionId: 0 };
    const { snapshot } = { snapshot: store.sessions.snapshot(sessionId) };
    const session = store.sessions.insert({ uuid: `of ${size}`, state: 'running', tags: [], createdAt: 0, snapshot }, [
      { trial: 0, cell: 0, repeat: 0, levels: {}, warmup: 0, duration: 1 },
    ]);
    return store.runs.ofSession(session.id)[0]?.id ?? 0;
  };

  it('reports the host time of the received output', () => {
    const recorder = new IndexRecorder(store, run, 0);
    recorder.push(bytes(WHOLE));
    expect(recorder.flush()).toBeCloseTo(1_700_000_001, 6);
    output('x'.repeat(79));
    // The clock of the host was set back an hour meanwhile, which changes nothing.
    recorder.push(bytes('1699996404 15.53 79\n1699996405 16.54 200\n'));
    expect(recorder.flush()).toBeCloseTo(1_700_000_004.03, 6);
    expect(recorder.flush()).toBeUndefined();
  });

  it('stores the bytes of both streams, and of lines with one stream only', () => {
    const recorder = new IndexRecorder(store, run, 0);
    const lines = '1700000001.25 12.50 0 17\n1700000002.34 13.59 40 90\n';
    recorder.push(bytes(lines));
    recorder.flush();
    const { epoch, offset, err } = store.samples.index(run, 0);
    expect([...epoch]).toEqual([1_700_000_001.25, 1_700_000_002.34]);
    expect([...offset]).toEqual([0, 40]);
    expect([...(err ?? [])]).toEqual([17, 90]);
    expect(new IndexRecorder(store, run, 0).wanted).toBe(lines.length);
    const old = firstRunOf(1);
    const earlier = new IndexRecorder(store, old, 0);
    earlier.push(bytes(WHOLE));
    earlier.flush();
    expect(store.samples.index(old, 0).err).toBeUndefined();
  });

  it('continues after an unreadable line', () => {
    const recorder = new IndexRecorder(store, run, 0);
    recorder.push(bytes(`no numbers\n${LINES[0]}`));
    recorder.flush();
    expect([...store.samples.index(run, 0).epoch]).toEqual([1_700_000_001]);
    expect(new IndexRecorder(store, run, 0).wanted).toBe('no numbers\n'.length + (LINES[0]?.length ?? 0));
  });
});
