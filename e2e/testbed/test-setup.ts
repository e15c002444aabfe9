import { buildStale } from '../../scripts/build.ts';

/** Before the first test, however the tests were started: programs of ours run as they are sent to hosts. */
export const setup = (): Promise<string[]> => buildStale(['programs']);
