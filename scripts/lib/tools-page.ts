import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { targetByKind } from '../../src/main/engine/targets/index.ts';
import { parseText, TOOLS, toolInfo } from '../../src/main/engine/tools/index.ts';
import type { Tool } from '../../src/main/engine/tools/tool.ts';
import { isMetric, metricOf } from '../../src/shared/metrics/index.ts';
import { KneepointError } from '../../src/shared/model/problem.ts';
import type { ConnectionFacts, TargetKind } from '../../src/shared/model/target.ts';
import { type Property, preset, sentence, table, takes } from './page-words.ts';

export const TOOLS_PAGE = 'docs/tools.md';

const HEAD = `# Tools

Every benchmark program that Kneepoint can drive, with its options. \`npm run format\` generates this page from the code, and
\`npm run check\` fails if it is out of date. In a document, options are under \`workload.options\`; each of them can be a factor. To add
a tool: [adding a tool](adding-a-tool.md).
`;

/** The text of docs/tools.md. */
export const toolsPage = (root: string): string =>
  [
    HEAD,
    table(['tool', 'drives', 'what it is'], TOOLS.map(summaryRow)),
    ...TOOLS.map((tool) => section(tool, root)),
  ].join('\n');

const summaryRow = (tool: Tool): string[] => [
  `[${tool.title}](#${anchor(tool.title)}) (\`${tool.id}\`)`,
  tool.drives.map((kind) => targetByKind(kind).family).join(', '),
  tool.summary,
];
const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function section(tool: Tool, root: string): string {
  const properties = Object.entries(toolInfo(tool).options.properties as Record<string, Property>);
  const groups = new Map<string, [string, Property][]>();
  for (const entry of properties)
    groups.set(entry[1].group ?? '', [...(groups.get(entry[1].group ?? '') ?? []), entry]);
  const needed = tool.probe ? `${tool.probe.argv[0]} ${tool.probe.oldest} or later; ${tool.probe.install}` : undefined;
  const facts = [
    `- **Steps**: ${stepsOf(tool).join(', ')}.`,
    ...(needed === undefined ? [] : [`- **Needs**: ${sentence(needed)}`]),
    `- **Metrics by the second**: ${tool.watchesOnly ? 'none; series of the monitored hosts and servers.' : metricsOf(tool, root)}`,
  ];
  const options = [...groups].map(
    ([group, entries]) =>
      `### ${tool.title}: ${group || 'Options'}\n\n${table(['option', 'takes', 'default', 'what it does'], entries.map(optionRow))}`,
  );
  return [`## ${tool.title}\n\n${tool.summary}\n\n${facts.join('\n')}\n`, ...options].join('\n');
}

function optionRow([name, property]: [string, Property]): string[] {
  const { when } = property;
  const only = when ? ` Only with ${when.option} = ${when.in.map(String).join(', ')}.` : '';
  return [
    `\`${name}\``,
    takes(property),
    preset(property.default),
    `**${property.title}.** ${property.description}${only}`,
  ];
}

/** Steps that any combination of options has. */
function stepsOf(tool: Tool): string[] {
  const steps = new Set<string>();
  const properties = Object.entries(toolInfo(tool).options.properties as Record<string, Property>);
  const choices = [{}, ...properties.flatMap(choicesOf)];
  for (const choice of choices)
    for (const kind of tool.drives) for (const step of plannedSteps(tool, choice, kind)) steps.add(step);
  // Commands written by the user have no default.
  for (const name of ['prepare', 'cleanup']) if (name in tool.options.shape) steps.add(name);
  return ['prepare', 'run', 'cleanup'].filter((step) => steps.has(step));
}

/** Values that change a tool's behaviour: those of a choice, and those that other options depend on. */
const choicesOf = ([name, { enum: values = [], when }]: [string, Property]): Record<string, unknown>[] => [
  ...values.map((value) => ({ [name]: value })),
  ...(when?.in ?? []).map((value) => ({ [when?.option ?? '']: value })),
];

function plannedSteps(tool: Tool, choice: Record<string, unknown>, kind: TargetKind): string[] {
  const connection: ConnectionFacts = { kind, host: 'db', port: 1, user: 'u', database: 'd', path: '/srv/data' };
  try {
    const options = tool.options.parse(choice);
    const place = { nodePath: 'node', assetsDir: '/app' };
    return Object.keys(tool.plan({ options, connection, warmup: 0, duration: 10, seed: 1, ...place }));
  } catch (error) {
    if (error instanceof KneepointError) return [];
    throw error;
  }
}

/** Metrics that the tool's parser reads from its recordings; percentiles and kinds of operation as one word each. */
function metricsOf(tool: Tool, root: string): string {
  if ('pattern' in tool.options.shape) return 'whatever its patterns name.';
  const folder = path.join(root, 'src/main/engine/tools', tool.id, 'fixtures');
  const ids = new Set<string>();
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const file of files.filter((name) => /std(out|err)\.txt$/.test(name)))
    for (const { metrics } of parseText(tool, readFileSync(path.join(folder, file))).samples)
      for (const id of Object.keys(metrics).filter(isMetric)) ids.add(id);
  if (ids.size === 0) return 'see the tool’s summary above.';
  const plain = [...ids].filter((id) => !/latency_p\d+_ms$|^[a-z]+(_intended)?_latency_|^group_\d/.test(id)).sort();
  const operations = new Set([...ids].flatMap((id) => /^([a-z]+)(?:_intended)?_latency_/.exec(id)?.[1] ?? []));
  const has = (pattern: RegExp): boolean => [...ids].some((id) => pattern.test(id));
  return sentence(
    [
      ...plain.map((id) => `\`${id}\` (${metricOf(id).label})`),
      ...(has(/^latency_p\d+_ms$/) ? ['percentiles of latency (`latency_p99_ms` …)'] : []),
      ...(operations.size > 0 ? [`latencies of each kind of operation (${[...operations].sort().join(', ')})`] : []),
      ...(has(/^group_\d/) ? ['the same for each group of jobs (`group_0_…`)'] : []),
    ].join(', '),
  );
}
