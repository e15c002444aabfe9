import type { Finding } from '../../../../shared/model/finding.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { ScenarioEvent } from '../../../../shared/model/scenario.ts';
import { formatNumber } from '../../../../shared/util/format.ts';
import { type CellEffects, effectsOf, expandCells } from '../../plans/index.ts';
import { requireTarget } from '../before/places.ts';
import { requireStatements } from '../before/target.ts';
import type { RunsContext } from '../context.ts';
import { commandHost } from '../trial/scenario.ts';
import { blocking } from './finding-of.ts';
import type { Knowledge } from './knowledge.ts';

type Place = Pick<CellEffects, 'target' | 'generators'>;

/** Whether what a scenario wants can be done, and while a trial runs. Changes nothing. */
export async function lookAtScenario(
  context: RunsContext,
  { experiment, tool }: Pick<Knowledge, 'experiment' | 'tool'>,
  events: readonly ScenarioEvent[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const { warmup, duration } = experiment.measure;
  const late = events.filter(({ at }) => at >= warmup + duration).map((event) => tooLate(event, warmup + duration));
  const places = new Map<string, Place>();
  for (const cell of expandCells(experiment)) {
    const { target, generators } = effectsOf(experiment, cell, tool);
    places.set(JSON.stringify([target, generators]), { generators, ...(target !== undefined && { target }) });
  }
  const looks = [...places.values()].flatMap((place) => events.map((event) => lookAt(context, place, event, signal)));
  const failed = (await Promise.allSettled(looks)).flatMap((look) =>
    look.status === 'rejected' ? [blocking(look.reason)] : [],
  );
  const distinct = new Map([...late, ...failed].map((finding) => [finding.message, finding]));
  return [...distinct.values()];
}

async function lookAt(context: RunsContext, place: Place, event: ScenarioEvent, signal: AbortSignal): Promise<void> {
  if (event.do === 'run') {
    context.machines.get(event.host ?? commandHost(context, place));
    return;
  }
  const target = requireTarget(place, event.do === 'statement' ? 'to run a statement on' : `to ${event.do}`);
  if (event.do === 'statement') return requireStatements(context, target, signal);
  const { server } = context.targets.spec(target);
  if (server && server.control.kind !== 'none') return;
  throw new KneepointError({
    code: 'change-not-possible',
    message: `No event can ${event.do} the server of “${target}”: its target does not say how it is started.`,
    target,
    safe: 'The tool was not started.',
    next: 'Say it in the settings of the target, or remove the event under measure.events.',
  });
}

const tooLate = ({ at, do: what }: ScenarioEvent, end: number): Finding => ({
  code: 'bad-request',
  severity: 'block',
  message: `The event “${what}” at second ${formatNumber(at)} is never due: a trial ends at second ${formatNumber(end)}.`,
  next: 'Let it come earlier, or measure longer.',
});
