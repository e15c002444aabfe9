import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildStale } from '../../scripts/build.ts';
import { alone } from './alone.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');

/** Built by one test process at a time, if sources are newer. */
function built(part: 'programs' | 'renderer' | 'cli'): Promise<string[]> {
  mkdirSync(dist, { recursive: true });
  return alone(path.join(dist, '.lock'), () => buildStale([part]));
}

/** Programs of ours, as they are sent to hosts. */
export const buildPrograms = (): Promise<string[]> => built('programs');

/** The command line, for tests that start it repeatedly. */
export const buildCli = (): Promise<string[]> => built('cli');

/** The page, for tests of its server. */
export const buildPage = (): Promise<string[]> => built('renderer');
