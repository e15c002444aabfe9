import { wholeSteps } from '../../../shared/model/step.ts';
import type { Machine } from '../hosts/machine.ts';
import type { SessionRecord } from '../runs/index.ts';
import type { TrialControl } from '../trial/index.ts';
import type { Activity, SessionContext } from './activity.ts';
import type { SessionRequests } from './session-requests.ts';
import type { SessionWorld } from './session-world.ts';

/** Shared context of the classes that drive a session. */
export interface RunnerScope {
  readonly context: SessionContext;
  readonly record: SessionRecord;
  readonly requests: SessionRequests;
  readonly world: SessionWorld;
  readonly activity: Activity;
  /** External control of a trial, or of the work before it. */
  control(runId?: number): TrialControl;
}

/** Whether a user requested a pause or a stop. */
export const isAskedToEnd = ({ requests }: Pick<RunnerScope, 'requests'>): boolean =>
  requests.pausing || requests.stopping;

/** Hosts that generate load in any cell. */
export const generatorsUsed = ({ context, record }: Pick<RunnerScope, 'context' | 'record'>): Machine[] =>
  record.row().generators.map((name) => context.machines.get(name));

/** Names of the hosts that run jobs of a session: its generators, and hosts named by steps. */
export function jobHosts(
  { store }: Pick<SessionContext, 'store'>,
  record: Pick<SessionRecord, 'id' | 'row'>,
): string[] {
  const { steps = [] } = store.sessions.snapshot(record.id).experiment;
  return [...new Set([...record.row().generators, ...wholeSteps(steps).flatMap(({ on }) => on ?? [])])];
}

/** Runs `act`, shown as this activity. */
export async function withActivity<T>(
  { activity }: Pick<RunnerScope, 'activity'>,
  words: string,
  act: () => Promise<T>,
): Promise<T> {
  activity.doing(words);
  const done = await act();
  activity.doing(undefined);
  return done;
}
