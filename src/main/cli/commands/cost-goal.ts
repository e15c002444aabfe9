import {
  assumptionSentences,
  goalQuestion,
  goalSentences,
  type Reaching,
  reachingOf,
} from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { CostGoal, ValueScale } from '../../../shared/model/cost.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatLevels, formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, printStatus, slow, table, terminal } from '../terminal.ts';
import type { Common, EngineClient } from '../with-engine.ts';
import { writeOutput } from '../write-output.ts';

/** The contract's limit for sessions in one call. */
const MOST_SESSIONS = 100;
const REACHES = { yes: 'yes', no: 'no', 'cannot-tell': 'inconclusive' } as const;
const LATENCIES: readonly string[] = ['p95', 'p99', 'avg', 'max'];

interface GoalOptions extends Common {
  goal: string;
  latency?: string;
  metric?: string;
  output?: string;
}

/** Prints the cheapest configuration that reaches a goal, over all priced sessions, or writes it as a PDF. */
export async function showGoal(engine: EngineClient, options: GoalOptions): Promise<number> {
  const goal = goalOf(options);
  if (options.output !== undefined) {
    const file = await slow((call) => engine.reports.costGoal({ goal, metric: options.metric }, call));
    if (options.output === '-') terminal().stdout.write(file.bytes);
    else {
      writeOutput(options.output, file.bytes);
      if (options.json) printJson({ file: options.output, bytes: file.bytes.length });
      else printStatus(`Wrote ${options.output} (${formatNumber(file.bytes.length)} bytes).`);
    }
    return EXIT.done;
  }
  const configurations = await engine.costs.configurations({});
  const priced = (await engine.sessions.list({})).filter(({ costPerHour }) => costPerHour !== undefined);
  const sessionIds = priced.slice(0, MOST_SESSIONS).map(({ id }) => id);
  const asked = { sessionIds, perCell: true, metric: options.metric, latency: goal.latency?.metric };
  const { scales, left } = await slow((call) => engine.costs.valueForMoney(asked, call));
  const [scale] = scales;
  if (!scale)
    throw new KneepointError({
      code: 'bad-request',
      message: 'No session has a price, so no configuration can be ranked.',
      next: 'Assign a price to a session: kneepoint cost --session ID --instance ID',
    });
  const systems = reachingOf(scale.rows, goal);
  const sentences = goalSentences(systems, configurations, scale, goal);
  if (options.json) printJson({ goal, metric: scale.metric, currency: scale.currency, systems, sentences });
  else {
    print(goalQuestion(goal, scale));
    for (const sentence of [...assumptionSentences(systems), ...sentences]) print(sentence);
    print('');
    print(table(systems, columnsOf(scale, goal)));
    for (const { name, levels, why } of left)
      print(`note: not ranked: ${name}${levels ? `, ${formatLevels(levels)}` : ''}. ${why}`);
  }
  return EXIT.done;
}

type Columns = Parameters<typeof table<Reaching>>[1];

function columnsOf({ metric: id, currency }: ValueScale, { latency }: CostGoal): Columns {
  const metric = metricOf(id);
  const most = latency && metricOf(latency.metric);
  return [
    { title: 'configuration', value: ({ name }) => name },
    { title: 'cell', value: ({ row }) => formatLevels(row.levels) },
    { title: 'per month', number: true, value: ({ row }) => formatMoney(row.perYear / 12, currency) },
    { title: metric.unit, number: true, value: ({ row }) => formatNumber(row.rate, metric.digits) },
    ...(most
      ? [
          {
            title: `${most.label}, ${most.unit}`,
            number: true as const,
            value: ({ row }: Reaching) => formatNumber(row.latency?.value, most.digits),
          },
        ]
      : []),
    { title: 'repeats', number: true, value: ({ row }) => formatNumber(row.repeats) },
    { title: 'reaches it', value: ({ reach }) => REACHES[reach] },
  ];
}

function goalOf({ goal, latency }: GoalOptions): CostGoal {
  const rate = Number(goal);
  if (!(rate > 0)) throw new UsageError(`--goal needs a rate above 0, not “${goal}”.`);
  if (latency === undefined) return { rate };
  const [statistic = '', limit] = latency.split(',');
  const most = Number(limit);
  if (!LATENCIES.includes(statistic) || !(most > 0))
    throw new UsageError(
      `--latency takes one of ${LATENCIES.join(', ')} and a limit in ms, as in p99,10, not “${latency}”.`,
    );
  return { rate, latency: { metric: `latency_${statistic}_ms`, most } };
}
