import path from 'node:path';
import { type StartFacts, startChecks } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import { formatBytes, formatCount, formatNumber } from '../../../shared/util/format.ts';
import {
  type DeviceFinding,
  describeTarget,
  devicesOf,
  lookAtDevicesOf,
  readProgram,
  roundTripMs,
} from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { atItsLimits, leastDurability, placesIn, type Step } from '../plans/index.ts';
import { type Generator, type Occupancy, occupiedFinding, type RunsContext, runsHere } from '../runs/index.ts';
import { GENERATOR_KIND, targetByKind } from '../targets/index.ts';
import { lookBefore } from './before-check.ts';
import { dataTitle, lookAtData } from './data-check.ts';
import { isEncrypted } from './encrypted.ts';
import { blocking } from './finding-of.ts';
import type { Knowledge, KnownTarget } from './knowledge.ts';
import { launchFindings } from './launch-limits.ts';
import { lookAtLimits, workersOf } from './limits.ts';
import { lookAtWatched, unwatchedFindings, watchedBy, watchedPieces } from './monitors-check.ts';
import { optionVersionFindings } from './option-versions.ts';
import { passwordFindings } from './passwords.ts';
import { lookAtPaths, neededPaths } from './paths.ts';
import { programFindings } from './programs-check.ts';
import { eventSettingsOf, lookAtScenario } from './scenario-check.ts';
import { inServerWords } from './stopped-server.ts';
import { lookAtCachedReads, lookAtIdleSettings } from './without-effect.ts';
import { examineSettings, settingsOf } from './world-check.ts';
import { countWriting } from './writing.ts';

/** One question of the preflight, asked when those before it are answered. */
export interface Check {
  id: string;
  /** What is checked, without a claim. */
  title: string;
  /** Findings: none = fine. `tell`: what was found to be so. Throws when it could not look: that blocks. */
  look(signal: AbortSignal, tell: (evidence: string) => void): Promise<readonly DeviceFinding[]>;
  /** Not worth trying after this one failed. */
  after?: string;
}

/** What a start needs, in the order in which it is checked. */
export function checksFor(context: RunsContext, sessions: Occupancy, known: Knowledge): Check[] {
  const { experiment, tool, generators } = known;
  const names = generators.map(({ machine }) => `“${machine.name}”`).join(', ');
  const several = generators.length > 1;
  const { targets } = known;
  const checks: Check[] = [
    {
      id: 'free',
      title: 'Other sessions on the generator or the target',
      look: async (_signal, tell) => {
        const occupant = sessions.occupant(placesIn(known.steps));
        if (!occupant) tell('None');
        return occupant ? [occupiedFinding(occupant)] : [];
      },
    },
    {
      id: 'generator',
      title: several ? `Generators ${names}` : `Generator ${names}`,
      after: 'free',
      look: (signal, tell) =>
        ofEach(generators, async (generator) => {
          await generator.machine.exec('exit 0', { signal, timeoutMs: 20_000 });
          generator.facts = await context.readFacts(generator.machine, signal);
          const { os, cpuCount, memoryBytes } = generator.facts;
          const memory = memoryBytes === undefined ? '' : `, ${formatBytes(memoryBytes)} of memory`;
          tell(`${generator.machine.name}: ${os}, ${formatCount(cpuCount, 'CPU')}${memory}`);
          return [];
        }),
    },
    {
      id: 'tool',
      title: tool.title,
      after: 'generator',
      look: async (signal, tell) => [
        ...lookForTool(context, known, tell),
        ...optionVersionFindings(known),
        ...(await ofEach(generators, ({ machine }) => programFindings(known, machine, signal))),
        ...(await ofEach(generators, ({ machine }) => launchFindings(known, machine, signal))),
      ],
    },
  ];
  if (tool.paths)
    checks.push({
      id: 'paths',
      title: several ? 'Files and folders on the generators' : 'Files and folders on the generator',
      after: 'generator',
      look: (signal, tell) => {
        const needed = neededPaths(context, known);
        if (needed.length === 0) tell('None are named');
        return ofEach(needed.length === 0 ? [] : generators, async ({ machine }) => {
          const { findings, evidence } = await lookAtPaths(needed, machine, signal);
          for (const words of evidence) tell(several ? `${machine.name}: ${words}` : words);
          return findings;
        });
      },
    });
  for (const target of targets) checks.push(...checksOfTarget(context, known, target));
  const [first] = targets;
  const title = dataTitle(known);
  if (first || title !== undefined)
    checks.push({
      id: 'data',
      title: title ?? 'Data in the target',
      after: first ? idOf('target', first, targets) : 'generator',
      look: async (signal, tell) => {
        const findings = await lookAtData(context, known, signal);
        if (findings.length === 0) tell(known.seen.size > 0 ? 'Matches the experiment' : 'Nothing to prepare');
        return findings;
      },
    });
  if (settingsOf(known).length > 0)
    checks.push({
      id: 'changes',
      title: 'Settings of hosts and servers that are varied',
      after: first ? idOf('target', first, targets) : 'generator',
      look: (signal, tell) => examineSettings(context, known, signal, tell),
    });
  const { before } = experiment.measure;
  if (before)
    checks.push({
      id: 'before',
      title: 'What is done before each trial',
      after: first ? idOf('target', first, targets) : 'generator',
      look: (signal) => lookBefore(context, known, before, signal),
    });
  const { events } = experiment.measure;
  if (events)
    checks.push({
      id: 'scenario',
      title: 'What is done while each trial runs',
      after: first ? idOf('target', first, targets) : 'generator',
      look: async (signal, tell) => [
        ...(await lookAtScenario(context, known, events, signal)),
        ...(await examineSettings(context, known, signal, tell, eventSettingsOf(known, events))),
      ],
    });
  // Only tools that work on a host itself can name one of its disks; leave that nobody needs is told of all the same.
  if (tool.drives.includes(GENERATOR_KIND) || known.destroy.length > 0)
    checks.push({
      id: 'devices',
      title: 'Disks that would be overwritten',
      after: first ? idOf('target', first, targets) : 'generator',
      look: async (signal, tell) => {
        const devices = await devicesOf(context, { ...known, seed: experiment.measure.seed });
        const machines = generators.map(({ machine }) => machine);
        const { findings, granted } = await lookAtDevicesOf(machines, devices, toOverwrite(known), signal);
        known.granted = granted;
        tell(granted.length === 0 ? 'None' : granted.map(({ device }) => device).join(', '));
        return findings;
      },
    });
  const monitors = watchedBy(context, known);
  if (monitors)
    checks.push({
      id: 'monitors',
      title: 'What is watched beside the tool',
      after: 'generator',
      look: async (signal, tell) => {
        const { watched, unwatched } = monitors;
        for (const words of watchedPieces(watched)) tell(words);
        const findings = await lookAtWatched(context, known, watched, signal);
        return [...findings, ...unwatchedFindings(known, watched, unwatched)];
      },
    });
  checks.push({
    id: 'fairness',
    title: 'Fairness of the result',
    look: async (_signal, tell) => {
      const met = targets.length === 0 ? [undefined] : targets;
      const writing = await countWriting(context, known);
      const findings = met.flatMap((target) => startChecks(factsForChecks(known, target, writing)));
      if (findings.length === 0) tell('All rules met');
      return findings.filter(({ code, message }, at) =>
        findings.slice(0, at).every((other) => other.code !== code || other.message !== message),
      );
    },
  });
  return checks;
}

/** What was typed, without what lifts other findings: those checks come first. */
const toOverwrite = ({ destroy, confirmable }: Knowledge): string[] =>
  destroy.filter((typed) => !confirmable.has(typed));

/** A line of one target among several has its name. */
const idOf = (id: string, { name }: KnownTarget, targets: readonly KnownTarget[]): string =>
  targets.length > 1 ? `${id}-${name}` : id;

function checksOfTarget(context: RunsContext, known: Knowledge, target: KnownTarget): Check[] {
  const { tool, generators, targets } = known;
  const names = generators.map(({ machine }) => `“${machine.name}”`).join(', ');
  const whose = targets.length > 1 ? `target “${target.name}”` : 'the target';
  const others = generators.length > 1;
  const id = (name: string): string => idOf(name, target, targets);
  return [
    {
      id: id('target'),
      title: `Target “${target.name}”`,
      after: 'free',
      look: async (signal, tell) => {
        target.connection = await context.targets.connection(target.name);
        target.facts = await describeTarget(context, target.name, signal).catch(async (error: unknown) => {
          throw await inServerWords(context, target.name, error, signal);
        });
        const { description, address } = target.facts;
        const product = description && `${description.product} ${description.version}`.trim();
        tell([product, address].filter(Boolean).join(' at ') || target.name);
        return [];
      },
    },
    {
      id: id('password'),
      title: `Password of ${whose}`,
      after: id('target'),
      look: async (_signal, tell) => {
        const findings = passwordFindings(known, target);
        if (findings.length === 0)
          tell(target.connection?.password === undefined ? 'Not needed' : 'Passed unreadable to others');
        return findings;
      },
    },
    {
      id: id('path'),
      title: `Connection from ${names} to ${whose}`,
      after: id('target'),
      look: async (signal, tell) => [
        ...elsewhere(context.targets.spec(target.name), generators),
        // On this computer a program of ours takes the way on which the target has just answered.
        ...(await ofEach(generators, async ({ machine }) => {
          if (runsHere(tool, machine.name)) return [];
          const findings = await reachFrom(machine, known, target, tell);
          const { host, port, socket } = target.connection ?? {};
          if (host === undefined || port === undefined || socket !== undefined || !target.facts) return findings;
          const ms = await roundTripMs(machine, { host, port }, signal);
          if (ms === undefined) return findings;
          tell(`${formatNumber(ms, 3)} ms round trip`);
          target.facts.roundTrips = [...(target.facts.roundTrips ?? []), { from: machine.name, ms }];
          return findings;
        })),
      ],
    },
    {
      id: id('limits'),
      title: `Connection limits of ${others ? 'generators' : 'generator'} and ${targets.length > 1 ? whose : 'target'}`,
      after: id('target'),
      look: async (_signal, tell) => {
        const counts = stepsAgainst(known, target).map(({ options }) => tool.load?.connections?.(options) ?? 0);
        tell(`${formatCount(Math.max(...counts), 'connection')} in the largest cell`);
        return [
          ...lookAtLimits(known, target),
          ...lookAtIdleSettings(known, target),
          ...lookAtCachedReads(known, target),
        ];
      },
    },
  ];
}

/** Looks from every generator; where one cannot, that blocks, and the others are checked all the same. */
async function ofEach<T>(
  generators: readonly T[],
  look: (generator: T) => Promise<readonly Finding[]>,
): Promise<Finding[]> {
  return (await Promise.all(generators.map((each) => look(each).catch((error: unknown) => [blocking(error)])))).flat();
}

function lookForTool(
  { assetsDir }: RunsContext,
  { tool, generators }: Knowledge,
  tell: (evidence: string) => void,
): Finding[] {
  const { probe, partOfApp } = tool;
  if (partOfApp?.runs === 'anywhere') readProgram(path.join(assetsDir, partOfApp.program));
  if (!probe) {
    tell(partOfApp ? 'Part of Kneepoint' : 'No program needed');
    return [];
  }
  const versions = new Map<string, string>();
  const missing = generators.flatMap(({ machine, facts }): Finding[] => {
    if (runsHere(tool, machine.name)) {
      tell('Part of Kneepoint');
      return [];
    }
    const presence = facts?.tools.find((entry) => entry.tool === tool.id);
    if (presence?.version !== undefined) versions.set(machine.name, presence.version);
    if (presence?.found && presence.message === undefined) {
      tell([tool.title, presence.version, presence.path && `(${presence.path})`].filter(Boolean).join(' '));
      return [];
    }
    const said = presence?.message ?? `${tool.title} was not found.`;
    // The inventory of a host says in one text what is told apart here.
    const message = `On ${machine.name}: ${said.replace(probe.install, '').trim()}`;
    return [
      { code: presence?.found ? 'tool-too-old' : 'tool-missing', severity: 'block', message, next: probe.install },
    ];
  });
  if (new Set(versions.values()).size < 2) return missing;
  return [
    ...missing,
    {
      code: 'tool-versions-differ',
      severity: 'warn',
      message: `The generators have different versions of ${tool.title}: what they measure may differ for that alone.`,
      evidence: [...versions].map(([host, version]) => `${host}: ${version}`).join(', '),
      next: 'Install the same version on all of them.',
    },
  ];
}

/** A path is measured by the host that it lies on: on another one the same path would be something else. */
function elsewhere({ name, kind, via }: TargetSpec, generators: readonly Generator[]): Finding[] {
  const place = via ?? LOCAL_HOST_NAME;
  const others = generators.filter(({ machine }) => machine.name !== place).map(({ machine }) => `“${machine.name}”`);
  if (targetByKind(kind).via !== 'place' || others.length === 0) return [];
  return [
    {
      code: 'storage-elsewhere',
      severity: 'block',
      message: `The target “${name}” lies on “${place}”, and the workload would run on ${others.join(', ')}.`,
      next: `Choose “${place}” as the generator, or add the path as a target on the other host.`,
    },
  ];
}

async function reachFrom(
  machine: Machine,
  known: Knowledge,
  target: KnownTarget,
  tell: (evidence: string) => void,
): Promise<Finding[]> {
  const { connection } = target;
  if (connection?.socket !== undefined) {
    (await machine.dialSocket(connection.socket, 'preflight')).destroy();
    tell(connection.socket);
    return [];
  }
  if (connection?.host === undefined || connection.port === undefined) return [];
  const { kind, host, port } = connection;
  const addresses = stepsAgainst(known, target).flatMap(
    ({ options }) => known.tool.load?.furtherAddresses?.(options, kind) ?? [],
  );
  for (const address of new Set([host, ...addresses])) {
    (await machine.dial(address, port, 'preflight')).destroy();
    tell(`${address}:${port}`);
  }
  return [];
}

const stepsAgainst = ({ steps }: Knowledge, { name }: KnownTarget): Step[] =>
  steps.filter(({ target }) => target === name);

function factsForChecks(known: Knowledge, target: KnownTarget | undefined, writingTrials: number): StartFacts {
  const { experiment, generators, tool } = known;
  const durability = target?.facts && leastDurability(tool, known.steps, target.facts);
  const encrypts =
    target?.connection !== undefined &&
    isEncrypted(known, {
      name: target.name,
      connection: target.connection,
      description: target.facts?.description,
    });
  return {
    experiment: atItsLimits(experiment, known.steps),
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
