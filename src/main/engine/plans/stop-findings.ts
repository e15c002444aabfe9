import { isAveraged, NO_METRIC } from '../../../shared/metrics/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { LEAST_REPEATS } from '../../../shared/stats/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { Step } from './effects.ts';

/** Stop rules that cannot take effect as the document stands. */
export function stopFindings({ measure }: Experiment, [effects]: readonly Step[], tool: Tool): Finding[] {
  const { stop, repeats } = measure;
  if (!stop || !effects) return [];
  const metric = tool.metrics.primary(effects.options);
  const findings: Finding[] = [];
  if (stop.interval !== undefined && repeats <= LEAST_REPEATS)
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: `“Repeat until within” looks at ${LEAST_REPEATS} repeats at the earliest, and there are no more than ${repeats}: it ends nothing.`,
      next: 'Raise “Repeats” to the most that a cell may be repeated.',
    });
  if (stop.interval !== undefined && metric === NO_METRIC)
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: `“Repeat until within” has no effect: ${tool.title} measures nothing by itself.`,
    });
  if (stop.interval !== undefined && !isAveraged(metric))
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: `“Repeat until within” has no effect: ${metric} has no mean, and so no interval of one.`,
    });
  if (stop.cost !== undefined && effects.prices === undefined)
    findings.push({
      code: 'stop-without-effect',
      severity: 'note',
      message: 'The limit of cost counts from when the session has a price; no level carries one.',
      next: 'Set the price of the session once it has started, or vary a price.',
    });
  return findings;
}
