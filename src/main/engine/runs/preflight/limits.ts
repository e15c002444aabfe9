import { limitChecks } from '../../../../shared/checks/index.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { HostFacts } from '../../../../shared/model/host.ts';
import { cellOptions, makePlan, partOf } from '../../plans/index.ts';
import type { Part, Tool } from '../../tools/tool.ts';
import type { Knowledge } from './knowledge.ts';

/** Whether generators and target can hold the connections of every cell. */
export function lookAtLimits({ experiment, tool, generators, connection, target }: Knowledge): Finding[] {
  const cells = makePlan(experiment, { tool, kind: connection?.kind ?? 'host' }).cells.map(({ levels }) =>
    cellOptions(experiment, levels, tool),
  );
  const count = (options: Record<string, unknown>): number => tool.connections?.(options) ?? 0;
  const fewest = Math.min(...cells.map(count));
  const largest = cells.reduce((most, options) => (count(options) > count(most) ? options : most), cells[0] ?? {});
  return limitChecks({
    connections: count(largest),
    fewest,
    generators: generators.map(({ machine, part, facts }) => {
      const version = facts && versionOf(facts, tool.id);
      const held = version === undefined ? undefined : tool.holds?.(version);
      return {
        name: machine.name,
        share: count(partOf(tool, largest, part)),
        ...(tool.threads && { threads: threadsOf(tool, cells, part) }),
        ...(facts && { facts }),
        ...(held && { tool: held }),
      };
    }),
    ...(connection?.socket === undefined && connection?.host !== undefined && { targetAddress: connection.host }),
    addresses: 1 + (connection === undefined ? 0 : (tool.furtherAddresses?.(largest, connection.kind) ?? []).length),
    ...(target && { target }),
  });
}

function threadsOf(
  tool: Tool,
  cells: readonly Record<string, unknown>[],
  part: Part,
): { most: number; fewest: number } {
  const counts = cells.map((options) => tool.threads?.(partOf(tool, options, part)) ?? 0);
  return { most: Math.max(...counts), fewest: Math.min(...counts) };
}

const versionOf = (facts: HostFacts, tool: string): string | undefined =>
  facts.tools.find((entry) => entry.tool === tool)?.version;
