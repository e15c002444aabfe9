import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { StepAct } from '../../../shared/model/step.ts';
import type { ToolInfo } from '../../../shared/model/tool.ts';
import { benchbaseReader } from './benchbase/index.ts';
import { commandTool } from './command/index.ts';
import { runTool } from './command/step.ts';
import { dataTool } from './data-step/index.ts';
import { embeddedTool } from './embedded/index.ts';
import { fioTool } from './fio/index.ts';
import { optionSchema } from './normalise.ts';
import { observationTool } from './observation/index.ts';
import { withPossibleTimes } from './parse-text.ts';
import { pgbenchTool } from './pgbench/index.ts';
import { queriesTool } from './queries/index.ts';
import { statementTool } from './queries/statement.ts';
import { waitTool } from './step-wait/index.ts';
import { sysbenchTool } from './sysbench/index.ts';
import type { Tool, ToolReader } from './tool.ts';
import { ycsbTool } from './ycsb/index.ts';

const ALL: readonly Tool[] = [
  sysbenchTool,
  pgbenchTool,
  fioTool,
  embeddedTool,
  ycsbTool,
  queriesTool,
  commandTool,
  observationTool,
];

/** All benchmark programs that the app can drive. To add one, create a folder and add a line above. */
export const TOOLS: readonly Tool[] = ALL.map(withPossibleTimes);

/** Tools of steps that do not run the workload. No document can use them as its tool. */
const ACTS: Readonly<Record<StepAct, Tool>> = {
  prepare: dataTool('prepare', (id) => TOOLS.find((tool) => tool.id === id)),
  cleanup: dataTool('cleanup', (id) => TOOLS.find((tool) => tool.id === id)),
  wait: waitTool,
  statement: statementTool,
  run: runTool,
};

export const toolOfAct = (act: StepAct): Tool => ACTS[act];
export const actToolById = (id: string): Tool | undefined => Object.values(ACTS).find((tool) => tool.id === id);

export const toolById = (id: string): Tool | undefined => TOOLS.find((tool) => tool.id === id) ?? actToolById(id);

/** All readers: the tools, followed by import formats. */
export const READERS: readonly ToolReader[] = [...TOOLS, benchbaseReader];

export const readerById = (id: string): ToolReader | undefined =>
  READERS.find((reader) => reader.id === id) ?? actToolById(id);

/** Tools to look for on a host. Tools that are part of the app bring everything they need on this computer. */
export const toolsSoughtOn = (host: string): readonly Tool[] =>
  host === LOCAL_HOST_NAME ? TOOLS.filter(({ partOfApp }) => partOfApp === undefined) : TOOLS;

/** Facts of a tool for the UI and `kneepoint tools`. */
export function toolInfo(tool: Tool): ToolInfo {
  return {
    id: tool.id,
    title: tool.title,
    summary: tool.summary,
    drives: [...tool.drives],
    ...(tool.load?.divide && { divides: true }),
    ...(tool.watchesOnly && { watchesOnly: true as const }),
    ...(tool.file && { file: { title: tool.file.title, name: tool.file.name } }),
    options: optionSchema(tool),
    primaryMetric: tool.metrics.primary(tool.options.parse({})),
  };
}

export { preparedIn, preparesData } from './data-step/index.ts';
export { durationValue, loadKind, normaliseOptions, optionName, optionValue } from './normalise.ts';
export { type ParsedText, parseText, type ReadRun, readRun, tryText } from './parse-text.ts';
export { loopArguments, RESTART_LOOP, RestartParser, withRestarts } from './restarts.ts';
export { shownCommand } from './secret.ts';
