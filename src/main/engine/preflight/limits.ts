import { type LimitFacts, limitChecks, type StartFacts } from '../../../shared/checks/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import type { DeviceFinding } from '../facts/index.ts';
import { isAct, partOf, type Step } from '../plans/index.ts';
import { wayOf } from '../runs/index.ts';
import type { Tool, ToolStatements } from '../tools/tool.ts';
import { liftableAt } from './check.ts';
import { largestOpenFiles } from './launch-limits.ts';
import type { KnownTarget, PreflightState } from './state.ts';

/** Whether generators and target can hold the connections of every cell that uses them. */
export function checkLimits(
  known: PreflightState,
  { name, connection, facts: server }: Partial<KnownTarget>,
): DeviceFinding[] {
  const { tool, generators } = known;
  const cells = known.cells.flatMap(({ levels, steps }) =>
    steps.flatMap((step) => (step.target === name && !isAct(step) ? [{ ...step, levels }] : [])),
  );
  // Without a load, statements and preparations open only a few connections.
  if (cells.length === 0) return [];
  const files = largestOpenFiles(known);
  const count = (options: Options): number => tool.load?.connections?.(options) ?? 0;
  const counts = cells.map(({ options }) => count(options));
  const largest = cells.find((_cell, at) => counts[at] === Math.max(...counts));
  const findings = limitChecks({
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
    addresses: connection && largest ? addressesUsed(tool, connection, largest) : 1,
    ...(server?.description && { target: server.description }),
    ...(server?.description?.middleware && {
      pooled: cells.map(({ levels, ...cell }) =>
        pooledCell(cell, server.description?.middleware?.settings ?? [], {
          proxies: connection ? addressesUsed(tool, connection, cell) : 1,
          connections: count(cell.options),
          name: formatLevels(levels),
          statements: tool.load?.statements?.(cell.options, server.kind),
        }),
      ),
    }),
  });
  return findings.map((finding) => liftableAt(known, finding, name));
}

/** Number of addresses that one generator connects to: each has its own range of local ports. */
function addressesUsed(tool: Tool, connection: ConnectionFacts, step: Step): number {
  const { addresses = [] } = wayOf(tool, connection, step, { index: 0 });
  const further = tool.load?.furtherAddresses?.(step.options, connection.kind) ?? [];
  return Math.max(1, addresses.length) + further.length;
}

/** A cell that goes through a proxy, or through several that share its connections. */
interface Proxied {
  proxies: number;
  connections: number;
  name: string;
  statements: ToolStatements | undefined;
}

/** Demands of a cell on its target's pooler, with the settings of its levels. */
function pooledCell(
  { settings: desired, target }: Step,
  settings: readonly { name: string; value: string }[],
  { proxies, connections, name, statements }: Proxied,
): NonNullable<LimitFacts['pooled']>[number] {
  const value = (wanted: string): string | undefined =>
    desired.find(({ what, place }) => what === wanted && place.kind === 'server' && place.name === target)?.value ??
    settings.find((setting) => setting.name === wanted)?.value;
  const figure = (wanted: string): number | undefined => {
    const number = Number(value(wanted) ?? Number.NaN);
    return Number.isInteger(number) ? number : undefined;
  };
  const [mode, size] = [value('pool_mode'), figure('default_pool_size')];
  const limitedBy = ['max_client_conn', 'maxconn'].find((setting) => figure(setting) !== undefined);
  const mostClients = limitedBy === undefined ? undefined : figure(limitedBy);
  const keepsPrepared = figure('max_prepared_statements');
  return {
    connections,
    name,
    ...(statements && { statements }),
    // Earlier versions do not have the setting.
    keepsPrepared: keepsPrepared ?? 0,
    ...(mode !== undefined && { mode }),
    ...(size !== undefined && { size }),
    ...(mostClients !== undefined && { mostClients: mostClients * proxies, limitedBy }),
  };
}

type Options = Record<string, unknown>;

/** The tool's options on one generator, for every cell that it takes part in. */
const partsOf = (tool: Tool, cells: readonly Step[], host: string): Options[] =>
  cells.flatMap(({ options, generators }) => {
    const index = generators.indexOf(host);
    return index < 0 ? [] : [partOf(tool, options, { index, count: generators.length })];
  });

/** Maximum number of workers on a generator in any cell, in the tool's own words. Undefined if unknown. */
export function workersOf(
  { steps, tool }: Pick<PreflightState, 'steps' | 'tool'>,
  host: string,
): StartFacts['generators'][number]['workers'] {
  const workers = tool.load?.workers;
  const counts = partsOf(tool, steps, host).flatMap((options) => workers?.count(options) ?? []);
  return workers && counts.length > 0 ? { unit: workers.unit, most: Math.max(...counts) } : undefined;
}

function threadsOf(tool: Tool, parts: readonly Options[]): { most: number; fewest: number } {
  const counts = parts.map((options) => tool.load?.threads?.(options) ?? 0);
  return { most: Math.max(...counts), fewest: Math.min(...counts) };
}

const versionOf = (facts: HostFacts, tool: string): string | undefined =>
  facts.tools.find((entry) => entry.tool === tool)?.version;
