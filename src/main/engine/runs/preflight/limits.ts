import { limitChecks, type StartFacts } from '../../../../shared/checks/index.ts';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { HostFacts } from '../../../../shared/model/host.ts';
import { effectsOf, expandCells, partOf } from '../../plans/index.ts';
import type { Part, Tool } from '../../tools/tool.ts';
import type { Knowledge, KnownTarget } from './knowledge.ts';
import { largestOpenFiles } from './launch-limits.ts';

/** Whether generators and target can hold the connections of every cell. */
export function lookAtLimits(
  { experiment, tool, generators }: Knowledge,
  { connection, facts: server }: Partial<KnownTarget>,
): Finding[] {
  const cells = optionsOfCells(experiment, tool);
  const files = largestOpenFiles({ experiment, tool });
  const count = (options: Record<string, unknown>): number => tool.load?.connections?.(options) ?? 0;
  const fewest = Math.min(...cells.map(count));
  const largest = cells.reduce((most, options) => (count(options) > count(most) ? options : most), cells[0] ?? {});
  return limitChecks({
    connections: count(largest),
    fewest,
    generators: generators.map(({ machine, part, facts }) => {
      const version = facts && versionOf(facts, tool.id);
      const held = version === undefined ? undefined : tool.load?.holds?.(version);
      return {
        name: machine.name,
        share: count(partOf(tool, largest, part)),
        ...(tool.load?.threads && { threads: threadsOf(tool, cells, part) }),
        ...(facts && { facts: files === undefined ? facts : { ...facts, openFilesLimit: files } }),
        ...(held && { tool: held }),
      };
    }),
    ...(connection?.socket === undefined && connection?.host !== undefined && { targetAddress: connection.host }),
    addresses:
      1 + (connection === undefined ? 0 : (tool.load?.furtherAddresses?.(largest, connection.kind) ?? []).length),
    ...(server?.description && { target: server.description }),
  });
}

/** The tool's options in every cell. */
const optionsOfCells = (experiment: Experiment, tool: Tool): Record<string, unknown>[] =>
  expandCells(experiment).map((cell) => effectsOf(experiment, cell, tool).options);

/** The most that a generator does at the same time in any cell, in the tool's own words; undefined where that is not known. */
export function workersOf(
  { experiment, tool }: Pick<Knowledge, 'experiment' | 'tool'>,
  part: Part,
): StartFacts['generators'][number]['workers'] {
  const workers = tool.load?.workers;
  const counts = optionsOfCells(experiment, tool).flatMap(
    (options) => workers?.count(partOf(tool, options, part)) ?? [],
  );
  return workers && counts.length > 0 ? { unit: workers.unit, most: Math.max(...counts) } : undefined;
}

function threadsOf(
  tool: Tool,
  cells: readonly Record<string, unknown>[],
  part: Part,
): { most: number; fewest: number } {
  const counts = cells.map((options) => tool.load?.threads?.(partOf(tool, options, part)) ?? 0);
  return { most: Math.max(...counts), fewest: Math.min(...counts) };
}

const versionOf = (facts: HostFacts, tool: string): string | undefined =>
  facts.tools.find((entry) => entry.tool === tool)?.version;
