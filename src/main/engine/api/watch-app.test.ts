import { afterEach, expect, test } from 'vitest';
import type { AppEvent } from '../../../shared/contract/app.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createApi } from './index.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  while (closers.length > 0) await closers.pop()?.();
});

test('a change during the first read of a page reaches it: a login that fails at once does not stay “connecting”', {
  // A missed event may be the last.
  timeout: 20_000,
}, async () => {
  const folder = libraryFolder();
  closers.push(() => folder.remove());
  const engine = await createApi({
    ...{ dataDir: folder.path, assetsDir: '.', nodePath: process.execPath, version: '0', mode: 'test' },
    ...{ resumeSessions: false, shared: false },
    clock: { now: () => 0, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  closers.push(() => engine.close());
  const { app, hosts, targets } = engine.implementation;
  const end = new AbortController();
  closers.push(() => end.abort());
  const control = { signal: end.signal, progress: () => undefined };
  const { id } = await hosts.save(
    {
      spec: {
        ...{ kind: 'ssh', name: 'web', address: '127.0.0.1', port: 1, user: 'u', jumps: [] },
        auth: { method: 'key', keyFile: `${folder.path}/no-such-key` },
      },
    },
    control,
  );
  const events = app.watch({}, control)[Symbol.asyncIterator]();
  const logged: string[] = [];
  const read = async (): Promise<AppEvent> => {
    const { value, done } = await events.next();
    if (done) throw new Error('The news have ended.');
    if (value?.kind === 'links')
      logged.push(value.links.map(({ host, state }: { host: string; state: string }) => `${host} ${state}`).join());
    return value;
  };
  const topicsUntil = async (last: string): Promise<string[]> => {
    for (const topics: string[] = []; ; ) {
      const event = await read();
      if (event.kind === 'changed') topics.push(event.topic);
      if (topics.at(-1) === last) return topics;
    }
  };
  while ((await read()).kind !== 'links');
  // The page has its first event, and has not asked for the next.
  expect(await hosts.test({ id }, control)).toMatchObject({ result: 'failed' });
  await hosts.forgetKey({ address: '127.0.0.1', port: 1 }, control);
  expect(await topicsUntil('hosts')).toEqual(['hosts']);
  // The same holds for each kind of event: a change while an event is being read is sent again. The last of all ends the wait.
  await hosts.forgetKey({ address: '127.0.0.1', port: 1 }, control);
  const config = { path: folder.path };
  await targets.save({ spec: { name: 'disk', kind: 'storage', via: null, config } }, control);
  expect(await topicsUntil('targets')).toEqual(['hosts', 'targets']);
  expect(logged.at(-1)).toBe('web down');
});
