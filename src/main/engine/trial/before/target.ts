import type { EngineFinding } from '../../../../shared/checks/index.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { BeforeTrial } from '../../../../shared/model/measure.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { startedWords } from '../../../../shared/model/target.ts';
import { formatDuration } from '../../../../shared/util/format.ts';
import type { Step } from '../../plans/index.ts';
import { type RunsContext, untilReachable, untilTargetReachable, type Waiting } from '../../runs/index.ts';
import { targetByKind } from '../../targets/index.ts';
import type { TargetSession } from '../../targets/target.ts';
import type { TrialContext } from '../context.ts';
import type { IdleCheck } from './idle.ts';

type Context = Pick<TrialContext, 'targets' | 'machines' | 'servers' | 'clock'>;

const secondsSince = ({ clock }: Pick<TrialContext, 'clock'>, start: number): string =>
  formatDuration(Math.round((clock.monotonic() - start) / 100) / 10);

/** Restarts the server of a target. Safe to repeat. Throws the errors of servers. */
export async function restartServer(context: Context, target: string, waiting: Waiting): Promise<EngineFinding[]> {
  const server = context.servers.of(target);
  const { via, server: place } = context.targets.spec(target);
  const machine = context.machines.get(place?.host ?? via ?? LOCAL_HOST_NAME);
  const by = place ? ` ${startedWords(place.control)}` : '';
  const start = context.clock.monotonic();
  await untilReachable(machine, waiting, () => server.restart(waiting.signal));
  return [
    {
      code: 'server-restarted',
      severity: 'note',
      message: `The server of “${target}” was restarted before the trial${by}, which took ${secondsSince(context, start)}.`,
    },
  ];
}

/** Sends a statement to a target and ignores its result. */
export async function runStatement(
  context: Context,
  target: string,
  statement: string,
  waiting: Waiting,
): Promise<EngineFinding[]> {
  const start = context.clock.monotonic();
  await ask(context, target, statement, waiting);
  return [
    {
      code: 'statement-run',
      severity: 'note',
      message: `The statement before the trial took ${secondsSince(context, start)} on “${target}”.`,
      evidence: statement.slice(0, 500),
    },
  ];
}

/** A query whose first value is true when it is quiet. */
export const targetIdleCheck = (context: Context, target: string, query: string, waiting: Waiting): IdleCheck => ({
  what: `“${target}”`,
  async read() {
    const value = await ask(context, target, query, waiting);
    return isTrue(value) ? [] : [`the condition returns ${value === null ? 'nothing' : `“${value.slice(0, 100)}”`}`];
  },
});

const FALSE = new Set(['', '0', 'f', 'false', 'no', 'off']);
/** As databases and people write it: zero of any kind is false. */
export const isTrue = (value: string | null): boolean =>
  value !== null && !FALSE.has(value.trim().toLowerCase()) && !/^[-+]?0*\.?0*$/.test(value.trim());

/** Returns the first value of a statement's result. Throws the errors of connections and servers. */
export const ask = (context: Context, target: string, statement: string, waiting: Waiting): Promise<string | null> =>
  untilTargetReachable(context, target, waiting, () =>
    withSession(context, target, waiting.signal, async ({ run }) => {
      if (run) return run(statement);
      throw notBefore(target);
    }),
  );

export async function withSession<T>(
  { targets }: Pick<TrialContext, 'targets'>,
  target: string,
  signal: AbortSignal,
  use: (session: Partial<TargetSession>) => Promise<T>,
): Promise<T> {
  const session = await targets.open(target, signal);
  try {
    return await use(session ?? {});
  } finally {
    await session?.close();
  }
}

/** The workload has no target, or one whose server takes no statements. `next`: how to change the document. */
export const noStatements = (target: string | undefined, next: string, safe?: string): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    message:
      target === undefined
        ? 'This workload has no target that could run statements.'
        : `“${target}” cannot run statements: servers of its kind do not support them.`,
    ...(target !== undefined && { target }),
    ...(safe !== undefined && { safe }),
    next,
  });

const notBefore = (target: string): KneepointError =>
  noStatements(target, 'Remove “statement” and “until” under “measure.before”.', 'The tool was not started.');

/** Throws `change-not-possible` for a target whose server takes no statements, and the errors of connections. */
export const requireStatements = (
  context: Pick<TrialContext, 'targets'>,
  target: string,
  signal: AbortSignal,
): Promise<void> =>
  withSession(context, target, signal, async ({ run }) => {
    if (!run) throw notBefore(target);
  });

/** Throws `change-not-possible` for a target without server control. */
export function requireRestart({ targets }: Pick<TrialContext, 'targets'>, target: string): void {
  const { server } = targets.spec(target);
  if (server && server.control.kind !== 'none') return;
  throw new KneepointError({
    code: 'change-not-possible',
    message: `The server of “${target}” cannot be restarted before each trial: its target has no server control.`,
    target,
    safe: 'The tool was not started.',
    next: 'Set it on the page of the target, or remove “restart” under “measure.before”.',
  });
}

type Place = Pick<Step, 'target' | 'generators'>;

/** The host of a cell's server; a cell without target is measured on its generators. Throws `change-not-possible` if the host is unknown. */
export function serverHosts(
  { targets }: Pick<RunsContext, 'targets'>,
  { target, generators }: Place,
): readonly string[] {
  if (target === undefined) return generators;
  const { kind, via, server } = targets.spec(target);
  if (server) return [server.host];
  if (targetByKind(kind).via === 'place') return [via ?? LOCAL_HOST_NAME];
  throw new KneepointError({
    code: 'change-not-possible',
    message: `The server host of “${target}” is unknown.`,
    target,
    safe: 'The tool was not started.',
    next: 'Set the server host in the target, or remove the entries for it under “measure.before”.',
  });
}

/** Hosts whose caches are dropped, each once. */
export function cacheHosts(
  context: Pick<RunsContext, 'targets'>,
  place: Place,
  caches: BeforeTrial['caches'] = 'none',
): readonly string[] {
  if (caches === 'none') return [];
  const servers = caches === 'generators' ? [] : serverHosts(context, place);
  const generators = caches === 'server' ? [] : place.generators;
  return [...new Set([...servers, ...generators])];
}

/** The target of a cell, for an action on it. Throws `change-not-possible` if it has none. */
export function requireTarget({ target }: Place, what: string): string {
  if (target !== undefined) return target;
  throw new KneepointError({
    code: 'change-not-possible',
    message: `This workload has no target ${what}.`,
    safe: 'The tool was not started.',
    next: 'Remove it under “measure.before”.',
  });
}
