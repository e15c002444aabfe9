import { unwatchedChecks } from '../../../shared/checks/index.ts';
import { type Capture, formOf } from '../../../shared/model/capture.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { isWatchable } from '../../../shared/util/virtual-disk.ts';
import { allStepsOf, placesIn, type Step } from '../plans/index.ts';
import { atServer } from '../runs/index.ts';
import { commandHost } from '../trial/index.ts';
import { type Unwatched, unwatchedIn, type Watched, watchedIn } from '../watching/index.ts';
import type { PreflightContext, PreflightState } from './state.ts';

const TIMEOUT_MS = 20_000;

/**
 * Sources that this start would monitor, and those that it would not. Undefined if there are neither, or if a target does not exist, which
 * another check reports.
 */
export function watchedBy(
  context: PreflightContext,
  { experiment, cells }: PreflightState,
): { watched: Watched; unwatched: Unwatched } | undefined {
  const { host, command, servers } = context.monitors;
  const places = { ...placesIn(allStepsOf(cells)), steps: [experiment.workload] };
  if (places.targets.some((name) => context.store.targets.byName(name) === undefined)) return undefined;
  const all = watchedIn(context, experiment, places);
  const watched = {
    hosts: host ? all.hosts : [],
    servers: servers ? all.servers : [],
    statements: servers ? all.statements : [],
    commands: command ? all.commands : [],
  };
  const unwatched = host ? unwatchedIn(context, experiment, places) : NOTHING;
  const parts = [...Object.values(watched), ...Object.values(unwatched)];
  return parts.some((part) => part.length > 0) ? { watched, unwatched } : undefined;
}

const NOTHING: Unwatched = { generators: [], places: [], servers: [], nowhere: [] };

/** Sources that will not be recorded, according to the document, the targets, and the facts of the hosts. */
export function unwatchedFindings(
  { generators, targets }: PreflightState,
  watched: Watched,
  unwatched: Unwatched,
): Finding[] {
  const known = new Map<string, HostFacts | undefined>([
    ...targets.flatMap(({ facts }) => (facts?.server ? [[facts.server.host, facts.hostFacts] as const] : [])),
    ...generators.map(({ machine, facts }) => [machine.name, facts] as const),
  ]);
  const systems = watched.hosts.flatMap(({ name }) => {
    const os = known.get(name)?.os;
    return os === undefined || isWatchable(os) ? [] : [{ host: name, os }];
  });
  return unwatchedChecks({ ...unwatched, systems });
}

/** Whether the hosts can be reached. An unreachable one is not monitored, which does not block a start. */
export async function checkMonitored(
  context: PreflightContext,
  { generators }: PreflightState,
  watched: Watched,
  signal: AbortSignal,
): Promise<Finding[]> {
  const reached = generators.map(({ machine }) => machine.name);
  const named = [...watched.hosts.map(({ name }) => name), ...watched.commands.map(({ host }) => host)];
  const others = [...new Set(named)].filter((name) => !reached.includes(name));
  const checks = others.map(async (name): Promise<Finding[]> => {
    try {
      await context.machines.get(name).exec('exit 0', { signal, timeoutMs: TIMEOUT_MS });
      return [];
    } catch (error) {
      return [
        {
          code: 'not-watched',
          severity: 'warn',
          message: `“${name}” cannot be monitored now: ${problemOf(error).message}`,
          next: 'The session can start; monitoring begins once the host is reachable.',
        },
      ];
    }
  });
  return (await Promise.all(checks)).flat();
}

/** “host “db1” · server “shop-db” · statement “InnoDB””, one entry per kind. */
export function watchedPieces({ hosts, servers, statements, commands }: Watched): string[] {
  const piece = (one: string, many: string, names: readonly string[]): string[] =>
    names.length === 0
      ? []
      : [`${names.length === 1 ? one : many} ${[...new Set(names)].map((name) => `“${name}”`).join(', ')}`];
  const namesOf = (entries: readonly { name: string }[]): string[] => entries.map(({ name }) => name);
  return [
    ...piece('host', 'hosts', namesOf(hosts)),
    ...piece('server', 'servers', namesOf(servers)),
    ...piece('statement', 'statements', namesOf(statements)),
    ...piece('command', 'commands', namesOf(commands)),
  ];
}

type Place = Pick<Step, 'target' | 'generators'>;

/**
 * Tries each read-only statement, and checks hosts and files. An impossible capture does not block a start, but a missing privilege should
 * be known before a night of measuring.
 */
export async function checkCaptures(
  context: PreflightContext,
  { cells }: Pick<PreflightState, 'cells'>,
  captures: readonly Capture[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const places = new Map<string, Place>();
  for (const { target, generators } of allStepsOf(cells))
    places.set(
      JSON.stringify([target, generators]),
      atServer(context, { generators, ...(target !== undefined && { target }) }),
    );
  const checks = [...places.values()].map((place) => checkPlace(context, place, captures, signal));
  const found = (await Promise.all(checks)).flat();
  return [...new Map(found.map((finding) => [finding.message, finding])).values()];
}

/** Sequentially, over one connection. */
async function checkPlace(
  context: PreflightContext,
  place: Place,
  captures: readonly Capture[],
  ends: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([ends, timeout]);
  const session = captures.some(({ statement }) => statement !== undefined)
    ? await context.targets.open(place.target ?? '', signal).catch(() => undefined)
    : undefined;
  try {
    for (const capture of captures) {
      const { statement, first, writes } = capture;
      try {
        if (statement === undefined) await checkOnHost(context, place, capture, signal);
        else if (session?.readTable && !writes) await session.readTable(statement, { first, writes: false });
      } catch (error) {
        ends.throwIfAborted();
        findings.push(failed(context, capture, error));
        if (timeout.aborted) break;
      }
    }
    return findings;
  } finally {
    await session?.close().catch(() => undefined);
  }
}

/** Commands are not run: they may do anything. */
async function checkOnHost(
  context: PreflightContext,
  place: Place,
  { file, host }: Capture,
  signal: AbortSignal,
): Promise<void> {
  const machine = context.machines.get(host ?? commandHost(context, place));
  if (file === undefined) return;
  const { code } = await machine.exec(`[ -r ${shellQuote(file)} ]`, { signal });
  if (code !== 0) throw new Error(`${file} on ${machine.name} cannot be read, or does not exist yet.`);
}

const failed = ({ redact }: Pick<PreflightContext, 'redact'>, capture: Capture, error: unknown): Finding => ({
  code: 'capture-failed',
  severity: 'warn',
  message: redact(`Capture “${capture.name}” (${formOf(capture)}) cannot be taken now: ${wordsOf(error)}`),
  next: 'The session can start without it; the reason is then stored instead.',
});

const wordsOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : describeProblem(problemOf(error));
