import { buildPrograms } from './built.ts';

/** Before the first test, however the tests were started: programs of ours run as they are sent to hosts. */
export async function setup(): Promise<void> {
  await buildPrograms();
}
