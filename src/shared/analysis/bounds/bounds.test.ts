import { describe, expect, it } from 'vitest';
import type { BoundVerdict } from '../../model/analysis.ts';
import type { RunEvidence, WatchedSeries } from '../evidence.ts';
import { flowOf } from '../testing/closed-network.ts';
import { SCENES, type Scene, type World, worldsFrom } from '../testing/worlds.ts';
import { boundOf } from './index.ts';

const SEED = 51_123;
const EACH = 60;

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

describe(`what bounds a run (seed ${SEED})`, () => {
  it.each(scenes)('is recognised in simulated worlds: %s', (scene) => {
    const named = worldsOf(scene).map(({ evidence }) => boundOf(evidence));
    const wrong = named.filter(({ verdict }) => verdict !== SCENES[scene]);
    expect(wrong.map(({ verdict, sentence }) => `${verdict}: ${sentence}`)).toEqual([]);
  });
});
