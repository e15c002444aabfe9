import { type LimitFacts, limitChecks, type StartFacts } from '../../../../shared/checks/index.ts';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { HostFacts } from '../../../../shared/model/host.ts';
import { type CellEffects, effectsOf, expandCells, partOf } from '../../plans/index.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Knowledge, KnownTarget } from './knowledge.ts';
import { largestOpenFiles } from './launch-limits.ts';

/** Whether generators and target can hold the connections of every cell that meets it. */
export function lookAtLimits(
  { experiment, tool, generators }: Knowledge,
  { name, connection, facts: server }: Partial<KnownTarget>,
): Finding[] {
  const cells = effectsOfCells(experiment, tool).filter(({ target }) => target === name);
  const files = largestOpenFiles({ experiment, tool });
  const count = (options: Options): number => tool.load?.connections?.(options) ?? 0;
  const counts = cells.map(({ options }) => count(options));
  const largest = cells.find((_cell, at) => counts[at] === Math.max(...counts))?.options ?? {};
  return limitChecks({
    connections: Math.max(...counts),
    fewest: Math.min(...counts),
    generators: generators.map(({ machine, facts }) => {
      const version = facts && versionOf(facts, tool.id);
      const held = version === undefined ? undefined : tool.load?.holds?.(version);
      const parts = partsOf(tool, cells, machine.name);
      return {
        name: machine.name,
        share: Math.max(0, ...parts.map(count)),
        ...(tool.load?.threads && parts.length > 0 && { threads: threadsOf(tool, parts) }),
        ...(facts && { facts: files === undefined ? facts : { ...facts, openFilesLimit: files } }),
        ...(held && { tool: held }),
      };
    }),
    ...(connection?.socket === undefined && connection?.host !== undefined && { targetAddress: connection.host }),
    addresses:
      1 + (connection === undefined ? 0 : (tool.load?.furtherAddresses?.(largest, connection.kind) ?? []).length),
    ...(server?.description && { target: server.description }),
    ...(server?.description?.middleware && {
      pooled: cells.map((cell) =>
        pooledCell(cell, count(cell.options), server.description?.middleware?.settings ?? []),
      ),
    }),
  });
}

/** What a cell asks of the pooler of its target, with the settings that its levels give it. */
function pooledCell(
  { wishes, target }: CellEffects,
  connections: number,
  settings: readonly { name: string; value: string }[],
): NonNullable<LimitFacts['pooled']>[number] {
  const value = (name: string): string | undefined =>
    wishes.find(({ what, place }) => what === name && place.kind === 'server' && place.name === target)?.value ??
    settings.find((setting) => setting.name === name)?.value;
  const figure = (name: string): number | undefined => {
    const number = Number(value(name) ?? Number.NaN);
    return Number.isInteger(number) ? number : undefined;
  };
  const [mode, size, mostClients] = [value('pool_mode'), figure('default_pool_size'), figure('max_client_conn')];
  return {
    connections,
    ...(mode !== undefined && { mode }),
    ...(size !== undefined && { size }),
    ...(mostClients !== undefined && { mostClients }),
  };
}

type Options = Record<string, unknown>;

const effectsOfCells = (experiment: Experiment, tool: Tool): CellEffects[] =>
  expandCells(experiment).map((cell) => effectsOf(experiment, cell, tool));

/** The tool's options on one generator, in every cell that it takes part in. */
const partsOf = (tool: Tool, cells: readonly CellEffects[], host: string): Options[] =>
  cells.flatMap(({ options, generators }) => {
    const index = generators.indexOf(host);
    return index < 0 ? [] : [partOf(tool, options, { index, count: generators.length })];
  });

/** The most that a generator does at the same time in any cell, in the tool's own words; undefined where that is not known. */
export function workersOf(
  { experiment, tool }: Pick<Knowledge, 'experiment' | 'tool'>,
  host: string,
): StartFacts['generators'][number]['workers'] {
  const workers = tool.load?.workers;
  const counts = partsOf(tool, effectsOfCells(experiment, tool), host).flatMap(
    (options) => workers?.count(options) ?? [],
  );
  return workers && counts.length > 0 ? { unit: workers.unit, most: Math.max(...counts) } : undefined;
}

function threadsOf(tool: Tool, parts: readonly Options[]): { most: number; fewest: number } {
  const counts = parts.map((options) => tool.load?.threads?.(options) ?? 0);
  return { most: Math.max(...counts), fewest: Math.min(...counts) };
}

const versionOf = (facts: HostFacts, tool: string): string | undefined =>
  facts.tools.find((entry) => entry.tool === tool)?.version;
