import { wholeSteps } from '../../../shared/model/step.ts';
import type { Machine } from '../hosts/machine.ts';
import type { SessionRecord } from '../runs/index.ts';
import type { TrialControl } from '../trial/index.ts';
import type { Activity, SessionContext } from './activity.ts';
import type { SessionRequests } from './session-requests.ts';
import type { SessionWorld } from './session-world.ts';

/** What those who take a session along its way have in common. */
export interface Leading {
  readonly context: SessionContext;
  readonly record: SessionRecord;
  readonly requests: SessionRequests;
  readonly world: SessionWorld;
  readonly activity: Activity;
  /** How a trial, or what comes before it, is led from outside. */
  control(runId?: number): TrialControl;
}

/** Whether a person wants it to pause or to stop. */
export const isAskedToEnd = ({ requests }: Pick<Leading, 'requests'>): boolean => requests.pausing || requests.stopping;

/** The hosts that load something in any cell. */
export const generatorsUsed = ({ context, record }: Pick<Leading, 'context' | 'record'>): Machine[] =>
  record.row().generators.map((name) => context.machines.get(name));

/** Names of the hosts that jobs of a session run on: its generators, and those that steps name. */
export function jobHosts(
  { store }: Pick<SessionContext, 'store'>,
  record: Pick<SessionRecord, 'id' | 'row'>,
): string[] {
  const { steps = [] } = store.sessions.snapshot(record.id).experiment;
  return [...new Set([...record.row().generators, ...wholeSteps(steps).flatMap(({ on }) => on ?? [])])];
}

/** Does this under these words. */
export async function under<T>(
  { activity }: Pick<Leading, 'activity'>,
  words: string,
  act: () => Promise<T>,
): Promise<T> {
  activity.doing(words);
  const done = await act();
  activity.doing(undefined);
  return done;
}
