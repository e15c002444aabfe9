import path from 'node:path';
import { type StartFacts, startChecks } from '../../../../shared/checks/index.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { TargetSpec } from '../../../../shared/model/target.ts';
import type { Machine } from '../../hosts/machine.ts';
import { cellsDurability, effectsOf, expandCells } from '../../plans/index.ts';
import { GENERATOR_KIND, targetByKind } from '../../targets/index.ts';
import type { RunsContext } from '../context.ts';
import { type DeviceFinding, devicesOf, lookAtDevices } from '../devices.ts';
import type { Generator } from '../generators.ts';
import { occupiedFinding } from '../occupied.ts';
import { readProgram } from '../programs.ts';
import type { Sessions } from '../sessions.ts';
import { describeTarget } from '../start-facts.ts';
import { runsHere } from '../steps.ts';
import { dataTitle, lookAtData } from './data-check.ts';
import { blocking } from './finding-of.ts';
import type { Knowledge } from './knowledge.ts';
import { lookAtLimits, workersOf } from './limits.ts';
import { optionVersionFindings } from './option-versions.ts';
import { passwordFindings } from './passwords.ts';
import { programFindings } from './programs.ts';

/** One question of the preflight, asked when those before it are answered. */
export interface Check {
  id: string;
  title: string;
  /** Findings: none = fine. Throws when it could not look: that blocks. */
  look(signal: AbortSignal): Promise<readonly DeviceFinding[]>;
  /** Not worth trying after this one failed. */
  after?: string;
}

/** What a start needs, in the order in which it is looked at. */
export function checksFor(context: RunsContext, sessions: Pick<Sessions, 'occupant'>, known: Knowledge): Check[] {
  const { experiment, tool, generators } = known;
  const names = generators.map(({ machine }) => `“${machine.name}”`).join(', ');
  const several = generators.length > 1;
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
      title: several ? `Generators ${names} answer` : `Generator ${names} answers`,
      after: 'free',
      look: (signal) =>
        ofEach(generators, async (generator) => {
          await generator.machine.exec('exit 0', { signal, timeoutMs: 20_000 });
          generator.facts = await context.readFacts(generator.machine, signal);
          return [];
        }),
    },
    {
      id: 'tool',
      title: `${tool.title} is there`,
      after: 'generator',
      look: async (signal) => [
        ...lookForTool(context, known),
        ...optionVersionFindings(known),
        ...(await ofEach(generators, ({ machine }) => programFindings(known, machine, signal))),
      ],
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
          known.target = await describeTarget(context, target, signal);
          return [];
        },
      },
      {
        id: 'password',
        title: 'The tool keeps the password of the target to itself',
        after: 'target',
        look: async () => passwordFindings(known),
      },
      {
        id: 'path',
        title: several ? `${names} reach the target's address` : `${names} reaches the target's address`,
        after: 'target',
        look: async () => [
          ...elsewhere(context.targets.spec(target), generators),
          // On this computer a program of ours takes the way on which the target has just answered.
          ...(await ofEach(generators, async ({ machine }) =>
            runsHere(tool, machine.name) ? [] : reachFrom(machine, known),
          )),
        ],
      },
      {
        id: 'limits',
        title: several
          ? 'Generators and target can hold all connections'
          : 'Generator and target can hold all connections',
        after: 'target',
        look: async () => lookAtLimits(known),
      },
    );
  }
  const title = dataTitle(context, experiment);
  if (target !== undefined || title !== undefined)
    checks.push({
      id: 'data',
      title: title ?? 'The data is there, or can be prepared',
      after: target === undefined ? 'generator' : 'target',
      look: (signal) => lookAtData(context, known, signal),
    });
  // Only tools that work on a host itself can name one of its disks; leave that nobody needs is told of all the same.
  if (tool.drives.includes(GENERATOR_KIND) || known.destroy.length > 0)
    checks.push({
      id: 'devices',
      title: 'No disk is overwritten that holds or serves anything',
      after: target === undefined ? 'generator' : 'target',
      look: async (signal) => {
        const devices = await devicesOf(context, experiment);
        // A load that overwrites a disk is not divided: it runs on one generator.
        const [{ machine }] = generators as [Generator];
        const { findings, granted } = await lookAtDevices(machine, devices, known.destroy, signal);
        known.granted = granted;
        return findings;
      },
    });
  checks.push({
    id: 'fairness',
    title: 'Fairness of the result',
    look: async () => startChecks(factsForChecks(known)),
  });
  return checks;
}

/** Looks from every generator; where one cannot, that blocks, and the others are looked at all the same. */
async function ofEach<T>(
  generators: readonly T[],
  look: (generator: T) => Promise<readonly Finding[]>,
): Promise<Finding[]> {
  return (await Promise.all(generators.map((each) => look(each).catch((error: unknown) => [blocking(error)])))).flat();
}

function lookForTool({ assetsDir }: RunsContext, { tool, generators }: Knowledge): Finding[] {
  const { probe, partOfApp } = tool;
  if (partOfApp?.runs === 'anywhere') readProgram(path.join(assetsDir, partOfApp.program));
  if (!probe) return [];
  const versions = new Map<string, string>();
  const missing = generators.flatMap(({ machine, facts }): Finding[] => {
    if (runsHere(tool, machine.name)) return [];
    const presence = facts?.tools.find((entry) => entry.tool === tool.id);
    if (presence?.version !== undefined) versions.set(machine.name, presence.version);
    if (presence?.found && presence.message === undefined) return [];
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

async function reachFrom(machine: Machine, { connection, experiment, tool }: Knowledge): Promise<Finding[]> {
  if (connection?.socket !== undefined) {
    (await machine.dialSocket(connection.socket, 'preflight')).destroy();
    return [];
  }
  if (connection?.host === undefined || connection.port === undefined) return [];
  const { kind, host, port } = connection;
  const addresses = expandCells(experiment).flatMap(
    (cell) => tool.load?.furtherAddresses?.(effectsOf(experiment, cell, tool).options, kind) ?? [],
  );
  for (const address of new Set([host, ...addresses])) (await machine.dial(address, port, 'preflight')).destroy();
  return [];
}

function factsForChecks(known: Knowledge): StartFacts {
  const { experiment, generators, connection, target, tool } = known;
  const durability = target && cellsDurability(experiment, expandCells(experiment), tool, target);
  return {
    experiment,
    generators: generators.map(({ machine, part, facts }) => {
      const workers = workersOf(known, part);
      return { name: machine.name, ...(facts && { facts }), ...(workers && { workers }) };
    }),
    ...(connection?.host !== undefined && { targetAddress: connection.host }),
    ...(target?.description && { target: { ...target.description, ...(durability && { durability }) } }),
  };
}
