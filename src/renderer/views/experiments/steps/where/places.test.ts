import { describe, expect, it } from 'vitest';
import type { Host } from '../../../../../shared/model/host.ts';
import type { Target, TargetKindInfo } from '../../../../../shared/model/target.ts';
import { addressWords, mayRunWithout, sharesMachine, targetAddress } from './places.tsx';

const kind = (change: Partial<TargetKindInfo> = {}): TargetKindInfo => ({
  kind: 'new',
  title: 'New',
  family: 'New',
  nameExample: 'new',
  schema: { properties: { address: { default: '127.0.0.1' }, port: { type: 'integer', default: 7000 } } },
  takesSecret: true,
  connects: true,
  via: 'connection',
  tells: [],
  ...change,
});
const target = (config: Record<string, unknown>): Target => ({
  id: 1,
  spec: { name: 't', kind: 'new', via: null, config },
  hasSecret: false,
  createdAt: 0,
});
const URL_KIND = kind({ schema: { properties: { url: { default: 'db://127.0.0.1:27017/' } } } });

describe('the address of a target', () => {
  it.each([
    ['as it was typed', { address: 'db1', port: 7001 }, kind(), { host: 'db1', port: '7001' }],
    ['as the kind has it where nothing was typed', {}, kind(), { host: '127.0.0.1', port: '7000' }],
    ['of a socket', { socket: '/run/s' }, kind(), { host: '/run/s' }],
    ['of the first member of a URL', { url: 'db://db1:1,db2:1/?x=1' }, URL_KIND, { host: 'db1' }],
    ['of a URL with an IPv6 address', { url: 'db://[::1]:1/' }, URL_KIND, { host: '[::1]' }],
    ['of a place', { path: '/srv' }, kind({ via: 'place' }), undefined],
    ['of a kind that is not known yet', { address: 'db1' }, undefined, undefined],
  ])('is %s', (_name, config, info, address) => {
    expect(targetAddress(target(config), info)).toEqual(address);
  });

  it('shows whether target and generator share a machine', () => {
    const host = { id: 1, spec: { kind: 'ssh', name: 'g', address: 'db1' } } as Host;
    expect(sharesMachine(host, target({ url: 'db://127.0.0.1:1/' }), URL_KIND)).toBe(true);
    expect(sharesMachine(host, target({ url: 'db://db1:1/' }), URL_KIND)).toBe(true);
    expect(sharesMachine(host, target({ url: 'db://db2:1/' }), URL_KIND)).toBe(false);
    expect(sharesMachine(host, undefined, undefined)).toBe(true);
  });
});

it('a workload needs no target if a kind defines what it drives without one', () => {
  expect(mayRunWithout(['new'], [kind()])).toBe(false);
  expect(mayRunWithout(['new', 'other'], [kind(), kind({ kind: 'other', withoutTarget: 'own' })])).toBe(true);
  expect(mayRunWithout([], [])).toBe(true);
});

it('shows the number of further addresses of a target', () => {
  const at = (addresses?: string) =>
    addressWords(target({ address: 'db1', port: 3306, ...(addresses !== undefined && { addresses }) }), kind()).address;
  expect([at(), at(''), at('db2, db3:3307,')]).toEqual(['db1:3306', 'db1:3306', 'db1:3306 and 2 more']);
});
