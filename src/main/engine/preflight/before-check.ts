import type { Finding } from '../../../shared/model/finding.ts';
import type { BeforeTrial } from '../../../shared/model/measure.ts';
import type { Step } from '../plans/index.ts';
import { atServer, type RunsContext } from '../runs/index.ts';
import {
  cacheHosts,
  requireDroppable,
  requireRestart,
  requireStatements,
  requireTarget,
  serverHosts,
} from '../trial/index.ts';
import { blocking } from './check.ts';
import type { PreflightState } from './state.ts';

type Place = Pick<Step, 'target' | 'generators'>;

/** Whether the actions before each trial are possible there: otherwise one trial after the other would fail. Changes nothing. */
export async function lookBefore(
  context: RunsContext,
  { steps }: Pick<PreflightState, 'steps'>,
  before: BeforeTrial,
  signal: AbortSignal,
): Promise<Finding[]> {
  const places = new Map<string, Place>();
  for (const { target, generators } of steps)
    places.set(
      JSON.stringify([target, generators]),
      atServer(context, { generators, ...(target !== undefined && { target }) }),
    );
  const looks = [...places.values()].flatMap((place) => looksAt(context, place, before, signal));
  const findings = await Promise.all(
    looks.map((look) =>
      look().then(
        () => [],
        (error: unknown) => [blocking(error)],
      ),
    ),
  );
  const distinct = new Map(findings.flat().map((finding) => [finding.message, finding]));
  return [...distinct.values()];
}

function looksAt(
  context: RunsContext,
  place: Place,
  { restart, caches, statement, until, dirty, writes }: BeforeTrial,
  signal: AbortSignal,
): (() => Promise<void>)[] {
  const looks: (() => Promise<void>)[] = [];
  if (restart) looks.push(async () => requireRestart(context, requireTarget(place, 'to be restarted')));
  if (caches !== undefined)
    looks.push(async () => {
      for (const host of cacheHosts(context, place, caches)) await requireDroppable(context.machines.get(host), signal);
    });
  if (statement !== undefined || until !== undefined)
    looks.push(() => requireStatements(context, requireTarget(place, 'to run a statement on'), signal));
  if (dirty !== undefined || writes !== undefined)
    looks.push(async () => {
      serverHosts(context, place);
    });
  return looks;
}
