import { KneepointError, type Problem, problemKind } from '../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { capital } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import { nodeOn } from '../plans/index.ts';
import { toolOf } from '../runs/index.ts';
import type { DataSetRow } from '../store/store.ts';
import { runJobStep } from '../trial/index.ts';
import { keepForAWhile } from '../world/index.ts';
import type { DataContext } from './kind.ts';

interface Place {
  /** The machine that runs the tool. */
  machine: Machine;
  connection: ConnectionFacts;
  /** Target or host to name in problems. */
  at: Pick<Problem, 'target' | 'host'>;
}

/** Words for error messages: "this data", and what a user can do if the tool has no clean-up. */
interface Words {
  noun: string;
  it: string;
  byHand: string;
}

/**
 * Runs the clean-up of the tool that made a set, planned from the set's recipe. Throws `unsupported` if the tool has no such step, and
 * `run-failed` or `job-lost` if the step failed.
 */
export async function cleanUp(
  context: DataContext,
  { tool: id, recipe }: Pick<DataSetRow, 'tool' | 'recipe'>,
  { machine, connection, at }: Place,
  { it, noun, byHand }: Words,
  signal: AbortSignal,
): Promise<void> {
  const tool = toolOf(context, id);
  const { warmup, duration, seed } = recipe;
  const options = tool.options.parse(recipe.options);
  const nodePath = nodeOn(machine.name, context.nodePath);
  const { assetsDir } = context;
  const { cleanup } = tool.plan({ options, connection, warmup, duration, seed, nodePath, assetsDir });
  if (!cleanup)
    throw new KneepointError({
      code: 'unsupported',
      message: `${tool.title} has no clean-up step for ${it}.`,
      ...at,
      safe: 'Nothing was changed.',
      next: capital(byHand),
    });
  const said: string[] = [];
  const control = {
    signal,
    ended: () => undefined,
    onChanged: () => {},
    notice: (level: 'info' | 'warn' | 'error', message: string) => {
      if (level !== 'info') said.push(context.redact(message));
    },
  };
  const save = (job: { host: string; jobId: string } | undefined): void => {
    if (job) keepForAWhile(context, job);
  };
  try {
    const job = { kind: 'cleanup', command: cleanup, underWay: undefined, save } as const;
    await runJobStep(context, { tool, options }, machine, control, job);
  } catch (error) {
    if (!(error instanceof KneepointError) || problemKind(error)?.about !== 'step') throw error;
    const safe = `The ${noun} stays listed.`;
    throw new KneepointError({ ...error.problem, ...at, safe, details: said.join('\n') }, { cause: error });
  }
}
