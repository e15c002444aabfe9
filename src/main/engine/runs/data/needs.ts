import { createHash } from 'node:crypto';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Cell } from '../../../../shared/model/plan.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { effectsOf } from '../../plans/index.ts';
import type { RunsContext } from '../context.ts';
import { connectionOf, stepsOf, toolOf } from '../steps.ts';
import type { Preparation } from './kind.ts';
import { kindOf, needOf } from './kinds.ts';
import { covers } from './sets.ts';

/** Everything that these cells need, each data once: the largest first, and none that a larger one brings along. */
export async function preparationsOf(
  context: RunsContext,
  experiment: Experiment,
  cells: readonly Cell[],
): Promise<Preparation[]> {
  const found = new Map<string, Preparation>();
  for (const cell of cells) {
    const preparation = await preparationOf(context, experiment, cell);
    if (preparation && !found.has(preparation.key)) found.set(preparation.key, preparation);
  }
  const ordered = [...found.values()].sort(
    (a, b) => largestOf(b) - largestOf(a) || (b.need?.parts.length ?? 0) - (a.need?.parts.length ?? 0),
  );
  return cleanedOnce(
    ordered.filter((each, at) => !ordered.slice(0, at).some((larger) => brings(context, larger, each))),
  );
}

/** What several have for their clean-up is run before the first of them alone: it would take away what that has made. */
function cleanedOnce(preparations: readonly Preparation[]): Preparation[] {
  const before = new Set<string>();
  return preparations.map((preparation) => {
    const { cleanup, ...rest } = preparation;
    if (!cleanup || preparation.need) return preparation;
    const key = JSON.stringify([cleanup.argv, cleanup.env, cleanup.files]);
    if (before.has(key)) return rest;
    before.add(key);
    return preparation;
  });
}

const largestOf = ({ need }: Preparation): number => Math.max(0, ...(need?.parts ?? []).map(({ size }) => size));

const brings = ({ store }: RunsContext, { need: larger }: Preparation, { need }: Preparation): boolean =>
  larger !== undefined &&
  need !== undefined &&
  larger.kind === need.kind &&
  larger.directory === need.directory &&
  kindOf(need).placeKey(store, larger.place) === kindOf(need).placeKey(store, need.place) &&
  covers(kindOf(need), larger.parts, need.parts);

async function preparationOf(
  context: RunsContext,
  experiment: Experiment,
  cell: Cell,
): Promise<Preparation | undefined> {
  const need = needOf(context, experiment, cell);
  if (need?.selfMade) return undefined;
  const tool = toolOf(context, experiment.workload.tool);
  const effects = effectsOf(experiment, cell, tool);
  const connection = await connectionOf(context, tool, effects);
  const { prepare, cleanup } = stepsOf(
    context,
    experiment,
    { ...cell, seed: experiment.measure.seed },
    connection,
  ).plan;
  if (!prepare) return undefined;
  const { warmup, duration } = effects;
  const { seed } = experiment.measure;
  return {
    key: need?.key ?? keyOfSteps(context, experiment, cell, connection),
    tool,
    prepare,
    ...(cleanup && { cleanup }),
    ...(need && { need }),
    recipe: {
      generator: effects.generators[0] as string,
      options: { ...effects.options, ...need?.besides },
      warmup,
      duration,
      seed,
    },
  };
}

/**
 * What tells data apart that cannot be checked: all that its steps are made of, such as statements in a file. Planned without secrets
 * and without what changes from one start of the app to the next, as it is stored, and a restart has to find it again.
 */
function keyOfSteps(
  { tools }: RunsContext,
  experiment: Experiment,
  cell: Cell,
  { password, relay, ...connection }: ConnectionFacts,
): string {
  const always: ConnectionFacts = {
    ...connection,
    ...(password !== undefined && { password: 'password' }),
    ...(relay !== undefined && { relay: 'relay' }),
  };
  const { prepare, cleanup } = stepsOf(
    { tools, nodePath: 'node', assetsDir: '' },
    experiment,
    { ...cell, seed: experiment.measure.seed },
    always,
  ).plan;
  const made = [prepare, cleanup].map((step) => step && [step.argv, step.env, step.files]);
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}
