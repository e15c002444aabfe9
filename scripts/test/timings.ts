import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../lib/terminal.ts';
import type { Timings } from './schedule.ts';

/** From the last runs of this clone. */
const OWN = path.join(root, 'test-results/timings.json');
/** For a new clone: a copy from a quiet machine. */
const SHARED = path.join(root, 'scripts/test/timings.json');

export const readTimings = (): Timings => JSON.parse(readFileSync(existsSync(OWN) ? OWN : SHARED, 'utf8'));

/** Stores the timings of these files; those of others stay. */
export function keepTimings(measured: Timings): void {
  const rounded = Object.entries({ ...readTimings(), ...measured })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { wall, cpu }]) => [file, { wall: Number(wall.toFixed(1)), cpu: Number(cpu.toFixed(1)) }]);
  writeFileSync(OWN, `${JSON.stringify(Object.fromEntries(rounded), undefined, 1)}\n`);
}
