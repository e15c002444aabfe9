import { expect, it } from 'vitest';
import { blackBox, boundOf, perOperation, type RunEvidence, type WatchedSeries } from '../../analysis/index.ts';
import { differencesOf } from '../../analysis/testing/differences.ts';
import { SCENES, type Scene } from '../../analysis/testing/scenes.ts';
import { worldsFrom } from '../../analysis/testing/worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import { NIGHT } from '../../util/testing/depth.ts';
import { runFindings } from '../index.ts';

const SEED = 60_606;
const random = randomFrom(SEED);
const world = worldsFrom(SEED);

/** Possible defects of recorded series: with holes, cut short, empty, all zero, every few seconds, with an extreme last value. */
const DAMAGES: readonly ((series: WatchedSeries) => WatchedSeries)[] = [
  (series) => series,
  (series) => ({ ...series, v: series.v.map((value) => (random() < 0.3 ? Number.NaN : value)) }),
  (series) => ({ ...series, v: series.v.map(() => Number.NaN) }),
  (series) => ({ ...series, t: series.t.slice(0, 20), v: series.v.slice(0, 20) }),
  (series) => ({ ...series, t: series.t.slice(0, 0), v: series.v.slice(0, 0) }),
  (series) => ({ ...series, v: series.v.map(() => 0) }),
  (series) => ({ ...series, t: series.t.filter((_, at) => at % 7 === 0), v: series.v.filter((_, at) => at % 7 === 0) }),
  (series) => ({ ...series, v: series.v.map((value, at) => (at === series.v.length - 1 ? 1e15 : value)) }),
  ({ limit: _none, instance: _nobody, ...series }) => series,
];
const damaged = (series: WatchedSeries): WatchedSeries =>
  (DAMAGES[Math.floor(random() * DAMAGES.length)] ?? ((same) => same))(series);

function damagedRun(scene: Scene): RunEvidence {
  const { evidence } = world(scene);
  const { rate } = evidence;
  const keep = <T>(all: readonly T[]): T[] => all.filter(() => random() < 0.8);
  return {
    ...evidence,
    zero: 1_700_000_000_000,
    ...(rate && { rate: { ...rate, v: rate.v.map((value, at) => (at % 40 < 3 ? 0 : value)) } }),
    load: keep(evidence.load),
    hosts: keep(evidence.hosts).map((host) => ({ ...host, series: keep(host.series).map(damaged) })),
    servers: keep(evidence.servers).map((server) => ({ ...server, series: keep(server.series).map(damaged) })),
  };
}

it(`damaged and missing series never appear as figures (seed ${SEED})`, () => {
  const scenes = Object.keys(SCENES) as Scene[];
  for (const scene of scenes.concat(NIGHT ? scenes : [])) {
    const [run, other] = [damagedRun(scene), damagedRun(scene)];
    const bound = boundOf(run);
    const all = [bound, runFindings(run, bound), perOperation(run), blackBox(run), differencesOf([run], [other])];
    const text = JSON.stringify(all, (_, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? 'not finite' : value,
    );
    expect(text).not.toMatch(/not finite|NaN|undefined|Infinity|: –| – /);
  }
});

it('a finding names the series with damaged samples', () => {
  const { evidence } = world('cpu');
  const hosts = evidence.hosts.map((host, index) =>
    index === 0 ? { ...host, damaged: ['disk.vda.iops', 'disk.vda.busy'] } : host,
  );
  const found = runFindings({ ...evidence, hosts }, boundOf(evidence)).filter(({ code }) => code === 'samples-damaged');
  expect(found.map(({ message }) => message)).toEqual([
    `Stored samples of ${hosts[0]?.name} are damaged: disk.vda.iops and 1 more series have no values there.`,
  ]);
  expect(runFindings(evidence, boundOf(evidence)).some(({ code }) => code === 'samples-damaged')).toBe(false);
});

it('the bottleneck of a run without series or seconds is undetermined', () => {
  const nothing: RunEvidence = { window: { from: 0, to: 0 }, load: [], hosts: [], servers: [] };
  expect(boundOf(nothing)).toMatchObject({ verdict: 'not-known', runnersUp: [] });
  expect(runFindings(nothing, boundOf(nothing))).toEqual([]);
  expect(perOperation(nothing)).toEqual([]);
  const { evidence } = world('cpu');
  expect(boundOf({ ...evidence, window: { from: 100, to: 100 } }).verdict).toBe('not-known');
});
