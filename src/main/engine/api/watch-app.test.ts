import { afterEach, expect, test } from 'vitest';
import type { AppEvent } from '../../../shared/contract/app.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createApi } from './index.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  while (closers.length > 0) await closers.pop()?.();
});

test('what changes while a page reads the news reaches it: a login that fails at once does not stay “connecting”', async () => {
  const folder = libraryFolder();
  closers.push(() => folder.remove());
  const engine = await createApi({
    ...{ dataDir: folder.path, assetsDir: '.', nodePath: process.execPath, version: '0', mode: 'test' },
    ...{ resumeSessions: false, beside: false },
    clock: { now: () => 0, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  closers.push(() => engine.close());
  const { app, hosts } = engine.implementation;
  const end = new AbortController();
  closers.push(() => end.abort());
  const control = { signal: end.signal };
  const { id } = await hosts.save(
    {
      spec: {
        ...{ kind: 'ssh', name: 'web', address: '127.0.0.1', port: 1, user: 'u', jumps: [] },
        auth: { method: 'key', keyFile: `${folder.path}/no-such-key` },
      },
    },
    control,
  );
  const news = app.watch({}, control)[Symbol.asyncIterator]();
  const told: string[] = [];
  const read = async (): Promise<AppEvent> => {
    const { value, done } = await news.next();
    if (done) throw new Error('The news have ended.');
    if (value?.kind === 'links')
      told.push(value.links.map(({ host, state }: { host: string; state: string }) => `${host} ${state}`).join());
    return value;
  };
  while ((await read()).kind !== 'links');
  // The page has its first news in hand, and has not asked for the next.
  expect(await hosts.test({ id }, control)).toMatchObject({ result: 'failed' });
  while (told.at(-1) !== 'web down') await read();
  // So it is with each kind of news: what is told again while it is being read is told again.
  await hosts.forgetKey({ address: '127.0.0.1', port: 1 }, control);
  const isHosts = (event: AppEvent): boolean => event.kind === 'changed' && event.topic === 'hosts';
  while (!isHosts(await read()));
  await hosts.forgetKey({ address: '127.0.0.1', port: 1 }, control);
  while (!isHosts(await read()));
});
