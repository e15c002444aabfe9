import type { Experiment } from '../../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';

/** An experiment with only a tool: one cell, one short trial on this computer. */
export const blankExperiment = (tool: ToolInfo): Experiment => ({
  kneepoint: 1,
  name: `New ${tool.title} experiment`,
  workload: { tool: tool.id, options: {}, data: 'create' },
  where: { generators: [LOCAL_HOST_NAME] },
  factors: [],
  measure: { warmup: 10, duration: 60, repeats: 3, order: 'rounds', seed: 1, pause: 0 },
});

/** The same document for another tool: without options, steps, factors, measures and charts, which do not apply to it. */
export function withTool(experiment: Experiment, tool: string): Experiment {
  const { exclude: _, steps: _steps, derived: _derived, primary: _primary, charts: _charts, ...rest } = experiment;
  return { ...rest, kneepoint: 1, workload: { ...experiment.workload, tool, options: {} }, factors: [] };
}
