import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { IndexRecorder } from './recorder.ts';

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
