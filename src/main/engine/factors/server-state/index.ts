import type { At, Changer, Found } from '../change.ts';

/** Name of the changer for the running state of servers. */
export const STATE_CHANGER = 'server-state';
/** Name of the setting in the journal. */
export const STATE = 'running state';
export const RUNNING = 'running';
export const STOPPED = 'stopped';

/** A server that is starting counts as running: its process exists. */
const stateOf = async ({ server, signal }: At): Promise<Found> => ({
  value: (await server().state(signal)) === 'stopped' ? STOPPED : RUNNING,
});

/**
 * Whether a server runs. No level varies it: events stop and kill servers, and their journal entries, written before, start them again,
 * even after Kneepoint itself was killed.
 */
export const serverStateChanger: Changer = {
  name: STATE_CHANGER,
  examine: async (at, settings) => {
    const found = await stateOf(at);
    return settings.map(() => ({ found, cost: 'restart', findings: [] }));
  },
  read: async (at, settings) => {
    const found = await stateOf(at);
    return settings.map(() => found);
  },
  matches: ({ value }, found) => found === value,
  async apply(at, changes) {
    for (const { setting } of changes) await reach(at, setting.value);
  },
  async restore(at, things) {
    for (const { first } of things) await reach(at, first.value ?? RUNNING);
  },
};

const reach = (at: At, value: string): Promise<void> =>
  value === STOPPED ? at.server().stop(at.signal) : at.server().start(at.signal);
