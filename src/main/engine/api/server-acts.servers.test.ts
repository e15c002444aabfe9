import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { problemFrom } from '../hosts/testing/library.ts';
import { temporaryFolder } from '../store/testing/library.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

let folder: ReturnType<typeof temporaryFolder>;
let api: OpenApi;
beforeEach(async () => {
  folder = temporaryFolder();
  api = await openApi(folder.path);
});
afterEach(async () => {
  await api.close();
  folder.remove();
});
const file = (name: string): string => join(folder.path, name);

test('a restart continues after its page is closed and blocks other actions meanwhile', async () => {
  const { client, kill } = api.page();
  const [up, started, stopping, going] = ['up', 'started', 'stopping', 'going'].map(file);
  const control = {
    kind: 'commands' as const,
    start: `touch ${up} ${started}`,
    // Runs until the test releases it.
    stop: `touch ${stopping}; until [ -f ${going} ]; do sleep 0.1; done; rm -f ${up}`,
    status: `[ -f ${up} ]`,
  };
  const { id } = await client.targets.save({
    spec: {
      name: 'pg',
      kind: 'postgres',
      via: null,
      config: { address: '127.0.0.1', port: 1, user: 'u', database: 'd' },
      server: { host: LOCAL_HOST_NAME, control, limitSeconds: 20 },
    },
  });
  writeFileSync(file('up'), '');
  const restarted = problemFrom(client.targets.restartServer({ id }));
  await expect.poll(() => existsSync(file('stopping'))).toBe(true);
  kill();
  expect((await restarted).code).toBe('disconnected');
  const other = api.page();
  expect(await problemFrom(other.client.targets.startServer({ id }))).toMatchObject({
    code: 'conflict',
    message: 'The server of target “pg” is already being started or stopped.',
  });
  writeFileSync(file('going'), '');
  await expect.poll(() => existsSync(file('started'))).toBe(true);
});
