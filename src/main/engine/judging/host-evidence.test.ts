import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coresOf, type WatchedHost } from '../../../shared/analysis/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import { readSource } from '../monitored/index.ts';
import { HOST_RULES } from '../monitors/testing/rules.ts';
import { openStore } from '../store/open.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { hostOf, isJudged } from './host-evidence.ts';
import { atOnce } from './testing/at-once.ts';

const START = 1_800_000_000;

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let run: RunRow;
let source: Source;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  run = store.runs.get(firstRun(store)) as RunRow;
  source = store.sources.ensure(run.sessionId, { kind: 'host', name: 'db1', position: 0 });
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** Readings of a collector in each second; `second` makes values grow. */
function record(seconds: number, metricsAt: (second: number) => Record<string, number>): void {
  const rows = Array.from({ length: seconds }, (_, second) => ({ t: START + second, metrics: metricsAt(second) }));
  store.monitored.ingest({ sourceId: source.id, rows });
}
function found(from: number, to: number, facts: object = {}): WatchedHost {
  const at = (second: number): number => (START + second) * 1000;
  const window = { runId: run.id, zero: at(from), from: at(from), to: at(to) };
  const hostFacts = { disks: [], ...facts } as unknown as HostFacts;
  const evidence = { hosts: [{ name: 'db1', facts: hostFacts }], load: [] };
  const reader = { seen: () => undefined, segments: undefined, isWanted: isJudged };
  const known = atOnce(readSource(store, source, window, () => HOST_RULES, reader));
  return hostOf(source, known, window, run, evidence);
}

describe('devices', () => {
  const rotational = (name: string, value: boolean, virtualization?: string) =>
    found(0, 10, { virtualization, disks: [{ name, sizeBytes: 1, mounts: [], rotational: value }] }).devices;

  it('of a virtual machine are not taken for rotating disks', () => {
    expect(rotational('vda', true)).toBeUndefined();
    expect(rotational('xvdf', true)).toBeUndefined();
    expect(rotational('sda', true, 'vmware')).toBeUndefined();
    expect(rotational('vda', false, 'kvm')).toEqual([{ name: 'vda', rotational: false }]);
  });

  it('of a physical machine or a container on one rotate if the kernel reports it', () => {
    expect(rotational('sda', true)).toEqual([{ name: 'sda', rotational: true }]);
    expect(rotational('sda', true, 'docker')).toEqual([{ name: 'sda', rotational: true }]);
  });
});

describe('swap', () => {
  it('is counted with the page size reported shortly before the run', () => {
    record(200, (second) => ({
      'vm.swap_in_pages': 16 * second,
      ...(second % 60 === 0 && { 'sys.page_bytes': 65_536 }),
    }));
    const swapped = found(130, 170).series.find(({ id }) => id === 'vm.swap_in_mib_s');
    expect(swapped?.v.at(-1)).toBe(1);
  });
});

describe('cores', () => {
  const core = (index: number, second: number) => ({
    [`core.${index}.user`]: 50 * second,
    [`core.${index}.idle`]: 50 * second,
  });

  it('are those online in the window, not those at the start of the session', () => {
    record(200, (second) => ({
      ...core(0, second),
      ...core(1, second),
      ...(second < 100 && { ...core(2, second), ...core(3, second) }),
    }));
    expect(coresOf(found(10, 90, { cpuCount: 4 }))).toBe(4);
    expect(coresOf(found(110, 190, { cpuCount: 4 }))).toBe(2);
  });

  it('have a series of their load, not of each state', () => {
    record(20, (second) => ({ ...core(0, second), ...core(1, second) }));
    expect(found(0, 20).series.map(({ id }) => id)).toEqual(['core.0.busy', 'core.1.busy']);
  });

  it('are those reported by the host if none is recorded in the window', () => {
    record(20, (second) => core(0, second));
    expect(coresOf(found(100, 150, { cpuCount: 4 }))).toBe(4);
  });
});

describe('the limit of a link', () => {
  /** The collector reports the speed once a minute. */
  const speedOf = (second: number): number => (second < 300 ? 10_000 : 1000);
  const sending = (second: number) => ({
    'net.eth0.tx_bytes': 1e6 * second,
    ...(second % 60 === 0 && { 'net.eth0.speed_mbps': speedOf(second) }),
  });
  const limitIn = (from: number, to: number): number =>
    Math.round(found(from, to).series.find(({ id }) => id === 'net.eth0.tx_mib_s')?.limit?.value ?? 0);

  it('is its speed in the run, whatever was set afterwards', () => {
    record(600, sending);
    expect(limitIn(100, 200)).toBe(1192);
    expect(limitIn(400, 500)).toBe(119);
  });

  it('of a short run is the last speed reported before it', () => {
    record(600, sending);
    expect(limitIn(285, 295)).toBe(1192);
    expect(limitIn(545, 555)).toBe(119);
  });

  it('is the read-back speed before the run, until the collector reports it', () => {
    record(600, sending);
    const place = { kind: 'host' as const, name: 'db1' };
    run = { ...run, facts: [{ place, what: 'nic-speed eth0', wanted: '1000', first: null, found: '1000 full fixed' }] };
    expect(limitIn(100, 200)).toBe(119);
    run = { ...run, facts: [{ place, what: 'nic-speed eth0', wanted: '1000', first: null, found: 'unknown' }] };
    expect(limitIn(100, 200)).toBe(1192);
    run = {
      ...run,
      facts: [
        {
          place: { ...place, name: 'db2' },
          what: 'nic-speed eth0',
          wanted: '1000',
          first: null,
          found: '1000 full fixed',
        },
      ],
    };
    expect(limitIn(100, 200)).toBe(1192);
  });

  it('is the newest speed if none was reported up to its end', () => {
    record(600, (second) => ({ 'net.eth0.tx_bytes': second, ...(second === 500 && { 'net.eth0.speed_mbps': 1000 }) }));
    expect(limitIn(10, 100)).toBe(119);
  });
});

describe('gaps', () => {
  it('include the rest of a run after the collector died, but not if it continued', () => {
    record(20, () => ({ load: 1 }));
    const at = (second: number): number => (START + second) * 1000;
    expect(found(0, 60).gaps).toEqual([{ from: at(19), to: at(60) }]);
    expect(found(0, 20).gaps).toEqual([]);
  });
});
