import type { Experiment } from '../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, ServerAddress, TargetSpec } from '../../../shared/model/target.ts';
import { formatCount, formatNumber } from '../../../shared/util/format.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import { describeTarget, roundTripMs } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { isAct, neededTargets, resolveCells, type Step, workSteps } from '../plans/index.ts';
import { type Generator, type RunsContext, runsHere, seenFrom, serverTarget, wayOf } from '../runs/index.ts';
import { exampleFacts, GENERATOR_KIND, isSilent, targetByKind } from '../targets/index.ts';
import { type Check, type CheckResult, ofEach, type StartFinding, together } from './check.ts';
import { checkLimits } from './limits.ts';
import { type KnownTarget, type PreflightContext, type PreflightState, withTarget } from './state.ts';
import { checkCachedReads, checkIdleSettings } from './without-effect.ts';

/** With several targets, the id of a line includes the target's name. */
export const idOf = (id: string, { name }: Pick<KnownTarget, 'name'>, { length }: { length: number }): string =>
  length > 1 ? `${id}-${name}` : id;

/**
 * Checks whether a target responds, receives the tool's password safely, can be reached from the generators, and has room for all
 * connections.
 */
export function checksOfTarget(
  context: PreflightContext,
  { tool, generators, targets: all }: PreflightState,
  { name }: KnownTarget,
): Check[] {
  const names = generators.map(({ machine }) => `“${machine.name}”`).join(', ');
  const whose = all.length > 1 ? `target “${name}”` : 'the target';
  const id = (of: string): string => idOf(of, { name }, all);
  const known = ({ targets }: PreflightState): KnownTarget => targets.find((each) => each.name === name) ?? { name };
  return [
    {
      id: id('target'),
      title: `Target “${name}”`,
      after: 'free',
      of: { place: 'target', name },
      run: async (state, signal) => {
        const connection = await context.targets.connection(name);
        const facts = await describeTarget(context, name, signal).catch(async (error: unknown) => {
          throw await inServerWords(context, name, error, signal);
        });
        const { description, address } = facts;
        const product = description && `${description.product} ${description.version}`.trim();
        return {
          evidence: [[product, address].filter(Boolean).join(' at ') || name],
          learnt: withTarget(state, { name, connection, facts }),
        };
      },
    },
    {
      id: id('password'),
      title: `Password of ${whose}`,
      after: id('target'),
      run: async (state) => {
        const findings = passwordFindings(state, known(state));
        const fine = known(state).connection?.password === undefined ? 'Not needed' : 'Sent securely';
        return { findings, evidence: findings.length === 0 ? [fine] : [] };
      },
    },
    {
      id: id('path'),
      title: `Connection from ${names} to ${whose}`,
      after: id('target'),
      run: async (state, signal) => {
        const target = known(state);
        const { connection, facts } = target;
        const roundTrips = [...(facts?.roundTrips ?? [])];
        const results = await ofEach(state.generators, async ({ machine }) => {
          // On this computer, Kneepoint's own programs use the connection over which the target has just responded.
          if (runsHere(tool, machine.name)) return {};
          const reached = await reachFrom(machine, state, target);
          const { host, port, socket } = connection ?? {};
          if (host === undefined || port === undefined || socket !== undefined || !facts) return { evidence: reached };
          const ms = await roundTripMs(machine, { host, port }, signal);
          if (ms === undefined) return { evidence: reached };
          roundTrips.push({ from: machine.name, ms });
          return { evidence: [...reached, `${formatNumber(ms, 3)} ms round trip`] };
        });
        return {
          ...together([{ findings: elsewhere(context.targets.spec(name), state.generators) }, ...results]),
          ...(facts &&
            roundTrips.length > 0 && { learnt: withTarget(state, { name, facts: { ...facts, roundTrips } }) }),
        };
      },
    },
    ...(context.targets.shown(name) && serverTarget(context, name) !== name
      ? [behindCheck(context, { name, id: id('behind'), after: id('target'), whose })]
      : []),
    {
      id: id('limits'),
      title: `Connection limits of ${generators.length > 1 ? 'generators' : 'generator'} and ${all.length > 1 ? whose : 'target'}`,
      after: id('target'),
      run: async (state): Promise<CheckResult> => {
        const target = known(state);
        const counts = stepsAgainst(state, target).map(({ options }) => tool.load?.connections?.(options) ?? 0);
        return {
          findings: [
            ...addressFindings(state, target),
            ...checkLimits(state, target),
            ...checkIdleSettings(state, target),
            ...checkCachedReads(state, target),
          ],
          evidence: [`${formatCount(Math.max(0, ...counts), 'connection')} in the largest cell`],
        };
      },
    },
  ];
}

/** Whether a proxy leads to the server that its target names, and generators reach that server if they prepare its data. */
function behindCheck(
  context: PreflightContext,
  { name, id, after, whose }: { name: string; id: string; after: string; whose: string },
): Check {
  const behind = serverTarget(context, name);
  return {
    id,
    title: `Server behind ${whose}`,
    after,
    async run(state, signal) {
      const [near, far] = [await identityOf(context, name, signal), await identityOf(context, behind, signal)];
      const others = Object.entries(near).filter(([what, value]) => far[what] !== undefined && far[what] !== value);
      const { socket, host, port } = await context.targets.connection(behind);
      const preparing = new Set(
        stepsAgainst(state, { name }).flatMap(({ options, generators }) =>
          state.experiment.workload.data !== 'keep' &&
          state.tool.data?.(options, context.targets.spec(name).kind, generators.length)
            ? generators.slice(0, 1)
            : [],
        ),
      );
      for (const { machine } of state.generators.filter((each) => preparing.has(each.machine.name))) {
        if (socket !== undefined) (await machine.dialSocket(socket, 'preflight')).destroy();
        else if (host !== undefined && port !== undefined) (await machine.dial(host, port, 'preflight')).destroy();
      }
      return {
        evidence: [`“${behind}”`],
        findings: others.map(([what, value]) => ({
          code: 'behind-elsewhere',
          severity: 'warn',
          message: `“${name}” leads to a different server than “${behind}”: its ${what} is ${value}, not ${far[what]}. Data is prepared and checked on “${behind}”.`,
          next: 'This is expected for a proxy in front of several servers with the same data. Otherwise, choose the target of the server behind it.',
        })),
      };
    },
  };
}

async function identityOf(
  { targets }: Pick<RunsContext, 'targets'>,
  name: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const session = await targets.open(name, signal);
  try {
    return (await session?.identity?.()) ?? {};
  } finally {
    await session?.close();
  }
}

/** A path is measured on its own host: on another one, the same path is a different one. */
function elsewhere({ name, kind, via }: TargetSpec, generators: readonly Generator[]): StartFinding[] {
  const place = via ?? LOCAL_HOST_NAME;
  const others = generators.filter(({ machine }) => machine.name !== place).map(({ machine }) => `“${machine.name}”`);
  if (targetByKind(kind).via !== 'place' || others.length === 0) return [];
  return [
    {
      code: 'storage-elsewhere',
      severity: 'block',
      message: `The target “${name}” is on “${place}”, but the workload would run on ${others.join(', ')}.`,
      next: `Choose “${place}” as the generator, or add the path as a target on the other host.`,
      fix: { kind: 'generator', host: place },
    },
  ];
}

/** Connects to every address that the tool will use on a generator, and returns them. */
async function reachFrom(machine: Machine, known: PreflightState, target: KnownTarget): Promise<string[]> {
  const { connection } = target;
  if (connection?.socket !== undefined) {
    (await machine.dialSocket(connection.socket, 'preflight')).destroy();
    return [connection.socket];
  }
  if (connection?.host === undefined || connection.port === undefined) return [];
  const { kind, host, port } = connection;
  const used = new Map<string, ServerAddress>();
  const use = (address: ServerAddress): void => void used.set(`${address.host}:${address.port}`, address);
  const steps = stepsAgainst(known, target);
  // A target that no cell uses yet is reached by its own address.
  if (steps.length === 0) use({ host, port });
  for (const step of steps) {
    const index = step.generators.indexOf(machine.name);
    if (index >= 0) for (const address of addressesOf(known, connection, step, index)) use(address);
    for (const further of known.tool.load?.furtherAddresses?.(step.options, kind) ?? []) use({ host: further, port });
  }
  for (const address of used.values()) (await machine.dial(address.host, address.port, 'preflight')).destroy();
  return [...used.keys()];
}

/** Addresses that the tool uses on the generator with this index. */
export function addressesOf(
  { tool }: Pick<PreflightState, 'tool'>,
  connection: ConnectionFacts,
  step: Step,
  index: number,
): readonly ServerAddress[] {
  const { addresses, host, port } = wayOf(tool, connection, step, { index });
  return addresses ?? (host === undefined || port === undefined ? [] : [{ host, port }]);
}

/** Blocks numbers of addresses that cannot be used: the target has fewer, or no generator would connect to them. */
export function addressFindings(known: PreflightState, { name, connection }: KnownTarget): StartFinding[] {
  if (!connection) return [];
  const { addresses = [] } = connection;
  const has = Math.max(1, addresses.length);
  // A step that only prepares data uses the first.
  const steps = known.cells.flatMap((cell) => cell.steps).filter((step) => step.target === name && !isAct(step));
  const most = Math.max(0, ...steps.map(({ nodes = 0 }) => nodes));
  if (most > has)
    return [
      {
        code: 'addresses-missing',
        severity: 'block',
        message: `A cell needs ${most} addresses, but target “${name}” has ${has}.`,
        next: 'Add the missing ones to the target as additional addresses.',
      },
    ];
  if (has === 1) return [];
  const least = steps.find((step) => {
    const all = step.generators.flatMap((_, index) => addressesOf(known, connection, step, index));
    return new Set(all.map(({ host, port }) => `${host}:${port}`)).size < Math.min(has, step.nodes ?? has);
  });
  if (!least) return [];
  const wanted = least.nodes ?? has;
  return [
    {
      code: 'addresses-unused',
      severity: 'block',
      message: `On each generator, ${known.tool.title} connects to only one address of “${name}”, so ${formatCount(least.generators.length, 'generator')} cannot use ${wanted} addresses.`,
      next: 'Use one generator per address, fewer addresses, or a proxy that balances connections.',
    },
  ];
}

const stepsAgainst = ({ steps }: PreflightState, { name }: KnownTarget): Step[] =>
  steps.filter(({ target }) => target === name);

/**
 * Whether the tool, which connects by itself, would expose the target's password. Kneepoint's own connections prevent that
 * (docs/passwords.md); the clients that some tools are built with have no option for it, so the start is blocked instead.
 */
export function passwordFindings(
  { steps, tool, generators }: PreflightState,
  { name, connection }: KnownTarget,
): StartFinding[] {
  if (!connection?.password || connection.allowCleartextPassword || connection.socket !== undefined) return [];
  if (isLoopback(connection.host ?? '')) return [];
  const names = generators.map(({ machine }) => machine.name);
  if (seenFrom(connection, names).endsOnServerHost) return [];
  const reasons = new Set(
    steps.flatMap(({ options, target }) => {
      if (target !== name) return [];
      const versions = generators.map(({ facts }) => facts?.tools.find((entry) => entry.tool === tool.id)?.version);
      return versions.flatMap((version) => tool.readablePassword?.({ options, connection, version }) ?? []);
    }),
  );
  return [...reasons].map((reason) => ({
    code: 'readable-password',
    severity: 'block',
    message: `${tool.title} would send the password of ${connection.user ?? 'the account'} in cleartext, without TLS. ${reason}`,
    next: 'Use TLS or a socket. On a trusted network, or with an account used only for benchmarks, turn on “Allow cleartext password” in the target.',
    fix: { kind: 'allow-cleartext', target: name },
  }));
}

/**
 * Returns a more specific error if a target does not respond because its server, which Kneepoint can start, is down; else the given error.
 */
export async function inServerWords(
  { targets, servers }: Pick<PreflightContext, 'targets' | 'servers'>,
  target: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { server } = targets.spec(target);
  if (!isSilent(error) || !server || server.control.kind === 'none') return error;
  const state = await servers
    .of(target)
    .state(signal)
    .catch(() => 'running');
  if (state === 'running') return error;
  const isStarting = state === 'starting';
  return new KneepointError(
    {
      code: 'target-unreachable',
      target,
      host: server.host,
      message: isStarting
        ? `The server of target “${target}” on ${server.host} is starting and does not accept connections yet.`
        : `The server of target “${target}” on ${server.host} is stopped.`,
      next: isStarting
        ? 'Wait until it is up, then check again.'
        : 'Start it on the page of the target, or with “kneepoint target start”.',
    },
    { cause: error },
  );
}

/** Connection shown in commands before a start. A target that is not chosen or unknown is replaced by a placeholder. */
export function shownConnection(
  { targets, tools }: Pick<RunsContext, 'targets' | 'tools'>,
  experiment: Experiment,
  target: string | undefined,
): ConnectionFacts {
  const shown = target === undefined ? undefined : targets.shown(target);
  if (shown) return shown;
  const tool = tools.find(({ id }) => id === experiment.workload.tool);
  return exampleFacts(
    (tool && neededTargets({ tool, steps: workSteps(resolveCells(experiment, tool)) }).get(target)?.[0]) ??
      GENERATOR_KIND,
    target,
  );
}
