import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  type MySqlVersion,
  runSql,
  startMySql,
} from '../../../../../e2e/testbed/databases/index.ts';
import type { ServerSetting } from '../../../../shared/model/target-details.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { openServer } from '../testing/servers.ts';
import { mysqlTarget } from './index.ts';
import { inVersion, MYSQL_CHANGES, MYSQL_DEFAULTS, sinceVersion } from './variables.ts';

const VERSIONS: readonly MySqlVersion[] = ['5.6.24', '5.7.22', '8.0.12', '8.0.33'];
/** Variables that the test bed sets on every server, other than its location. */
const GIVEN = ['init_file', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'max_connections', 'server_id'];
/** Variables set only on some servers, and those that may be refused on a machine with many servers. */
const GIVEN_TO_SOME = ['default_authentication_plugin', 'skip_name_resolve', 'innodb_use_native_aio'];

describe.each(byDay(VERSIONS, (version) => version === '8.0.33'))('the variables of MySQL %s', (version) => {
  let server: DatabaseServer;
  let settings: ServerSetting[];
  let shown: Map<string, string>;
  beforeAll(async () => {
    server = await startMySql(version, { settings: { server_id: 7, performance_schema: 'ON' } });
    const session = await openServer(mysqlTarget, server);
    settings = await session.settings();
    shown = new Map((await session.describe()).settings.map(({ name, value }) => [name, value]));
    await session.close();
  });
  afterAll(() => server.stop());

  test('are read-only exactly if the server refuses to set them', async () => {
    const refusal = (name: string) =>
      runSql(server, [`SET GLOBAL \`${name}\` = @@GLOBAL.\`${name}\``]).then(
        () => '',
        (error: unknown) => String(error),
      );
    for (const { name, change } of settings) {
      const refused = await refusal(name);
      expect({ name, readOnly: /read only variable/.test(refused) }).toEqual({
        name,
        readOnly: change === 'restart' || change === 'fixed',
      });
    }
  });

  test('that are important are shown once with the value in effect', () => {
    expect([...shown.keys()].filter((name) => /^(tx|transaction)_isolation$/.test(name))).toHaveLength(1);
    expect(shown.has('query_cache_type')).toBe(version.startsWith('5.'));
    // Two log files of 16 MiB were configured, and no capacity.
    if (version === '8.0.33') expect(shown.get('Innodb_redo_log_capacity_resized')).toBe(String(32 * 2 ** 20));
  });

  test('have the documented defaults if not configured', () => {
    const known = settings.flatMap(({ name, value }) => {
      const standard = inVersion(MYSQL_DEFAULTS, name, version);
      return standard === undefined ? [] : [{ name, value, standard }];
    });
    expect(known.length).toBeGreaterThan(300);
    const changed = known.filter(({ value, standard }) => value !== standard).map(({ name }) => name);
    expect(changed.filter((name) => !GIVEN_TO_SOME.includes(name)).sort()).toEqual(GIVEN);
    for (const name of changed) expect(settings.find((each) => each.name === name)?.default).toBeDefined();
  });
});

describe('an unknown version', () => {
  test('has the values that its neighbours in the series agree on', () => {
    expect(inVersion(MYSQL_DEFAULTS, 'max_connections', '8.0.20')).toBe('151');
    expect(inVersion(MYSQL_DEFAULTS, 'slave_parallel_workers', '8.0.20')).toBeUndefined();
    expect(inVersion(MYSQL_DEFAULTS, 'slave_parallel_workers', '8.0.43')).toBe('4');
    expect(inVersion(MYSQL_DEFAULTS, 'sync_binlog', '5.6.51-log')).toBe('0');
    expect(inVersion(MYSQL_DEFAULTS, 'sync_binlog', '5.7.44')).toBe('1');
    expect(inVersion(MYSQL_CHANGES, 'innodb_doublewrite', '8.0.3')).toBe('restart');
    expect(inVersion(MYSQL_CHANGES, 'innodb_doublewrite', '8.0.20')).toBeUndefined();
  });

  test('has no defaults of another series, and none before 5.6', () => {
    for (const version of ['5.5.9', '8.4.3', '9.0.0'])
      expect(inVersion(MYSQL_DEFAULTS, 'max_connections', version)).toBeUndefined();
    expect(sinceVersion(MYSQL_CHANGES, 'max_connections', '5.5.9')).toBeUndefined();
  });

  test('has the effects of the newest version if it is newer', () => {
    expect(sinceVersion(MYSQL_CHANGES, 'innodb_doublewrite', '9.4.0')).toBe('dynamic');
    expect(sinceVersion(MYSQL_CHANGES, 'innodb_page_size', '8.4.3-3')).toBe('restart');
    expect(sinceVersion(MYSQL_CHANGES, 'no_such_variable', '8.4.3')).toBeUndefined();
  });
});
