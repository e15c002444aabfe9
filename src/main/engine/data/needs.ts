import { createHash } from 'node:crypto';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { Step } from '../plans/index.ts';
import { atServer, commandsOf, connectionOf, type RunsContext, toFirst, toolOf } from '../runs/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { Preparation } from './kind.ts';
import { kindOf, needOf } from './kinds.ts';
import { covers } from './sets.ts';

/** All data that these steps need, each once: the largest first, without those that a larger one includes. */
export async function preparationsOf(
  context: RunsContext,
  experiment: Experiment,
  steps: readonly Step[],
): Promise<Preparation[]> {
  const found = new Map<string, Preparation>();
  for (const step of steps) {
    const preparation = await preparationOf(context, experiment, step);
    if (preparation && !found.has(preparation.key)) found.set(preparation.key, preparation);
  }
  const ordered = [...found.values()].sort(
    (a, b) => largestOf(b) - largestOf(a) || (b.need?.parts.length ?? 0) - (a.need?.parts.length ?? 0),
  );
  return withoutRepeatedCleanups(
    ordered.filter((each, at) => !ordered.slice(0, at).some((larger) => brings(context, larger, each))),
  );
}

/** A clean-up shared by several preparations runs only before the first: later it would remove what that one made. */
function withoutRepeatedCleanups(preparations: readonly Preparation[]): Preparation[] {
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
  step: Step,
): Promise<Preparation | undefined> {
  const tool = toolOf(context, step.workload.tool);
  const need = needOf(context, experiment, step);
  if (need?.selfMade) return undefined;
  // A proxy would slow loading down, or keep the lock of a session that no longer ends.
  const connection = toFirst(await connectionOf(context, tool, atServer(context, step)));
  const { seed } = experiment.measure;
  const { prepare, cleanup } = commandsOf(context, tool, step, { seed, connection });
  if (!prepare) return undefined;
  const { warmup, duration } = step;
  return {
    key: need?.key ?? keyOfCommands(tool, step, seed, connection),
    tool,
    prepare,
    ...(cleanup && { cleanup }),
    ...(need && { need }),
    recipe: {
      generator: step.generators[0] as string,
      options: { ...step.options, ...need?.extraOptions },
      warmup,
      duration,
      seed,
    },
  };
}

/**
 * Key of data that cannot be checked: a digest of everything its steps consist of, such as statements in a file. Without secrets and values
 * that change between starts of Kneepoint, because it is stored and has to be found again after a restart.
 */
function keyOfCommands(
  tool: Tool,
  step: Step,
  seed: number,
  { password, relay, ...connection }: ConnectionFacts,
): string {
  const always: ConnectionFacts = {
    ...connection,
    ...(password !== undefined && { password: 'password' }),
    ...(relay !== undefined && { relay: 'relay' }),
  };
  const { prepare, cleanup } = commandsOf({ nodePath: 'node', assetsDir: '' }, tool, step, {
    seed,
    connection: always,
  });
  const made = [prepare, cleanup].map((command) => command && [command.argv, command.env, command.files]);
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}
