import type { Canary } from '../drift.ts';
import { normalFrom } from './load-worlds.ts';

/** Disturbances of a canary whose true figure is 1000. `run` and `drift` are shares of it. */
interface World {
  readonly run: number;
  /** Occasionally a run is far off (Student's t with three degrees of freedom). */
  readonly heavy?: boolean;
  /** From the first canary to the last. */
  readonly drift?: number;
  /** Values are reported in steps of this size. */
  readonly step?: number;
}

/** This many canaries, at irregular times. */
export function canaries({ run, heavy, drift = 0, step }: World, count: number, random: () => number): Canary[] {
  const normal = normalFrom(random);
  const deviation = (): number =>
    heavy ? (normal() / Math.hypot(normal(), normal(), normal())) * Math.sqrt(3) : normal();
  return Array.from({ length: count }, (_, index) => {
    const place = index === 0 ? 0 : index === count - 1 ? 1 : (index + 0.4 * (random() - 0.5)) / (count - 1);
    const value = 1000 * (1 + drift) ** place * Math.exp(run * deviation());
    return step === undefined
      ? { at: place * 3600, value }
      : { at: place * 3600, value: Math.round(value / step) * step, resolution: step };
  });
}
