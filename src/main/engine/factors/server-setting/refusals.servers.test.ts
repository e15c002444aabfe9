import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  lacksClickHouse,
  lacksGo,
  startClickHouse,
  startFerretDb,
} from '../../../../../e2e/testbed/databases/index.ts';
import { createServersBed } from '../../servers/testing/bed.ts';
import { problemOf } from '../../targets/testing/servers.ts';
import { settingChanger } from './changer.ts';
import { sessionOn } from './testing/bed.ts';

describe.skipIf(lacksGo())('settings of FerretDB', () => {
  let server: Awaited<ReturnType<typeof startFerretDb>>;
  beforeAll(async () => {
    server = await startFerretDb();
  });
  afterAll(() => server?.stop());

  test('cannot be changed, with the reason and a remedy', async () => {
    const bed = createServersBed();
    const { address, port, user, password, database } = server;
    const config = { url: `mongodb://${address}:${port}/`, user, database };
    bed.save({ name: 'ferret', kind: 'mongodb', config }, password, { host: 'db1' });
    const { at, setting, reach } = sessionOn(bed, 'ferret');
    const desired = [setting('cursorTimeoutMillis', '1000')];
    const [examined] = await settingChanger.examine(at, desired);
    expect(examined?.findings).toMatchObject([
      {
        severity: 'block',
        message: 'FerretDB has no setParameter: none of its settings can be changed while it runs.',
        next: 'Start the server with each value, and vary the target.',
      },
    ]);
    expect(await problemOf(reach(settingChanger, desired))).toMatchObject({
      code: 'change-not-possible',
      message: expect.stringContaining('FerretDB has no setParameter'),
    });
    const refused = at.connected(async (session) => {
      const control = await session.settingsControl?.();
      await control?.set(new Map([['cursorTimeoutMillis', '1000']]));
    });
    expect(await problemOf(refused)).toMatchObject({
      code: 'change-refused',
      message: expect.stringMatching(/“cursorTimeoutMillis”: .*setParameter/),
    });
  });
});

describe.skipIf(lacksClickHouse())('settings of ClickHouse', () => {
  let server: Awaited<ReturnType<typeof startClickHouse>>;
  beforeAll(async () => {
    server = await startClickHouse();
  }, 600_000);
  afterAll(() => server?.stop());

  test('are not changed, with a remedy', async () => {
    const bed = createServersBed();
    const { address, port, user, password, database } = server;
    bed.save({ name: 'house', kind: 'clickhouse', config: { address, port, user, database } }, password, {
      host: 'db1',
    });
    const { at, setting } = sessionOn(bed, 'house');
    const [examined] = await settingChanger.examine(at, [setting('max_threads', '2')]);
    expect(examined?.findings).toMatchObject([
      { severity: 'block', message: 'Kneepoint does not change settings of ClickHouse servers.' },
    ]);
    expect(await problemOf(settingChanger.read(at, [setting('max_threads', '2')]))).toMatchObject({
      code: 'change-not-possible',
    });
  });
});
