import { describe, expect, it } from 'vitest';
import { changedSettings, everySetting, isChanged, shortDifferences } from './settings.ts';

const setting = (name: string, value: string, standard?: string, source?: string) => ({
  ...{ name, value },
  ...(standard !== undefined && { default: standard }),
  ...(source !== undefined && { source }),
});

describe('a changed setting', () => {
  it.each([
    ['MariaDB, from a file', setting('max_connections', '500', '151', 'config'), true],
    ['MariaDB, as built', setting('innodb_doublewrite', 'ON', 'ON', 'compile-time'), false],
    ['MariaDB, sized by the server', setting('thread_cache_size', '151', '256', 'auto'), true],
    ['MariaDB, sized when built', setting('innodb_io_capacity_max', '2000', '4294967295', 'compile-time'), false],
    ['MariaDB, told by the system', setting('hostname', 'db-a', undefined, 'compile-time'), false],
    ['MySQL tells no default of a chosen value', setting('sync_binlog', '0', undefined, 'global'), true],
    ['MySQL, as built', setting('sync_binlog', '1', '1', 'compiled'), false],
    ['PostgreSQL, file', setting('shared_buffers', '268435456', '134217728', 'configuration file'), true],
    ['PostgreSQL, file with the default', setting('max_connections', '100', '100', 'configuration file'), false],
    [
      'PostgreSQL, waiting',
      setting('ssl_crl', 'x', undefined, 'configuration file, changed since: waits for a restart'),
      true,
    ],
    ['PostgreSQL, our own connection', setting('client_encoding', 'UTF8', 'SQL_ASCII', 'client'), false],
    ['PostgreSQL, place', setting('data_directory', '/srv/pg', undefined, 'override'), false],
    ['MongoDB, option', setting('storage.syncPeriodSecs', '30', undefined, 'command line or file'), true],
    ['MongoDB, parameter', setting('logLevel', '0', undefined, 'parameter'), false],
    ['nothing told', setting('query_cache_size', '0'), false],
  ])('%s', (_, known, changed) => expect(isChanged(known)).toBe(changed));
});

describe('all settings of a target', () => {
  const description = {
    ...{ product: 'PostgreSQL', version: '17.5', readAt: 0 },
    settings: [
      { name: 'shared_buffers', value: '256MB', why: 'Data beyond it is read from the disk.' },
      { name: 'tls', value: 'none', why: 'Encryption costs.' },
    ],
    middleware: { product: 'PgBouncer', settings: [{ name: 'pool_mode', value: 'transaction' }] },
  };
  const list = [
    { ...setting('port', '5433', '5432', 'command line') },
    { ...setting('shared_buffers', '268435456', '134217728', 'configuration file'), unit: 'bytes' },
    { ...setting('work_mem', '8388608', '4194304', 'configuration file'), unit: 'bytes' },
    { ...setting('jit', 'on', 'on', 'default') },
  ];

  it('start with those that matter, each once, with all known facts', () => {
    const settings = everySetting(description, list);
    expect(settings.map(({ name }) => name)).toEqual([
      ...['shared_buffers', 'tls', 'PgBouncer pool_mode'],
      ...['port', 'work_mem', 'jit'],
    ]);
    expect(settings[0]).toEqual({ ...list[1], why: 'Data beyond it is read from the disk.' });
    expect(everySetting(undefined)).toEqual([]);
  });

  it('that changed are sorted: those that matter, others, startup options', () => {
    expect(changedSettings(everySetting(description, list)).map(({ name }) => name)).toEqual([
      ...['shared_buffers', 'work_mem', 'port'],
    ]);
  });
});

describe('differences in a text', () => {
  const difference = (name: string, rank: 'matters' | 'other' | 'start') => ({ name, baseline: '1', other: '2', rank });

  it('are shortened, but never those that matter, and the number omitted is stated', () => {
    const matters = Array.from({ length: 50 }, (_, index) => difference(`m${index}`, 'matters'));
    const others = Array.from({ length: 140 }, (_, index) => difference(`o${index}`, 'other'));
    const starts = [difference('datadir', 'start'), difference('port', 'start')];
    const { listed, sentences } = shortDifferences([...matters, ...others, ...starts]);
    expect(listed).toEqual([...matters, ...others.slice(0, 40)]);
    expect(sentences).toEqual(['100 more differ; see the comparison in the app.', 'Always different: datadir, port.']);
    expect(shortDifferences(matters)).toEqual({ listed: matters, sentences: [] });
  });
});
