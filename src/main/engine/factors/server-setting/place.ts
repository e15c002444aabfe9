import { KneepointError } from '../../../../shared/model/problem.ts';
import { isSilent, targetByKind } from '../../targets/index.ts';
import type { SettingsControl, SettingsKnowledge, TargetSession } from '../../targets/target.ts';
import type { At } from '../change.ts';

/** Why the settings of a server cannot be changed at all, as a sentence; undefined: they can. */
export const notVaried = (at: At): string =>
  `Kneepoint does not change settings of ${targetByKind(at.target().kind).title} servers.`;

/** A connection for the time of `use`, with the way to change settings on it. Throws `change-not-possible` for a kind without one. */
export function controlled<T>(
  at: At,
  use: (control: SettingsControl, session: TargetSession) => Promise<T>,
): Promise<T> {
  return at.connected(async (session) => {
    const control = await session.settingsControl?.();
    if (control) return use(control, session);
    throw new KneepointError({
      code: 'change-not-possible',
      message: notVaried(at),
      target: at.place.name,
      safe: 'Nothing was changed.',
      next: 'Give each value a server of its own, and vary the target.',
    });
  });
}

export const knowledgeOf = (at: At): SettingsKnowledge | undefined => targetByKind(at.target().kind).settings;

/** Whether Kneepoint can start and stop the server. */
export const isStartable = (at: At): boolean => {
  const place = at.target().server;
  return place !== undefined && place.control.kind !== 'none';
};

/**
 * Whether an error of a connection means that a server which Kneepoint can start is down: it may have been cut off between stop and start.
 * Throws what keeps us from asking.
 */
export async function isDown(at: At, error: unknown): Promise<boolean> {
  if (!isSilent(error) || !isStartable(at)) return false;
  return (await at.server().state(at.signal)) !== 'running';
}

/** Whether the server takes connections; false only for one that is down. Throws what else keeps us from it. */
export async function isUp(at: At): Promise<boolean> {
  try {
    await at.connected((session) => session.ping());
    return true;
  } catch (error) {
    if (await isDown(at, error)) return false;
    throw error;
  }
}
