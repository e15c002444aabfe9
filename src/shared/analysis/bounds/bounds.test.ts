import { describe, expect, it } from 'vitest';
import { atDepth, byDay } from '../../util/testing/depth.ts';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { flowOf } from '../testing/closed-network.ts';
import { caseOf, FAMILIES } from '../testing/families.ts';
import { SCENES, type Scene } from '../testing/scenes.ts';
import { type World, worldsFrom } from '../testing/worlds.ts';
import { boundOf } from './index.ts';

const SEED = 51_123;
const EACH = atDepth(30, 4);

const scenes = Object.keys(SCENES) as Scene[];
const worldsOf = (scene: Scene, count = EACH): World[] => {
  const world = worldsFrom(SEED + scenes.indexOf(scene));
  return Array.from({ length: count }, () => world(scene));
};

const without = (evidence: RunEvidence, isLost: (series: WatchedSeries) => boolean): RunEvidence => ({
  ...evidence,
  hosts: evidence.hosts.map((host) => ({ ...host, series: host.series.filter((series) => !isLost(series)) })),
  servers: evidence.servers.map((server) => ({ ...server, series: server.series.filter((series) => !isLost(series)) })),
});

describe(`the bottleneck of a run (seed ${SEED})`, () => {
  it.each(scenes)('is recognised in simulated worlds: %s', (scene) => {
    const named = worldsOf(scene).map(({ evidence }) => boundOf(evidence));
    const wrong = named.filter(({ verdict }) => verdict !== SCENES[scene]);
    expect(wrong.map(({ verdict, sentence }) => `${verdict}: ${sentence}`)).toEqual([]);
  });
});

const SYSTEMS_SEED = 61_000;
/** One of each kind of decoy, and one for each verdict without a saturated resource. */
const DAILY =
  /^(?:a full CPU, strangers|clients that think, niced|two clients far away|a quota|something that nothing)/;
const systems = byDay(Object.keys(FAMILIES), (family) => DAILY.test(family));
/** Share of systems with a bottleneck that may be left open. */
const OPEN = 0.1;

describe(`the bottleneck of systems simulated event by event, compared with doubling each resource (seed ${SYSTEMS_SEED})`, () => {
  const table: string[] = [];
  let [bounded, open] = [0, 0];

  it.each(systems)('is a resource whose doubling raises the throughput by 15 %% or more: %s', (family) => {
    for (let each = 0; each < atDepth(5, 1); each++) {
      const { truth, evidence } = caseOf(family, SYSTEMS_SEED + 100 * Object.keys(FAMILIES).indexOf(family) + each);
      const { verdict, sentence } = boundOf(evidence);
      const words = `${family}: ${verdict}, where twice of ${[...truth].join(', ') || 'nothing'} would help. ${sentence}`;
      table.push(words);
      if (truth.size > 0 && !truth.has('hidden')) bounded += 1;
      // Time in transit may be due to a link if nothing rules that out: the sentence names it.
      const isNamed =
        verdict === 'path' && /or a saturated link of unknown speed/.test(sentence) && truth.has('network');
      if (verdict !== 'not-known') expect(isNamed || truth.has(verdict), words).toBe(true);
      else if (truth.size > 0 && !truth.has('hidden')) open += 1;
    }
  });

  it('is undetermined for at most a tenth of the systems that have one', () => {
    expect(open / Math.max(1, bounded), table.join('\n')).toBeLessThanOrEqual(OPEN);
  });
});

describe('the evidence of a bottleneck', () => {
  it.each(scenes.filter((scene) => SCENES[scene] !== 'not-known'))('names only watched series: %s', (scene) => {
    for (const { evidence } of worldsOf(scene, atDepth(5, 2))) {
      const known = [...evidence.hosts, ...evidence.servers].flatMap(({ name, series }) =>
        series.map(({ id }) => `${name} ${id}`),
      );
      const { evidence: figures, runnersUp } = boundOf(evidence);
      for (const { evidence: own } of [{ evidence: figures }, ...runnersUp]) {
        expect(own.length).toBeGreaterThan(0);
        expect(known).toEqual(expect.arrayContaining(own.map(({ source, id }) => `${source} ${id}`)));
      }
    }
  });
});

it('names a saturated CPU of a proxy, and not that of a host without a part in the load', () => {
  const as = (role: 'proxy' | 'other') =>
    worldsOf('cpu', 2).map(({ evidence: { hosts, ...evidence } }) => {
      const full = boundOf({ hosts, ...evidence }).host;
      const moved = hosts.map((host) => (host.name === full ? { ...host, roles: [role] } : host));
      const { verdict, host } = boundOf({ ...evidence, hosts: moved });
      return [verdict, host === full];
    });
  expect(as('proxy')).toEqual([
    ['cpu', true],
    ['cpu', true],
  ]);
  expect(as('other').map(([verdict]) => verdict)).not.toContain('cpu');
});

/** Series without which a class cannot be recognised. */
const DECISIVE: readonly (readonly [Scene, RegExp])[] = [
  ['cpu', /^(?:cpu|core|proc)\./],
  ['one-core pinned', /^(?:core|proc)\./],
  ['one-core wandering', /^proc\./],
  ['disk', /^disk\./],
  ['disk, rotating', /^disk\./],
  ['volume-limit', /^disk\./],
  ['network', /^net\./],
  ['locks', /lock-/],
  ['log', /log-|checkpoint/],
  ['generator-cpu', /^(?:cpu|core|proc)\./],
  ['generator-core pinned', /^(?:core|proc)\./],
  ['generator-core, one thread', /^proc\./],
  ['generator-network', /^net\./],
  ['pool', /^pool/],
  ['pool, told with its server', /^pool/],
  ['locks, behind a pool', /^pool|lock-/],
  ['pool, refused', /refused|connections/],
  ['pool, more clients than connections', /connections/],
  ['pool, tickets', /tickets/],
  ['pool, threads', /queued/],
];

describe('without the decisive series', () => {
  it.each(DECISIVE)('names no other bottleneck: %s', (scene, lost) => {
    const bounds = worldsOf(scene, atDepth(20, 3)).map(({ evidence }) =>
      boundOf(without(evidence, ({ id }) => lost.test(id))),
    );
    expect([...new Set(bounds.map(({ verdict }) => verdict))]).toEqual(['not-known']);
    expect(bounds[0]?.sentence).toMatch(/^Undetermined: /);
  });

  it('names what was not watched', () => {
    const [world] = worldsOf('cpu', 1);
    const evidence = without((world as World).evidence, () => true);
    const { sentence, notWatched } = boundOf({ ...evidence, servers: [] });
    expect(notWatched).toContain('the CPU of db1');
    expect(notWatched).toContain('locks and log of the server');
    expect(sentence).toMatch(/hosts and servers were not recorded.* Not monitored: the CPU of load1/);
  });

  it('does not extrapolate a few values to the whole run', () => {
    const [world] = worldsOf('cpu', 1);
    const { evidence } = world as World;
    const late = without(evidence, () => false);
    const cut = late.hosts.map((host) => ({
      ...host,
      series: host.series.map((series) => ({ ...series, v: series.v.map((v, i) => (i < 90 ? Number.NaN : v)) })),
    }));
    expect(boundOf(evidence).verdict).toBe('cpu');
    expect(boundOf({ ...late, hosts: cut }).verdict).toBe('not-known');
  });
});

it('the simulated network agrees with theory: asymptotes, and a machine repairman with one server', () => {
  const one = { a: { demand: 0.01, servers: 1 } };
  expect(flowOf(one, 1, 0.09).rate).toBeCloseTo(10, 9);
  expect(flowOf(one, 500, 0.09).rate).toBeCloseTo(100, 6);
  // Two customers, service and thinking exponential with the same mean: the server is idle with a probability of 1/5.
  expect(flowOf(one, 2, 0.01).at.a?.busy).toBeCloseTo(0.8, 9);
});
