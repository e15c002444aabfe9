import { expect, it } from 'vitest';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { differentHosts } from './host-differences.ts';

const FACTS = {
  kernel: '6.1.0',
  cpuGovernor: 'performance',
  cpuFeatures: ['aes', 'avx2'],
  hugePages: 'madvise',
  disks: [{ name: 'sda', sizeBytes: 1, model: 'ST4000NM', scheduler: 'mq-deadline', mounts: [] }],
} as unknown as HostFacts;

const detail = (generator: object, server?: object): SessionDetail =>
  ({
    hosts: [{ name: 'load1', facts: { ...FACTS, ...generator } }],
    ...(server && { target: { name: 'db', kind: 'mysql', hostFacts: { ...FACTS, ...server } } }),
  }) as unknown as SessionDetail;
const messages = (one: SessionDetail, other: SessionDetail) =>
  differentHosts(one, other).map(({ code, message }) => [code, message]);

it('equal or unknown hosts produce no warning', () => {
  expect(messages(detail({}, {}), detail({}, {}))).toEqual([]);
  expect(messages(detail({}), detail({}, { kernel: '5.4' }))).toEqual([]);
  const { cpuGovernor: _, cpuFeatures: _features, ...untold } = FACTS;
  const bare = { ...detail({}), hosts: [{ name: 'load1', facts: untold as HostFacts }] };
  expect(messages(detail({}), bare)).toEqual([]);
  // More instructions of the same kind explain little.
  expect(messages(detail({}), detail({ cpuFeatures: ['aes'] }))).toEqual([]);
});

it('differences are named with their host', () => {
  const disks = [{ name: 'sda', sizeBytes: 1, model: 'ST4000NM', scheduler: 'bfq', mounts: [] }];
  expect(messages(detail({}, {}), detail({ hugePages: 'always' }, { kernel: '6.8.0', disks }))).toEqual([
    [
      'different-hosts',
      'Hosts configured differently: huge pages madvise and always (generator), kernel 6.1.0 and 6.8.0 (server host), disk sda ST4000NM, mq-deadline and ST4000NM, bfq (server host).',
    ],
  ]);
});

it('a CPU without AES instructions is named', () => {
  const [, message] = messages(detail({}), detail({ cpuFeatures: ['avx2'] }))[0] ?? [];
  expect(message).toContain('AES instructions on one side only');
});

it('other and additional disks are named', () => {
  const disks = ['nvme0n1', 'nvme1n1'].map((name) => ({ name, sizeBytes: 1, mounts: [] }));
  expect(messages(detail({}, {}), detail({}, { disks }))[0]?.[1]).toBe(
    'Hosts configured differently: 1 disk (sda ST4000NM) and 2 disks (nvme0n1, nvme1n1) (server host).',
  );
});

it('a different CPU, CPU count or memory size of the server host is named', () => {
  const machine = (cpuModel: string, cpuCount: number, memoryBytes: number) => ({ cpuModel, cpuCount, memoryBytes });
  const small = machine('EPYC 7R13', 8, 32 * 2 ** 30);
  expect(messages(detail({}, small), detail({}, machine('EPYC 9R14', 16, 64 * 2 ** 30)))[0]?.[1]).toBe(
    'Hosts configured differently: CPU EPYC 7R13 and EPYC 9R14 (server host), 8 CPUs and 16 (server host), 32.0 GiB and 64.0 GiB of memory (server host).',
  );
  expect(messages(detail({}, small), detail({}, { ...small, memoryBytes: 31.9 * 2 ** 30 }))).toEqual([]);
});

it('firmware, power saving, links and sizes of disks of the same name are named if both sides report them', () => {
  const [disk] = FACTS.disks;
  const of = (change: object) => detail({ disks: [{ ...disk, ...change }] });
  const fast = of({ firmware: '2B2QEXM7', powerSaving: 'off', link: 'PCIe 8.0 GT/s × 4' });
  const slow = of({
    firmware: '4B2QEXM7',
    powerSaving: 'any power state',
    link: 'PCIe 8.0 GT/s × 2',
    sizeBytes: 2 ** 40,
  });
  expect(messages(fast, slow)[0]?.[1]).toBe(
    'Hosts configured differently: disk sda size 1 B and 1.00 TiB (generator), disk sda firmware 2B2QEXM7 and 4B2QEXM7 (generator), disk sda power saving off and any power state (generator), disk sda link PCIe 8.0 GT/s × 4 and PCIe 8.0 GT/s × 2 (generator).',
  );
  expect(messages(fast, fast)).toEqual([]);
  expect(messages(fast, of({}))).toEqual([]);
});
