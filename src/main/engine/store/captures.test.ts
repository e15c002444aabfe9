import { afterEach, beforeEach, expect, it } from 'vitest';
import { problemOf } from '../../../shared/model/problem.ts';
import { openStore } from './open.ts';
import type { NewCapture, Store } from './store.ts';
import { addRuns, libraryFolder } from './testing/library.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let runs: number[];
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  runs = addRuns(store, 2);
});
afterEach(() => {
  store.close();
  folder.remove();
});

const capture = (more: Partial<NewCapture>): NewCapture => ({
  ...{ runId: runs[0] ?? 0, name: 'x', as: 'text', moment: 'end', at: 1000.4, tookMs: 5, bytes: 5 },
  ...more,
});

it('captures are stored by run and removed with their session', () => {
  store.captures.add(
    capture({ runId: runs[1] ?? 0, t: 1.5, content: { table: { columns: ['a'], rows: [[null], ['ä']] } } }),
  );
  store.captures.add(
    capture({ content: { text: 'hello' }, left: { count: 7, unit: 'bytes' }, problem: 'It ended with 1.' }),
  );
  const sessionId = store.runs.get(runs[0] ?? 0)?.sessionId ?? 0;
  const [first, second] = store.captures.ofSession(sessionId);
  expect(first).toEqual({
    ...{ id: 2, runId: runs[0], name: 'x', as: 'text', moment: 'end', at: 1000, tookMs: 5, bytes: 5, times: 1 },
    ...{ left: { count: 7, unit: 'bytes' }, problem: 'It ended with 1.' },
  });
  expect([second?.t, second?.left, second?.problem]).toEqual([1.5, undefined, undefined]);
  expect(store.captures.content(1)).toEqual({ table: { columns: ['a'], rows: [[null], ['ä']] } });
  expect(store.captures.ofRun(runs[1] ?? 0).map(({ id }) => id)).toEqual([1]);
  expect(store.captures.bytes(sessionId)).toBe(10);
  store.sessions.remove(sessionId, 2000);
  expect(() => store.captures.content(1)).toThrow('There is no capture 1');
});

it('a file is stored byte for byte, whatever it contains', () => {
  const bytes = Uint8Array.from([0x0a, 0x00, 0xff, 0x1f, 0x8b, 0x0a, 0x7b, 0x7d, 0xe9]);
  store.captures.add(
    capture({ as: 'attachment', bytes: bytes.length, content: { file: { name: 'a trace.gz', bytes } } }),
  );
  expect(store.captures.content(1)).toEqual({ file: { name: 'a trace.gz', bytes } });
  store.captures.add(capture({ as: 'attachment', bytes: 0, problem: 'Not kept.' }));
  expect(store.captures.content(2)).toEqual({});
});

it('captures of a start replace earlier ones, and repeated reasons are stored as one with a count', () => {
  store.captures.add(capture({ moment: 'start', content: { text: 'old' } }));
  store.captures.add(capture({ moment: 'start', content: { text: 'new' } }));
  for (let count = 0; count < 3; count += 1)
    store.captures.add(capture({ moment: 'every', bytes: 0, problem: 'Not taken.' }));
  store.captures.add(capture({ moment: 'every', name: 'y', bytes: 0, problem: 'Not taken.' }));
  store.captures.add(capture({ moment: 'stall', bytes: 0, problem: 'Not taken.' }));
  const rows = store.captures.ofRun(runs[0] ?? 0).map(({ name, moment, times }) => [name, moment, times]);
  expect(rows).toEqual([
    ['x', 'start', 1],
    ['x', 'every', 3],
    ['y', 'every', 1],
    ['x', 'stall', 1],
  ]);
  const [start, later] = store.captures.ofRun(runs[0] ?? 0);
  expect(store.captures.content(start?.id ?? 0)).toEqual({ text: 'new' });
  expect(store.captures.content(later?.id ?? 0)).toEqual({});
});

it('a damaged capture is reported, and the others are read', async () => {
  store.captures.add(
    capture({ content: { text: 'a text that is long enough to be damaged somewhere in its middle' } }),
  );
  store.captures.add(capture({ content: { text: 'whole' } }));
  store.close();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${folder.path}/library.db`);
  const data = db.prepare<[], Buffer>('SELECT data FROM capture WHERE id = 1').pluck().get() ?? Buffer.alloc(0);
  data[20] = (data[20] ?? 0) ^ 1;
  db.prepare('UPDATE capture SET data = ? WHERE id = 1').run(data);
  db.close();
  store = openStore(folder.path);
  try {
    store.captures.content(1);
    throw new Error('It was read.');
  } catch (error) {
    expect(problemOf(error)).toMatchObject({ code: 'store-corrupt', message: expect.stringContaining('is damaged') });
  }
  expect(store.captures.content(2)).toEqual({ text: 'whole' });
});
