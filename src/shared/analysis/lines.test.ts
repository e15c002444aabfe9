import { describe, expect, it } from 'vitest';
import { assessNetwork } from './bounds/network.ts';
import type { RunEvidence, WatchedHost, WatchedSeries } from './evidence.ts';
import { boundOf, perOperation } from './index.ts';
import { isOuterLink, isWholeDevice } from './lines.ts';
import { flat, hostWith, watched } from './testing/lines.ts';

const link = (instance: string, mibS: number, limit?: number, way = 'tx'): WatchedSeries =>
  watched(`net.*.${way}_mib_s`, flat(mibS), {
    instance,
    ...(limit !== undefined && { limit: { value: limit, words: 'link speed' } }),
  });
const withLinks = (...names: readonly string[]): WatchedHost => hostWith(names.map((name) => link(name, 10)));
const outerOf = (...names: readonly string[]): string[] => {
  const host = withLinks(...names);
  return names.filter((name) => isOuterLink(name, host));
};
const run = (...hosts: readonly WatchedHost[]): RunEvidence => ({
  window: { from: 10, to: 60 },
  rate: { metric: 'tps', t: Float64Array.from({ length: 60 }, (_, index) => index + 1), v: flat(1000) },
  load: [],
  hosts,
  servers: [],
});

describe('external links', () => {
  it('exclude virtual links inside the host and on top of others', () => {
    const inner = 'lo docker0 br-12ab br0 veth1a2b tun0 tap0 vnet3 wg0 ifb0 virbr0 cni0 cali12 eth0.100 vlan5'.split(
      ' ',
    );
    expect(outerOf('eth0', 'enp5s0', ...inner)).toEqual(['eth0', 'enp5s0']);
  });

  it('are the members of a bond if both are visible', () => {
    expect(outerOf('bond0', 'eth0', 'eth1')).toEqual(['eth0', 'eth1']);
    expect(outerOf('team0', 'eth0', 'eth1')).toEqual(['eth0', 'eth1']);
  });

  it('exclude links that the host reports as duplicates of another', () => {
    const azure = hostWith([link('eth0', 100), { ...link('enP53091s1', 100), elsewhere: true }]);
    expect(['eth0', 'enP53091s1'].filter((name) => isOuterLink(name, azure))).toEqual(['eth0']);
    const named = hostWith([{ ...link('lan0', 100), elsewhere: true }, link('enp1s0', 50), link('enp2s0', 50)]);
    expect(['lan0', 'enp1s0', 'enp2s0'].filter((name) => isOuterLink(name, named))).toEqual(['enp1s0', 'enp2s0']);
    const alone = hostWith([{ ...link('lan0', 100), elsewhere: true }]);
    expect(isOuterLink('lan0', alone)).toBe(true);
  });

  it('are the bond if its members are not visible', () => {
    expect(outerOf('lo', 'bond0', 'veth1')).toEqual(['bond0']);
  });

  it('are all but the loopback if no other remains', () => {
    expect(outerOf('lo', 'tun0')).toEqual(['tun0']);
    expect(outerOf('lo')).toEqual([]);
  });
});

it('counts only whole disks, not devices built from others', () => {
  const names = ['sda', 'nvme0n1', 'vdb', 'bcache0', 'drbd0', 'zd0', 'zd16', 'dm-0', 'md127'];
  expect(names.filter(isWholeDevice)).toEqual(['sda', 'nvme0n1', 'vdb']);
});

describe('the network as a limit', () => {
  const candidates = (...series: readonly WatchedSeries[]) => assessNetwork(run(hostWith(series))).candidates;
  const notWatched = (...series: readonly WatchedSeries[]) => assessNetwork(run(hostWith(series))).notWatched;

  it('excludes a link that carries several times its reported speed', () => {
    expect(boundOf(run(hostWith([link('eth0', 600, 119)])))).toMatchObject({ verdict: 'not-known', runnersUp: [] });
    expect(boundOf(run(hostWith([link('eth0', 600, 119)]))).sentence).not.toContain('504');
  });

  it('is a link between 90 and 110 % of its speed', () => {
    expect(candidates(link('eth0', 115, 119))).toMatchObject([{ instance: 'eth0', share: 1 }]);
    expect(candidates(link('eth0', 125, 119))).toMatchObject([{ share: 1 }]);
    expect(candidates(link('eth0', 100, 119))).toMatchObject([{ share: 0 }]);
  });

  it('is unknown for a link with an impossible speed', () => {
    expect(notWatched(link('eth0', 600, 119))).toEqual(['the network utilisation of db1']);
    expect(notWatched(link('eth0', 100, 119))).toEqual([]);
  });

  it('is the link speed in the direction that its rate limit leaves free', () => {
    const links = [{ name: 'eth0', mibS: 12, words: 'the rate set on it, 100Mbit' }];
    const host = hostWith([link('eth0', 11.5, 119), link('eth0', 116, 119, 'rx')], { links });
    expect(assessNetwork(run(host)).candidates.map(({ share, sentence }) => [share, sentence])).toEqual([
      [1, expect.stringContaining('sent 11.5 of 12.0 MiB/s')],
      [1, expect.stringContaining('received 116 of 119 MiB/s')],
    ]);
  });

  it('is unwatched if only a container interface reports a speed', () => {
    expect(notWatched(link('eth0', 10), link('veth1', 10, 1192))).toEqual(['the network utilisation of db1']);
    expect(notWatched(link('eth0', 10, 119), link('veth1', 10, 1192))).toEqual([]);
  });

  it('is a bond with a rate limit, not its members', () => {
    const series = [link('bond0', 59), link('eth0', 30, 1192), link('eth1', 29, 1192)];
    const links = [{ name: 'bond0', mibS: 60, words: 'the rate set on it, 500Mbit' }];
    expect(boundOf(run(hostWith(series, { links })))).toMatchObject({ verdict: 'network', instance: 'bond0' });
    expect(boundOf(run(hostWith(series)))).toMatchObject({ verdict: 'not-known' });
  });
});

describe('bytes sent for each operation', () => {
  const sent = (host: WatchedHost): number | undefined =>
    perOperation(run(host)).find(({ id }) => id === 'sent_bytes')?.value;
  const bytes = (10 * 2 ** 20) / 1000;

  it('are counted once', () => {
    expect(sent(withLinks('eth0'))).toBeCloseTo(bytes);
    expect(sent(withLinks('eth0', 'veth1', 'docker0'))).toBeCloseTo(bytes);
    expect(sent(withLinks('bond0', 'eth0', 'eth1'))).toBeCloseTo(2 * bytes);
    expect(sent(hostWith([link('eth0', 100), { ...link('enP1s1', 100), elsewhere: true }]))).toBeCloseTo(10 * bytes);
  });

  it('are unknown if the generator is on the same host', () => {
    expect(sent({ ...withLinks('eth0'), roles: ['generator', 'server'] })).toBeUndefined();
  });
});
