import type { Spread } from '../../../../shared/model/result.ts';
import { resolutionOf, spreadOf } from '../../../../shared/stats/index.ts';

/** Standard normal (Box and Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Disturbances of a server whose true rate is known. Standard deviations and changes are shares of that rate. */
export interface World {
  readonly name: string;
  readonly words: string;
  /** Standard deviation of one second. */
  readonly second: number;
  /** Share of a second's deviation that carries over to the next one. */
  readonly memory?: number;
  /** Standard deviation of a whole run. */
  readonly run?: number;
  /** A run's deviation is Student's t with two degrees of freedom: now and then a run is far off. */
  readonly heavy?: boolean;
  /** Chance that a run stalls for twelve of its seconds. */
  readonly stalls?: number;
  /** Change from the first trial to the last. */
  readonly drift?: number;
  /** Standard deviation of a whole session. */
  readonly session?: number;
  /** The noise of runs differs from cell to cell by this factor. */
  readonly uneven?: number;
  /** Values are reported in steps of this share. */
  readonly step?: number;
}

const RATE = 1000;
const SECONDS = 60;
const STALL = 12;

/** Statistics of the seconds of one trial. */
export interface Simulated {
  readonly spread: Spread;
  readonly resolution: number;
}

export interface Trial {
  readonly cell: number;
  /** Multiplies the rate. */
  readonly factor?: number;
}

/** Measures trials one after the other. `span` is the part of the drift's time that they fill, from 0 to 1. */
export function measure(
  world: World,
  trials: readonly Trial[],
  random: () => number,
  span: readonly [number, number] = [0, 1],
): Simulated[] {
  const ofSession = Math.exp((world.session ?? 0) * normal(random));
  const seconds = new Float64Array(SECONDS);
  return trials.map(({ cell, factor = 1 }, index) => {
    const place = span[0] + ((span[1] - span[0]) * index) / Math.max(1, trials.length - 1);
    const own = world.uneven === undefined ? 1 : world.uneven ** ((cell % 5) / 2 - 1);
    const ofRun = Math.exp((world.run ?? 0) * own * runDeviation(world, random));
    fillSeconds(seconds, world, random, RATE * factor * ofSession * ofRun * (1 + (world.drift ?? 0) * place));
    return { spread: spreadOf(seconds) as Spread, resolution: resolutionOf(seconds) as number };
  });
}

function runDeviation({ heavy }: World, random: () => number): number {
  const deviation = normal(random);
  return heavy ? deviation / Math.sqrt(-Math.log(1 - random())) : deviation;
}

function fillSeconds(seconds: Float64Array, world: World, random: () => number, rate: number): void {
  const { memory = 0, second, step } = world;
  const stalled = random() < (world.stalls ?? 0) ? Math.floor(random() * (SECONDS - STALL)) : SECONDS;
  let deviation = normal(random);
  for (let index = 0; index < SECONDS; index++) {
    const value = index >= stalled && index < stalled + STALL ? 0 : rate * (1 + second * deviation);
    seconds[index] = step === undefined ? value : Math.round(value / (RATE * step)) * RATE * step;
    deviation = memory * deviation + Math.sqrt(1 - memory * memory) * normal(random);
  }
}

export const WORLDS: readonly World[] = [
  { name: 'white', words: 'white noise of the seconds, 5 %', second: 0.05 },
  { name: 'ar-0.5', words: 'seconds that remember half of the one before', second: 0.05, memory: 0.5 },
  { name: 'ar-0.95', words: 'seconds that remember 95 % of the one before', second: 0.05, memory: 0.95 },
  { name: 'runs', words: 'each run off by 2 %', second: 0.05, run: 0.02 },
  { name: 'uneven', words: 'each run off by 0.5 % to 4.5 %, from cell to cell', second: 0.01, run: 0.015, uneven: 3 },
  { name: 'heavy', words: 'each run off by 1 %, now and then far more', second: 0.05, run: 0.01, heavy: true },
  { name: 'stalls', words: 'a stall of 12 s in every fifth run', second: 0.05, run: 0.01, stalls: 0.2 },
  { name: 'drift', words: '20 % slower at the end than at the start', second: 0.05, run: 0.005, drift: -0.2 },
  { name: 'steps', words: 'told in steps of 2 %, which hide the noise', second: 0.001, run: 0.004, step: 0.02 },
  { name: 'session', words: 'each session off by 3 %, each run by 1 %', second: 0.05, run: 0.01, session: 0.03 },
];
