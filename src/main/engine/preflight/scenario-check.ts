import path from 'node:path';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { isSettingEvent, type ScenarioEvent } from '../../../shared/model/scenario.ts';
import { wholeSteps } from '../../../shared/model/step.ts';
import type { DesiredSetting } from '../factors/change.ts';
import { readProgram } from '../facts/index.ts';
import { actToolOf, eventSettings, hostsOf, type Step } from '../plans/index.ts';
import { atServer, runsHere } from '../runs/index.ts';
import type { Tool } from '../tools/tool.ts';
import { cannotKill, commandHost, conditionOf, requireStatements, requireTarget } from '../trial/index.ts';
import { blocking } from './check.ts';
import type { PreflightContext, PreflightState } from './state.ts';
import { distinct } from './world-check.ts';

type Place = Pick<Step, 'target' | 'generators'>;

/** All settings that events need on hosts and servers, in any cell. */
export function eventSettingsOf(
  { steps, tool }: Pick<PreflightState, 'steps' | 'tool'>,
  events: readonly ScenarioEvent[],
): DesiredSetting[] {
  return distinct(steps.flatMap((step) => events.flatMap((event) => eventSettings(event, step, tool))));
}

/** Whether a scenario can be carried out, apart from the settings that it changes. Changes nothing. */
export async function checkScenario(
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
  const checks = [...places.values()].flatMap((place) =>
    others.map((event) => checkEvent(context, place, event, signal)),
  );
  const failed = (await Promise.allSettled(checks)).flatMap((check) =>
    check.status === 'rejected' ? [blocking(check.reason)] : [],
  );
  const distinct = new Map(failed.map((finding) => [finding.message, finding]));
  return [...distinct.values()];
}

async function checkEvent(
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
    next: 'Set the control in the target, or remove the event under “measure.events”.',
  });
}

/**
 * Whether steps that do not run the workload can be carried out: conditions can be evaluated, hosts respond, and they have the program that
 * sends statements. A misspelled status would never be reached. Changes nothing.
 */
export async function checkActs(
  context: PreflightContext,
  known: Pick<PreflightState, 'cells' | 'generators' | 'experiment'>,
  signal: AbortSignal,
): Promise<Finding[]> {
  const checks = new Map<string, () => Promise<Finding[]>>();
  const { steps = [], workload } = known.experiment;
  const names = wholeSteps(steps).map(({ name }) => name);
  const placed = known.cells.flatMap((cell) => cell.steps.map((step, place) => ({ step, place })));
  for (const { step, place } of placed) {
    const tool = actToolOf(step);
    if (!tool) continue;
    const wait = tool.waits?.(step.options);
    if (wait) {
      const key = JSON.stringify([wait.until, step.target, step.generators]);
      const mayComeTrue = wait.until.sql !== undefined && (place > 0 || workload.data !== 'keep');
      checks.set(key, () =>
        conditionOf(context, step, wait.until, { signal })
          .read()
          .then(
            () => [],
            (error: unknown) => {
              if (mayComeTrue) return [refusedNow(error, names[place])];
              throw error;
            },
          ),
      );
    } else
      for (const host of hostsOf(step))
        checks.set(`${tool.id} ${host}`, async () => {
          await checkHost(context, known, { tool, host }, signal);
          return [];
        });
  }
  const findings = await Promise.all(
    [...checks.values()].map((check) => check().catch((error: unknown): Finding[] => [blocking(error)])),
  );
  return [...new Map(findings.flat().map((finding) => [finding.message, finding])).values()];
}

/** A query that the server refuses now, but perhaps not after the data is prepared. Rethrows other errors. */
function refusedNow(error: unknown, step = ''): Finding {
  const { code, message } = problemOf(error);
  if (code !== 'change-refused') throw error;
  return {
    code: 'wait-refused-now',
    severity: 'warn',
    message: `The wait query of step “${step}” cannot be run yet: ${message}`,
    next: 'Correct it, unless it reads what the preparation or an earlier step creates.',
  };
}

async function checkHost(
  context: PreflightContext,
  { generators }: Pick<PreflightState, 'generators'>,
  { tool, host }: { tool: Tool; host: string },
  signal: AbortSignal,
): Promise<void> {
  const machine = context.machines.get(host);
  const known = generators.find((generator) => generator.machine.name === host);
  if (!known) await machine.exec('exit 0', { signal, timeoutMs: 20_000 });
  const { partOfApp, probedAs } = tool;
  if (partOfApp?.runs === 'anywhere') readProgram(path.join(context.assetsDir, partOfApp.program));
  if (probedAs === undefined || runsHere(tool, host)) return;
  const facts = known?.facts ?? (await context.readFacts(machine, signal));
  const found = facts.tools.find((entry) => entry.tool === probedAs);
  if (found?.found && found.message === undefined) return;
  throw new KneepointError({
    code: found?.found ? 'tool-too-old' : 'tool-missing',
    host,
    message: `On ${host}: Node, which sends statements, ${found?.found ? 'is too old' : 'was not found'}.`,
    safe: 'Nothing was started.',
    next: 'Install Node 20.19 or newer there, or choose another host under “on” in the step; on this computer, Kneepoint uses its own.',
  });
}
