import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundOf } from '../../../shared/analysis/index.ts';
import { HOST_RULES } from '../monitors/testing/rules.ts';
import { openStore } from '../store/open.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { readEvidence } from './evidence.ts';
import type { EvidenceFacts } from './evidence-facts.ts';
import { monitoredLimits } from './host-limits.ts';
import { atOnce } from './testing/at-once.ts';

const START = 1_800_000_000;
const SECONDS = 60;
const VOLUME = { iops: 100, mibS: 50, burst: { iops: 3000 }, words: 'gp2, 33 GB' };

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let run: RunRow;
let source: Source;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  const id = firstRun(store);
  store.runs.update(id, { state: 'done', startedAt: START * 1000, endedAt: (START + SECONDS) * 1000 });
  run = store.runs.get(id) as RunRow;
  source = store.sources.ensure(run.sessionId, { kind: 'host', name: 'db1', position: 0 });
  store.sources.setAbout(source.id, { roles: ['server'] });
});
afterEach(() => {
  store.close();
  folder.remove();
});

function record(metricsAt: (second: number) => Record<string, number>, seconds = SECONDS): void {
  const rows = Array.from({ length: seconds }, (_, second) => ({ t: START + second, metrics: metricsAt(second) }));
  store.monitored.ingest({ sourceId: source.id, rows });
}
const readBack = (what: string, found: string): NonNullable<RunRow['facts']>[number] => ({
  ...{ place: { kind: 'host', name: 'db1' }, what, wanted: found, first: null, found },
});
const FACTS: EvidenceFacts = { hosts: [{ name: 'db1' }], load: [] };
const limits = (facts: EvidenceFacts = FACTS) =>
  monitoredLimits(
    store,
    run.sessionId,
    () => facts,
    () => HOST_RULES,
  ).flatMap((each) => each.limits.map(({ ids, value, words }) => `${ids.join()} ${Math.round(value)} ${words}`));
const verdict = (facts: EvidenceFacts = FACTS) => {
  const evidence = atOnce(readEvidence(store, run, { facts, rulesOf: () => HOST_RULES }));
  return evidence && boundOf(evidence).sentence;
};
const setFacts = (...facts: NonNullable<RunRow['facts']>): void => {
  store.runs.update(run.id, { facts });
  run = store.runs.get(run.id) as RunRow;
};

it('a rate set on a link is the limit of its lane, as in the judgement', () => {
  record((second) => ({
    'net.eth0.tx_bytes': 12e6 * second,
    'net.eth0.rx_bytes': 40e6 * second,
    'net.eth0.speed_mbps': 10_000,
  }));
  expect(limits()).toEqual([]);
  setFacts(readBack('nic-rate eth0', '100Mbit'));
  // The rate limits sent data only: more was received than it would let through.
  expect(limits()).toEqual(['net.eth0.rx_mib_s 1192 link speed', 'net.eth0.tx_mib_s 12 configured rate 100Mbit']);
  expect(verdict()).toContain('configured rate 100Mbit');
});

it('a speed set on a link replaces the one still reported by the collector', () => {
  record((second) => ({ 'net.eth0.tx_bytes': 115e6 * second, 'net.eth0.speed_mbps': 10_000 }));
  setFacts(readBack('nic-speed eth0', '1000 full fixed'));
  expect(limits()).toEqual(['net.eth0.tx_mib_s 119 link speed']);
  expect(verdict()).toContain('119 MiB/s');
});

it('a link whose speed changes later has the limit of the run', () => {
  record((second) => ({ 'net.eth0.tx_bytes': second, 'net.eth0.speed_mbps': second < 200 ? 1000 : 10_000 }), 300);
  expect(limits()).toEqual(['net.eth0.tx_mib_s 119 link speed']);
});

it('the purchased rate of a volume is the limit of the only disk of the server host', () => {
  const disk = (name: string, second: number) => ({
    [`disk.${name}.read_ios`]: 98 * second,
    [`disk.${name}.write_ios`]: 0,
    [`disk.${name}.read_sectors`]: 100 * second,
  });
  record((second) => disk('nvme0n1', second));
  const facts = { ...FACTS, volume: VOLUME };
  expect(limits(facts)).toEqual([
    'disk.nvme0n1.iops 100 gp2, 33 GB',
    'disk.nvme0n1.iops 3000 burst of gp2, 33 GB',
    'disk.nvme0n1.read_mib_s,disk.nvme0n1.write_mib_s 50 gp2, 33 GB, reads and writes together',
  ]);
  expect(verdict(facts)).toContain('at the limit of gp2, 33 GB');
  expect(limits()).toEqual([]);
  // With two disks, it is unknown which one is the volume.
  const two = [{ name: 'db1', facts: { disks: [{ name: 'nvme1n1' }] } }] as unknown as EvidenceFacts['hosts'];
  expect(limits({ ...facts, hosts: two })).toEqual([]);
});
