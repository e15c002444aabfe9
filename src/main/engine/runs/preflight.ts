import { type StartFacts, startChecks } from '../../../shared/checks/index.ts';
import type { PreflightLine } from '../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, TargetDescription } from '../../../shared/model/target.ts';
import type { Machine } from '../hosts/machine.ts';
import { checkDocument, makePlan } from '../plans/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { RunsContext } from './context.ts';
import { dataState } from './data-state.ts';
import { needsOf } from './needs.ts';
import { occupiedFinding } from './occupied.ts';
import type { Sessions } from './sessions.ts';
import { toolOf } from './steps.ts';

type State = PreflightLine['state'];

/** What the lines learn from one another. */
interface Knowledge {
  experiment: Experiment;
  tool: Tool;
  machine: Machine;
  facts?: HostFacts;
  connection?: ConnectionFacts;
  target?: TargetDescription;
}

interface Check {
  id: string;
  title: string;
  /** Findings: none = fine. Throws when it could not look: that blocks. */
  look(signal: AbortSignal): Promise<readonly Finding[]>;
  /** Not worth trying after this one failed. */
  after?: string;
}

/** Looks at everything a start needs, in order, and yields the whole list at each change. */
export async function* preflight(
  context: RunsContext,
  sessions: Pick<Sessions, 'occupant'>,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<PreflightLine[]> {
  const document = readForPreflight(context, text);
  if ('line' in document) {
    yield [document.line];
    return;
  }
  const checks = checksFor(context, sessions, document.knowledge);
  const lines: PreflightLine[] = [
    { id: 'document', title: 'The document is complete', state: 'ok' },
    ...checks.map(({ id, title }) => ({ id, title, state: 'waiting' as const })),
  ];
  yield structuredClone(lines);
  for (const [index, check] of checks.entries()) {
    if (signal.aborted) return;
    const line = lines[index + 1] as PreflightLine;
    if (lines.some((other) => other.id === check.after && (other.state === 'block' || isNotLooked(other)))) {
      line.state = 'note';
      line.finding = {
        code: 'not-looked',
        severity: 'note',
        message: 'Not looked at, because an earlier check failed.',
      };
      continue;
    }
    line.state = 'running';
    yield structuredClone(lines);
    const [worst, ...others] = await lookSafely(check, signal);
    line.state = worst ? stateOf(worst) : 'ok';
    if (worst) line.finding = worst;
    others.forEach((finding, at) => {
      lines.splice(lines.indexOf(line) + 1 + at, 0, {
        id: `${check.id}-${finding.code}`,
        title: check.title,
        state: stateOf(finding),
        finding,
      });
    });
    yield structuredClone(lines);
  }
}

const isNotLooked = (line: PreflightLine): boolean => line.finding?.code === 'not-looked';

function readForPreflight(context: RunsContext, text: string): { line: PreflightLine } | { knowledge: Knowledge } {
  const checked = checkDocument(text, {
    tools: context.tools,
    command: () => '',
    connection: () => ({ kind: 'host' }),
  });
  const problem = checked.problems[0];
  if (problem || !checked.experiment) {
    const where = problem?.line === undefined ? '' : ` (line ${problem.line})`;
    const finding: Finding = {
      code: 'experiment-invalid',
      severity: 'block',
      message: `${problem?.message ?? 'The document cannot be read.'}${where}`,
    };
    return { line: { id: 'document', title: 'The document is complete', state: 'block', finding } };
  }
  const { experiment } = checked;
  try {
    const machine = context.machines.get(experiment.where.generators[0] as string);
    return { knowledge: { experiment, tool: toolOf(context, experiment.workload.tool), machine } };
  } catch (error) {
    return { line: { id: 'generator', title: 'The generator is known', state: 'block', finding: blocking(error) } };
  }
}

function checksFor(context: RunsContext, sessions: Pick<Sessions, 'occupant'>, known: Knowledge): Check[] {
  const { experiment, tool, machine } = known;
  const { target } = experiment.where;
  const checks: Check[] = [
    {
      id: 'free',
      title: 'No other session is using the generator or the target',
      look: async () => {
        const occupant = sessions.occupant(experiment);
        return occupant ? [occupiedFinding(occupant)] : [];
      },
    },
    {
      id: 'generator',
      title: `Generator “${machine.name}” answers`,
      after: 'free',
      look: async (signal) => {
        await machine.exec('exit 0', { signal, timeoutMs: 20_000 });
        known.facts = await context.readFacts(machine, signal);
        return [];
      },
    },
    {
      id: 'tool',
      title: `${tool.title} is there`,
      after: 'generator',
      look: async () => {
        if (!tool.probe) return [];
        const presence = known.facts?.tools.find((entry) => entry.tool === tool.id);
        if (presence?.found && presence.message === undefined) return [];
        const message = presence?.message ?? `${tool.title} was not found on ${machine.name}.`;
        return [
          {
            code: presence?.found ? 'tool-too-old' : 'tool-missing',
            severity: 'block',
            message,
            next: tool.probe.install,
          },
        ];
      },
    },
  ];
  if (target !== undefined) {
    checks.push(
      {
        id: 'target',
        title: `Target “${target}” answers`,
        after: 'free',
        look: async (signal) => {
          known.connection = await context.targets.connection(target);
          const session = await context.targets.open(target, signal);
          try {
            const description = await session?.describe();
            if (description) known.target = description;
          } finally {
            await session?.close();
          }
          return [];
        },
      },
      {
        id: 'path',
        title: `“${machine.name}” reaches the target's address`,
        after: 'target',
        look: async () => reachFrom(machine, known.connection),
      },
      {
        id: 'data',
        title: 'The data is there, or can be prepared',
        after: 'target',
        look: (signal) => lookAtData(context, known, target, signal),
      },
    );
  }
  checks.push({
    id: 'fairness',
    title: 'Fairness of the result',
    look: async () => startChecks(factsForChecks(known)),
  });
  return checks;
}

async function reachFrom(machine: Machine, connection: ConnectionFacts | undefined): Promise<Finding[]> {
  if (connection?.host === undefined || connection.port === undefined) return [];
  const stream = await machine.dial(connection.host, connection.port, 'preflight');
  stream.destroy();
  return [];
}

async function lookAtData(
  context: RunsContext,
  known: Knowledge,
  target: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { experiment } = known;
  const { together } = await needsOf(context, experiment, makePlan(experiment));
  const policy = experiment.workload.data;
  if (!together) return [];
  if (policy === 'recreate') {
    return [
      {
        code: 'data-replaced',
        severity: 'warn',
        message: `The tables of this workload on ${target} will be dropped and made again: ${together.title}.`,
      },
    ];
  }
  const state = await dataState(context, target, together, signal);
  if (state.complete) return [];
  const what = state.wrong.slice(0, 3).join('; ');
  if (policy === 'keep') {
    return [
      {
        code: 'data-mismatch',
        severity: 'block',
        message: `The data is not as the workload needs it: ${what}.`,
        next: 'Choose “create” to prepare it.',
      },
    ];
  }
  return state.empty
    ? [{ code: 'data-prepared', severity: 'note', message: `It will be prepared first: ${together.title}.` }]
    : [
        {
          code: 'data-mismatch',
          severity: 'block',
          message: `There are tables of another size: ${what}.`,
          next: 'Choose “recreate” to replace them, or use another database.',
        },
      ];
}

function factsForChecks(known: Knowledge): StartFacts {
  const { experiment, machine, facts, connection, target } = known;
  return {
    experiment,
    generator: { name: machine.name, ...(facts && { facts }) },
    ...(connection?.host !== undefined && { targetAddress: connection.host }),
    ...(target && { target }),
  };
}

async function lookSafely(check: Check, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    const findings = await check.look(signal);
    const weight: Record<Finding['severity'], number> = { block: 0, error: 1, warn: 2, note: 3 };
    return [...findings].sort((a, b) => weight[a.severity] - weight[b.severity]);
  } catch (error) {
    return [blocking(error)];
  }
}

const blocking = (error: unknown): Finding => {
  const problem = problemOf(error);
  const finding: Finding = { code: problem.code, severity: 'block', message: problem.message };
  return problem.next ? { ...finding, next: problem.next } : finding;
};

const stateOf = (finding: Finding): State => (finding.severity === 'error' ? 'block' : finding.severity);

/** Runs the preflight to its end; throws `preflight-refused` with the blocks. */
export async function requirePreflight(
  context: RunsContext,
  sessions: Pick<Sessions, 'occupant'>,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  let lines: PreflightLine[] = [];
  for await (lines of preflight(context, sessions, text, signal));
  if (signal.aborted) {
    throw new KneepointError({
      code: 'cancelled',
      message: 'The start was cancelled while the preflight ran.',
      safe: 'Nothing was started.',
    });
  }
  const blocks = lines.filter((line) => line.state === 'block');
  if (blocks.length === 0) return;
  throw new KneepointError({
    code: 'preflight-refused',
    message: blocks.map((line) => line.finding?.message ?? line.title).join(' '),
    safe: 'Nothing was started.',
    next:
      blocks
        .map((line) => line.finding?.next)
        .filter(Boolean)
        .join(' ') || 'Mend what is named and start again.',
    details: blocks,
  });
}
