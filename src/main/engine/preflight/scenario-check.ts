import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { isSettingEvent, type ScenarioEvent } from '../../../shared/model/scenario.ts';
import type { DesiredSetting } from '../factors/change.ts';
import { eventSettings, type Step } from '../plans/index.ts';
import { atServer } from '../runs/index.ts';
import { cannotKill, commandHost, requireStatements, requireTarget } from '../trial/index.ts';
import { blocking } from './check.ts';
import type { PreflightContext, PreflightState } from './state.ts';
import { eachOnce } from './world-check.ts';

type Place = Pick<Step, 'target' | 'generators'>;

/** All settings that events need on hosts and servers, in any cell. */
export function eventSettingsOf(
  { steps, tool }: Pick<PreflightState, 'steps' | 'tool'>,
  events: readonly ScenarioEvent[],
): DesiredSetting[] {
  return eachOnce(steps.flatMap((step) => events.flatMap((event) => eventSettings(event, step, tool))));
}

/** Whether a scenario can be carried out, apart from the settings that it changes. Changes nothing. */
export async function lookAtScenario(
  context: PreflightContext,
  { steps }: Pick<PreflightState, 'steps'>,
  events: readonly ScenarioEvent[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const places = new Map<string, Place>();
  for (const { target, generators } of steps)
    places.set(
      JSON.stringify([target, generators]),
      atServer(context, { generators, ...(target !== undefined && { target }) }),
    );
  const others = events.filter((event) => !isSettingEvent(event));
  const looks = [...places.values()].flatMap((place) => others.map((event) => lookAt(context, place, event, signal)));
  const failed = (await Promise.allSettled(looks)).flatMap((look) =>
    look.status === 'rejected' ? [blocking(look.reason)] : [],
  );
  const distinct = new Map(failed.map((finding) => [finding.message, finding]));
  return [...distinct.values()];
}

async function lookAt(
  context: PreflightContext,
  place: Place,
  event: ScenarioEvent,
  signal: AbortSignal,
): Promise<void> {
  if (event.do === 'run') {
    context.machines.get(event.host ?? commandHost(context, place));
    return;
  }
  const target = requireTarget(place, event.do === 'statement' ? 'to run a statement on' : `to ${event.do}`);
  if (event.do === 'statement') return requireStatements(context, target, signal);
  const { server } = context.targets.spec(target);
  if (server && server.control.kind !== 'none') {
    if (event.do === 'kill' && !context.servers.of(target).kill) throw cannotKill(target);
    return;
  }
  throw new KneepointError({
    code: 'change-not-possible',
    message: `Events cannot ${event.do} the server of “${target}”: its target has no server control.`,
    target,
    safe: 'The tool was not started.',
    next: 'Set the control in the target, or remove the event under measure.events.',
  });
}
