import type { CheckedDocument } from '../../../shared/contract/experiments.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { checkDocument, checkingDocument, hostsOf, nodeOn } from '../plans/index.ts';
import { databaseOf, under } from '../runs/index.ts';
import { targetByKind } from '../targets/index.ts';
import { completePlan, type PlannedContext } from './planned.ts';
import type { PreflightContext } from './state.ts';
import { shownConnection } from './target-checks.ts';

export type CheckingContext = PlannedContext & Pick<PreflightContext, 'shownCommand'>;

/**
 * Problems, plan and displayed commands of a document. A start uses the same check, so it refuses nothing that this accepts, except for
 * reasons found on hosts.
 */
export const checkText = (context: CheckingContext, text: string): CheckedDocument =>
  checkDocument(text, knownTo(context));

/** Like `checkText`, cell by cell. */
export const checkingText = (context: CheckingContext, text: string): ReturnType<typeof checkingDocument> =>
  checkingDocument(text, knownTo(context));

const knownTo = (context: CheckingContext): Parameters<typeof checkDocument>[1] => ({
  tools: context.tools,
  connection: (experiment, target) => shownConnection(context, experiment, target),
  monitors: {
    isHost: (name) => name === LOCAL_HOST_NAME || context.store.hosts.byName(name) !== undefined,
    takesStatements: (target) =>
      context.targets.shown(target) && targetByKind(context.targets.spec(target).kind).takesStatements === true,
  },
  databaseOf: (target) => databaseOf(context, target),
  estimated: (experiment, plan, workload) => completePlan(context, experiment, plan, workload),
  steps: (tool, { options, warmup, duration, launch, ...places }, _experiment, connection, part, seed) => {
    const { assetsDir, shownCommand } = context;
    const names = hostsOf(places);
    const nodePath = nodeOn(names[part.index], context.nodePath);
    const generators = names.length;
    const input = { options, connection, warmup, duration, seed, part, generators, nodePath, assetsDir };
    const { run, prepare, cleanup } = tool.plan(input);
    return {
      run: shownCommand(under(launch, run)),
      ...(prepare && { prepare: shownCommand(prepare) }),
      ...(cleanup && { cleanup: shownCommand(cleanup) }),
      ...(tool.file && { file: tool.file.write(input) }),
      ...((run.overwrites ?? []).length > 0 && { overwrites: true }),
    };
  },
});
