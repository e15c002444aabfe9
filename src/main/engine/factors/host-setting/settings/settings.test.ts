import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SETTINGS, settingNamed } from './index.ts';
import { type HostSetting, type Reading, readPrinted } from './setting.ts';

const named = (name: string): HostSetting => {
  const setting = settingNamed(name);
  if (!setting) throw new Error(`There is no ${name}.`);
  return setting;
};
const read = (name: string, printed: string, of = ''): Reading | undefined =>
  named(name).read(readPrinted(printed), of);
const codes = (name: string, desired: string, printed: string, of = ''): string[] => {
  const reading = read(name, printed, of);
  if (!reading) throw new Error('Nothing was read.');
  return (named(name).judge?.(desired, reading, of) ?? []).map(({ code }) => code);
};

describe('output of hosts', () => {
  it.each<[string, string, string | undefined]>([
    ['sysctl', 'value 60', '60'],
    ['sysctl', 'value 4096\t131072\t33554432', '4096 131072 33554432'],
    ['sysctl', 'value ', ''],
    ['sysctl', 'value a\nvalue b', 'a\nb'],
    ['transparent-hugepages', 'value always [madvise] never', 'madvise'],
    ['transparent-hugepages', 'value always madvise never', undefined],
    ['transparent-hugepages', 'value [always] [never]', undefined],
    ['transparent-hugepages-defrag', 'value always defer [defer+madvise] madvise never', 'defer+madvise'],
    ['huge-pages', 'value 128', '128'],
    ['huge-pages', 'value many', undefined],
    ['io-scheduler', 'value none [mq-deadline] kyber bfq\nbelow ', 'mq-deadline'],
    ['io-scheduler', 'value none\nbelow sda sdb', 'none'],
    ['read-ahead', 'value 128', '128'],
    ['read-ahead', 'value -1', undefined],
    ['cpu-governor', 'value cpu0=powersave\nvalue cpu1=powersave', 'powersave'],
    ['cpu-governor', 'value cpu0=powersave\nvalue cpu1=performance', 'cpu0=powersave cpu1=performance'],
    ['cpu-governor', 'value cpu0/../../../etc=powersave', undefined],
    ['cpu-boost', 'value on', 'on'],
    ['smt', 'value notsupported', undefined],
    ['nic-rate', 'queue qdisc noqueue 0: root refcnt 2 ', 'none'],
    ['nic-rate', 'queue qdisc mq 0: root \nqueue qdisc fq_codel 0: parent :1 limit 10240p', 'none'],
    ['nic-rate', 'queue qdisc tbf 4b70: root refcnt 3 rate 1Gbit burst 1250000b lat 50ms ', '1gbit'],
    ['nic-rate', 'queue qdisc htb 1: root refcnt 2 r2q 10', 'htb 1:'],
    ['nic-rate', 'queue qdisc tbf 1: root refcnt 2 rate 5Mbit', 'tbf 1:'],
    ['nic-rate', 'queue qdisc tbf 4b70: root refcnt 2 rate fast', undefined],
    [
      'nic-speed',
      'line Settings for eth0:\nline \tSpeed: 1000Mb/s\nline \tDuplex: Full\nline \tAuto-negotiation: on',
      '1000 full auto',
    ],
    ['nic-speed', 'line Settings for eth0:\nline \tSpeed: Unknown!\nline \tDuplex: Unknown! (255)', 'unknown'],
    ['nic-speed', 'line No data available', undefined],
    ['mount-option', 'type ext4\nvalue rw,relatime', 'rw,relatime'],
    ['mount-option', 'value rw,relatime', undefined],
    ['server-cpus', 'value 0-3', '0-3'],
    ['server-cpus', 'value 0-3\nvalue 1', '0-3 1'],
    ['server-cpus', 'value 0-3;reboot', undefined],
  ])('%s: %j is %j', (name, printed, value) => {
    expect(read(name, printed)?.value).toBe(value);
  });

  it('is read safely if it is nonsense, and is never more than a value to a script', () => {
    const line = fc.oneof(
      fc.string(),
      fc.string().map((text) => `value ${text}`),
      fc.string().map((text) => `queue qdisc ${text}`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...SETTINGS), fc.array(line, { maxLength: 5 }), (setting, lines) => {
        const reading = setting.read(readPrinted(lines.join('\n')), 'x');
        if (reading) expect(typeof reading.value).toBe('string');
        if (reading) setting.matches(reading.value, reading.value);
      }),
    );
  });
});

describe('a value compared with the desired one', () => {
  it.each([
    ['sysctl', '4096 131072 6291456', '4096\t131072\t6291456'],
    ['sysctl', '010', '10'],
    ['sysctl', 'cubic', 'cubic'],
    ['transparent-hugepages', 'never', 'never'],
    ['read-ahead', '128', '128'],
    ['read-ahead', '4M', '4096'],
    ['read-ahead', '128 KiB', '128'],
    ['huge-pages', '0128', '128'],
    ['nic-rate', '1gbit', '1Gbit'],
    ['nic-rate', '1000mbit', '1Gbit'],
    ['nic-rate', '1.5gbit', '1500Mbit'],
    ['nic-rate', '1234567890bit', '1234Mbit'],
    ['nic-rate', 'none', 'none'],
    ['nic-speed', '1000', '1000 full auto'],
    ['nic-speed', '1000 full', '1000 full fixed'],
    ['nic-speed', 'auto', '10000 full auto'],
    ['server-cpus', '0,1,2', '0-2'],
    ['server-cpus', '3,0-1', '0-1,3'],
    ['mount-option', 'noatime', 'rw,noatime,discard'],
    ['mount-option', 'rw,relatime,discard', 'rw,discard,relatime'],
  ])('%s: %s equals %s', (name, desired, found) => {
    expect(named(name).matches(desired, found)).toBe(true);
  });

  it.each([
    ['sysctl', '4096 131072', '4096 131072 6291456'],
    ['sysctl', '1', '10'],
    ['sysctl', '', '0'],
    ['read-ahead', '256', '128'],
    ['huge-pages', '128', '127'],
    ['nic-rate', '100mbit', '1Gbit'],
    ['nic-rate', '100mbit', 'none'],
    ['nic-rate', 'none', 'htb 1:'],
    ['nic-speed', '1000', '10000 full auto'],
    ['nic-speed', '1000', '1000 half auto'],
    ['nic-speed', 'auto', '1000 full fixed'],
    ['server-cpus', '0', '0-1'],
    ['mount-option', 'rw,relatime', 'rw,relatime,discard'],
    ['server-cpus', '0-1', '0-1 3'],
    ['cpu-governor', 'performance', 'cpu0=performance cpu1=powersave'],
  ])('%s: %s differs from %s', (name, desired, found) => {
    expect(named(name).matches(desired, found)).toBe(false);
  });
});

it('distinguishes impossible values from possible ones', () => {
  const wrong = (name: string, ...values: string[]) => values.filter((value) => named(name).check(value) === undefined);
  expect(wrong('read-ahead', '', '-1', '4T', 'much', '1;2')).toEqual([]);
  expect(wrong('nic-rate', '', '0mbit', '100', 'fast', '1gbit;x', '100mbps')).toEqual([]);
  expect(wrong('nic-speed', 'fast', '1000 auto', '1000 quarter', '-1')).toEqual([]);
  expect(wrong('server-cpus', '', 'all', '3-1', '0-99999', '0,,1')).toEqual([]);
  expect(wrong('mount-option', '', 'ro', 'rw,noatime', 'remount', 'bind,ro', 'a b', 'x,', 'defaults', 'a;b')).toEqual(
    [],
  );
  expect(wrong('sysctl', '', 'a\nb')).toEqual([]);
  expect(wrong('cpu-boost', 'true', '1')).toEqual([]);
  expect(wrong('transparent-hugepages', '', 'Al ways', '[never]')).toEqual([]);
});

it('accepts only safe names of objects', () => {
  const taken = (name: string, ...objects: string[]) => objects.filter((of) => named(name).of?.pattern.test(of));
  expect(taken('sysctl', 'vm', 'vm..x', '../etc/passwd', '/vm/x', 'vm.x y', 'vm.$x')).toEqual([]);
  expect(taken('sysctl', 'net/ipv4/conf/eth0.100/rp_filter', 'net.ipv4.tcp_rmem')).toHaveLength(2);
  expect(taken('read-ahead', '../sda', '/etc/passwd', 'a b', '-x', 'sda;x', '/dev/../sda')).toEqual([]);
  expect(taken('read-ahead', 'sda', '/dev/sda', '/dev/mapper/vg-data', 'cciss/c0d0')).toHaveLength(4);
  expect(taken('nic-rate', '', '-x', '.', '..', 'eth0 eth1', 'a/b', 'x'.repeat(17))).toEqual([]);
  expect(taken('mount-option', 'data', '/a\nb', '')).toEqual([]);
});

it('blocks settings that cannot be undone and warns of side effects', () => {
  expect(codes('sysctl', '1', 'value 0', 'kernel.modules_disabled')).toEqual(['cannot-undo']);
  expect(codes('sysctl', '1', 'value 0', 'vm.swappiness')).toEqual([]);
  expect(codes('io-scheduler', 'bfq', 'value none\nbelow sda sdb', 'dm-0')).toEqual(['device-on-devices']);
  expect(codes('nic-rate', '1gbit', 'queue qdisc htb 1: root refcnt 2', 'eth0')).toEqual(['shaped-already']);
  expect(codes('nic-speed', '1000', 'line Settings for eth0:', 'eth0')).toEqual(['speed-unknown']);
  expect(codes('server-cpus', '0', 'value 0\nvalue 1')).toEqual(['cannot-undo']);
});

it('gives a rate a burst of 10 ms, but at least one large packet', () => {
  const burst = (value: string) => named('nic-rate').variables?.({ of: 'eth0', value });
  expect(burst('1gbit')).toEqual({ rate: '1000000000bit', burst: '1250000' });
  expect(burst('1mbit')).toEqual({ rate: '1000000bit', burst: '65536' });
  expect(burst('none')).toEqual({ rate: '', burst: '' });
});
