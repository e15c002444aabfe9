import { describe, expect, it } from 'vitest';
import { boundOf } from '../../analysis/index.ts';
import { SCENES, type Scene } from '../../analysis/testing/scenes.ts';
import { worldsFrom } from '../../analysis/testing/worlds.ts';
import type { BoundVerdict } from '../../model/analysis.ts';
import { atDepth, mostOf } from '../../util/testing/depth.ts';
import { limitFindings } from './bound.ts';

const SEED = 73_019;
const EACH = atDepth(20, 4);
/** At its limit in most seconds: the requirement of a finding. */
const MOST = 0.6;

/**
 * Codes that a class is found under, in addition to its verdict. A memory shortage keeps the disk busy, and a queue for tickets or
 * connections may be caused by a saturated disk or by locks.
 */
const CODES: Readonly<Partial<Record<BoundVerdict, string>>> = {
  cpu: 'cpu-saturated',
  'one-core': 'one-core-busy',
  disk: 'disk-at-limit',
  'volume-limit': 'volume-limit',
  network: 'link-saturated',
  'generator-network': 'generator-network',
  'generator-core': 'generator-core',
  locks: 'lock-bound',
};
const ALSO: Readonly<Partial<Record<Scene, readonly BoundVerdict[]>>> = {
  memory: ['disk'],
  'memory, no swap': ['disk'],
  'memory, mapped data': ['disk'],
  'disk, tickets': ['pool'],
  'locks, behind a pool': ['pool'],
};

const scenes = Object.keys(SCENES) as Scene[];
const world = worldsFrom(SEED);
const worlds = scenes.flatMap((scene) =>
  Array.from({ length: EACH }, () => {
    const { evidence } = world(scene);
    const atWork = [SCENES[scene], ...(ALSO[scene] ?? [])];
    const bound = boundOf(evidence);
    return {
      scene,
      verdicts: [bound, ...bound.runnersUp]
        .filter(({ verdict, share }) => share >= MOST && !atWork.includes(verdict))
        .map(({ verdict }) => verdict),
      codes: limitFindings(bound, evidence.hosts)
        .map(({ code }) => code)
        .filter((code) => !atWork.some((verdict) => CODES[verdict] === code)),
    };
  }),
);
const wrongIn = (what: 'verdicts' | 'codes') => worlds.filter((each) => each[what].length > 0);
const rateOf = (what: 'verdicts' | 'codes'): string => `${wrongIn(what).length} of ${worlds.length} worlds`;

describe(`findings about limits in simulated runs (seed ${SEED})`, () => {
  it(`no finding names a limit that is not at work (${rateOf('codes')})`, () => {
    expect(wrongIn('codes').map(({ scene, codes }) => `${scene}: ${codes.join()}`)).toEqual([]);
  });

  it(`no class is at its limit that is not at work (${rateOf('verdicts')}, at most 1 %)`, () => {
    const wrong = wrongIn('verdicts').map(({ scene, verdicts }) => `${scene}: ${verdicts.join()}`);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(mostOf(worlds.length, 0.01));
  });
});
