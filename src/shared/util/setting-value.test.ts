import { describe, expect, it } from 'vitest';
import { holdsSecret, isSameSetting, settingMeasure } from './setting-value.ts';

describe('values of a setting', () => {
  it.each([
    ['128M', '134217728'],
    ['128MB', '134217728'],
    ['1G', '1024MB'],
    ['1.5GB', '1536MB'],
    ['8kB', '8192'],
    ['on', '1'],
    ['ON', 'yes'],
    ['false', 'OFF'],
    ['row', 'ROW'],
    ['5min', '300s'],
    ['1h', '60min'],
    ['0', '0ms'],
    ['0.90', '0.9'],
    ['10', '10.000000'],
    ['-1', '-1'],
    ['STRICT_ALL_TABLES, NO_ZERO_DATE', 'NO_ZERO_DATE,STRICT_ALL_TABLES'],
    ['mrr=on', 'index_merge=on,mrr=on,mrr_cost_based=off'],
    ['', ''],
  ])('are equal: “%s” and “%s”', (wanted, found) => {
    expect(isSameSetting(wanted, found)).toBe(true);
  });

  it.each([
    ['128M', '128'],
    ['100M', '134217728'],
    ['300', '5min'],
    ['300', '300s'],
    ['1s', '1000000'],
    ['on', '2'],
    ['2', 'ON'],
    ['1', 'off'],
    ['fsync', 'O_DIRECT'],
    ['mrr=on', 'index_merge=on,mrr=off'],
    ['a', 'a,b'],
    ['a,b', 'a'],
    ['', '0'],
    ['session', 'transaction'],
  ])('differ: “%s” and “%s”', (wanted, found) => {
    expect(isSameSetting(wanted, found)).toBe(false);
  });

  it('distinguish sizes from times', () => {
    expect(settingMeasure('1m')).toEqual({ of: 'bytes', amount: 2 ** 20 });
    expect(settingMeasure('1min')).toEqual({ of: 'time', amount: 6e7 });
    expect(settingMeasure('O_DIRECT')).toBeUndefined();
  });
});

describe('a secret', () => {
  it.each([
    ['primary_conninfo', ''],
    ['report_password', ''],
    ['wsrep_sst_auth', ''],
    ['net.tls.certificateKeyFilePassword', ''],
    ['restore_command', 'push --password=hunter22 %p'],
    ['archive_command', 'curl ftp://me:hunter22@far/'],
  ])('is detected in %s = “%s”', (name, value) => {
    expect(holdsSecret(name, value)).toBe(true);
  });

  it.each([
    'password_encryption',
    'old_passwords',
    'work_mem',
    'innodb_flush_method',
    'disconnect_on_expired_password',
  ])('is not assumed in %s', (name) => {
    expect(holdsSecret(name, 'on')).toBe(false);
  });
});
