import { type StartFacts, startChecks } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { BeforeTrial } from '../../../shared/model/measure.ts';
import { formatBytes, formatCount } from '../../../shared/util/format.ts';
import { needOf } from '../data/index.ts';
import { devicesOf, inspectDevicesOf, overwritesIn } from '../facts/index.ts';
import {
  actToolOf,
  allStepsOf,
  isAct,
  leastDurability,
  placesIn,
  type Step,
  stepsOf,
  withLargestOptions,
} from '../plans/index.ts';
import { atServer, type Occupancy, occupiedFinding, type RunsContext } from '../runs/index.ts';
import { GENERATOR_KIND } from '../targets/index.ts';
import {
  cacheHosts,
  requireDroppable,
  requireRestart,
  requireStatements,
  requireTarget,
  serverHosts,
} from '../trial/index.ts';
import { blocking, type Check, ofEach, together } from './check.ts';
import { checkData, dataTitle } from './data-check.ts';
import { workersOf } from './limits.ts';
import { checkCaptures, checkMonitored, unwatchedFindings, watchedBy, watchedPieces } from './monitors-check.ts';
import { checkPaths, neededPaths, sharedDisks } from './paths.ts';
import { checkActs, checkScenario, eventSettingsOf } from './scenario-check.ts';
import type { KnownGenerator, KnownTarget, PreflightContext, PreflightState } from './state.ts';
import { checksOfTarget, idOf } from './target-checks.ts';
import { isEncrypted, toolCheck } from './tool-check.ts';
import { examineSettings, settingsOf } from './world-check.ts';

/** All checks of a start, in order. */
export function checksFor(context: PreflightContext, sessions: Occupancy, start: PreflightState): Check[] {
  const [first] = start.targets;
  const after = first ? idOf('target', first, start.targets) : 'generator';
  return [
    freeCheck(sessions),
    generatorCheck(context, start),
    toolCheck(context, start),
    pathsCheck(context, start),
    ...start.targets.flatMap((target) => checksOfTarget(context, start, target)),
    dataCheck(context, start, after),
    changesCheck(context, start, after),
    beforeCheck(context, start, after),
    actsCheck(context, start, after),
    scenarioCheck(context, start, after),
    capturesCheck(context, start, after),
    devicesCheck(context, start, after),
    monitorsCheck(context, start),
    fairnessCheck(context),
  ].filter((check) => check !== undefined);
}

const freeCheck = (sessions: Occupancy): Check => ({
  id: 'free',
  title: 'Other sessions on the generator or the target',
  run: async ({ cells }) => {
    const occupant = sessions.occupant(placesIn(allStepsOf(cells)));
    if (!occupant) return { evidence: ['None'] };
    return { findings: [{ ...occupiedFinding(occupant), fix: { kind: 'session', id: occupant.session.id } }] };
  },
});

const generatorCheck = (context: PreflightContext, { generators: all }: PreflightState): Check => ({
  id: 'generator',
  title: `${all.length > 1 ? 'Generators' : 'Generator'} ${all.map(({ machine }) => `“${machine.name}”`).join(', ')}`,
  after: 'free',
  run: async ({ generators }, signal) => {
    const results = await ofEach(generators, async (generator) => {
      const { machine } = generator;
      await machine.exec('exit 0', { signal, timeoutMs: 20_000 });
      const facts = await context.readFacts(machine, signal);
      const { os, cpuCount, memoryBytes } = facts;
      const memory = memoryBytes === undefined ? '' : `, ${formatBytes(memoryBytes)} of memory`;
      const evidence = [`${machine.name}: ${os}, ${formatCount(cpuCount, 'CPU')}${memory}`];
      return { evidence, learnt: { generators: [{ ...generator, facts }] } };
    });
    const described = results.flatMap(({ learnt }) => learnt?.generators ?? []);
    const now = (generator: KnownGenerator): KnownGenerator =>
      described.find(({ machine }) => machine === generator.machine) ?? generator;
    return { ...together(results), learnt: { generators: generators.map(now) } };
  },
});

function pathsCheck(context: PreflightContext, { tool, generators: { length } }: PreflightState): Check | undefined {
  if (!tool.paths) return undefined;
  return {
    id: 'paths',
    title: length > 1 ? 'Files and folders on the generators' : 'Files and folders on the generator',
    after: 'generator',
    run: async (known, signal) => {
      const needed = neededPaths(context, known);
      if (needed.length === 0) return { evidence: ['No paths used'] };
      const results = await ofEach(known.generators, async ({ machine }) => {
        const { findings, evidence } = await checkPaths(needed, machine, signal);
        return { findings, evidence: evidence.map((words) => (length > 1 ? `${machine.name}: ${words}` : words)) };
      });
      const shared = await sharedDisks(context, known, signal);
      return together([...results, { findings: shared }]);
    },
  };
}

function dataCheck(context: PreflightContext, start: PreflightState, after: string): Check | undefined {
  const title = dataTitle(start);
  if (title === undefined && start.targets.length === 0) return undefined;
  return {
    id: 'data',
    title: title ?? 'Data in the target',
    after,
    run: async (known, signal) => {
      const { findings, seen } = await checkData(context, known, signal);
      const fine = seen.size > 0 ? 'Matches the experiment' : 'Nothing to prepare';
      return { findings, evidence: findings.length === 0 ? [fine] : [], learnt: { seen } };
    },
  };
}

function changesCheck(context: PreflightContext, start: PreflightState, after: string): Check | undefined {
  if (settingsOf(start).length === 0) return undefined;
  return {
    id: 'changes',
    title: 'Varied settings of hosts and servers',
    after,
    run: (known, signal) => examineSettings(context, known, signal),
  };
}

function beforeCheck(context: PreflightContext, { experiment }: PreflightState, after: string): Check | undefined {
  const { before } = experiment.measure;
  if (!before) return undefined;
  return {
    id: 'before',
    title: 'Before each trial',
    after,
    run: async (known, signal) => ({ findings: await checkBefore(context, known, before, signal) }),
  };
}

function actsCheck(context: PreflightContext, { cells }: PreflightState, after: string): Check | undefined {
  if (!allStepsOf(cells).some(isAct)) return undefined;
  return {
    id: 'acts',
    title: 'Steps that do not run the workload',
    after,
    run: async (known, signal) => ({ findings: await checkActs(context, known, signal) }),
  };
}

function scenarioCheck(context: PreflightContext, { experiment }: PreflightState, after: string): Check | undefined {
  const { events } = experiment.measure;
  if (!events) return undefined;
  return {
    id: 'scenario',
    title: 'During each trial',
    after,
    run: async (known, signal) => {
      const findings = await checkScenario(context, known, events, signal);
      return together([{ findings }, await examineSettings(context, known, signal, eventSettingsOf(known, events))]);
    },
  };
}

function capturesCheck(context: PreflightContext, { experiment }: PreflightState, after: string): Check | undefined {
  const { captures } = experiment;
  if (!captures) return undefined;
  return {
    id: 'captures',
    title: 'Captures',
    after,
    run: async (known, signal) => {
      const findings = await checkCaptures(context, known, captures, signal);
      return { findings, evidence: findings.length === 0 ? [captures.map(({ name }) => name).join(', ')] : [] };
    },
  };
}

function devicesCheck(
  context: PreflightContext,
  { tool, typed, cells }: PreflightState,
  after: string,
): Check | undefined {
  // Only tools that drive a host itself can name one of its disks. Phrases that match nothing are reported anyway.
  const drivesHosts = [tool, ...allStepsOf(cells).flatMap((step) => actToolOf(step) ?? [])].some(({ drives }) =>
    drives.includes(GENERATOR_KIND),
  );
  if (!drivesHosts && typed.length === 0) return undefined;
  return {
    id: 'devices',
    title: 'Disks to be overwritten',
    after,
    run: async (known, signal) => {
      const all = allStepsOf(known.cells).map((step) => ({ step, tool: actToolOf(step) ?? known.tool }));
      const devices = await devicesOf(context, all, known.experiment.measure.seed);
      const names = new Set([...known.generators.map(({ machine }) => machine.name), ...devices.keys()]);
      const machines = [...names].map((name) => context.machines.get(name));
      // Phrases requested by other findings are not devices; those checks come first.
      const toOverwrite = known.typed.filter((phrase) => !known.askedFor.has(phrase));
      const { findings, granted } = await inspectDevicesOf(machines, devices, toOverwrite, signal);
      const words = granted.length === 0 ? 'None' : granted.map(({ device }) => device).join(', ');
      return { findings, evidence: [words], learnt: { granted } };
    },
  };
}

function monitorsCheck(context: PreflightContext, start: PreflightState): Check | undefined {
  const monitors = watchedBy(context, start);
  if (!monitors) return undefined;
  const { watched, unwatched } = monitors;
  return {
    id: 'monitors',
    title: 'Monitored hosts and servers',
    after: 'generator',
    run: async (known, signal) => ({
      findings: [
        ...(await checkMonitored(context, known, watched, signal)),
        ...unwatchedFindings(known, watched, unwatched),
      ],
      evidence: watchedPieces(watched),
    }),
  };
}

const fairnessCheck = (context: PreflightContext): Check => ({
  id: 'fairness',
  title: 'Fairness of the result',
  run: async (known) => {
    const met = known.targets.length === 0 ? [undefined] : known.targets;
    const writing = await countWriting(context, known);
    const all = met.flatMap((target) => startChecks(factsForChecks(known, target, writing)));
    const findings = [...new Map(all.map((finding) => [`${finding.code} ${finding.message}`, finding])).values()];
    return { findings, evidence: findings.length === 0 ? ['All rules met'] : [] };
  },
});

function factsForChecks(known: PreflightState, target: KnownTarget | undefined, writingTrials: number): StartFacts {
  const { experiment, generators, tool } = known;
  const durability =
    target?.facts &&
    leastDurability(
      known.steps.map((step) => ({ tool, step })),
      target.facts,
    );
  const encrypts =
    target?.connection !== undefined &&
    isEncrypted(known, {
      name: target.name,
      connection: target.connection,
      description: target.facts?.description,
    });
  return {
    experiment: withLargestOptions(experiment, stepsOf(known.cells)),
    ...(tool.watchesOnly && { watchesOnly: true as const }),
    writingTrials,
    generators: generators.map(({ machine, facts }) => {
      const workers = workersOf(known, machine.name);
      return {
        name: machine.name,
        ...(facts && { facts }),
        ...(workers && { workers }),
        ...(encrypts && { encrypts }),
      };
    }),
    ...(target?.connection?.host !== undefined && { targetAddress: target.connection.host }),
    ...(target?.facts?.roundTrips && { roundTrips: target.facts.roundTrips }),
    ...(target?.facts?.description && { target: { ...target.facts.description, ...(durability && { durability }) } }),
  };
}

/** Number of trials that change data, files or a disk. Only disks that may be overwritten count: the others block the start. */
async function countWriting(
  context: RunsContext,
  {
    experiment,
    tool,
    cells,
    granted,
    targets,
  }: Pick<PreflightState, 'experiment' | 'tool' | 'cells' | 'granted' | 'targets'>,
): Promise<number> {
  // A target that is missing or does not respond is reported by another check.
  if (targets.some(({ connection }) => connection === undefined)) return 0;
  const { repeats, seed } = experiment.measure;
  let writing = 0;
  for (const step of stepsOf(cells)) {
    const isWriting =
      needOf(context, experiment, step)?.written ??
      (granted.length > 0 && (await overwritesIn(context, tool, step, seed)));
    if (isWriting) writing += 1;
  }
  return writing * repeats;
}

type Place = Pick<Step, 'target' | 'generators'>;

/** Whether the actions before each trial are possible there: otherwise one trial after the other would fail. Changes nothing. */
async function checkBefore(
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
  const checks = [...places.values()].flatMap((place) => checksAt(context, place, before, signal));
  const findings = await Promise.all(
    checks.map((check) =>
      check().then(
        () => [],
        (error: unknown) => [blocking(error)],
      ),
    ),
  );
  const distinct = new Map(findings.flat().map((finding) => [finding.message, finding]));
  return [...distinct.values()];
}

function checksAt(
  context: RunsContext,
  place: Place,
  { restart, caches, statement, until, dirty, writes }: BeforeTrial,
  signal: AbortSignal,
): (() => Promise<void>)[] {
  const checks: (() => Promise<void>)[] = [];
  if (restart) checks.push(async () => requireRestart(context, requireTarget(place, 'to be restarted')));
  if (caches !== undefined)
    checks.push(async () => {
      for (const host of cacheHosts(context, place, caches)) await requireDroppable(context.machines.get(host), signal);
    });
  if (statement !== undefined || until !== undefined)
    checks.push(() => requireStatements(context, requireTarget(place, 'to run a statement on'), signal));
  if (dirty !== undefined || writes !== undefined)
    checks.push(async () => {
      serverHosts(context, place);
    });
  return checks;
}
