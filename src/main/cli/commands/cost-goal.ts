import {
  assumptionSentences,
  goalQuestion,
  goalSentences,
  type Reaching,
  reachingOf,
} from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { AssumedWork, Configuration, CostGoal, ValueForMoney, ValueScale } from '../../../shared/model/cost.ts';
import type { Scalar } from '../../../shared/model/factor.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatLevels, formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
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
  currency?: string;
  output?: string;
  session?: string;
  assume?: string[];
}

/**
 * Prints the cheapest configuration that reaches a goal, or writes it as a PDF: over all priced sessions, or with the work of a session assumed for
 * every saved configuration.
 */
export async function showGoal(engine: EngineClient, options: GoalOptions): Promise<number> {
  const goal = goalOf(options);
  const { metric, currency } = options;
  const configurations = await engine.costs.configurations({});
  const sessions = await engine.sessions.list({});
  const assumed = await assumedWork(engine, options, { configurations, sessions });
  const priced = sessions.filter(({ costPerHour }) => costPerHour !== undefined);
  const sessionIds = options.session === undefined ? priced.slice(0, MOST_SESSIONS).map(({ id }) => id) : [];
  if (options.output !== undefined) {
    const report = { goal, metric, currency, ...(assumed && { sessionIds, assumed }) };
    const file = await slow((call) => engine.reports.costGoal(report, call));
    if (options.output === '-') terminal().stdout.write(file.bytes);
    else {
      writeOutput(options.output, file.bytes);
      if (options.json) printJson({ file: options.output, bytes: file.bytes.length });
      else printStatus(`Wrote ${options.output} (${formatNumber(file.bytes.length)} bytes).`);
    }
    return EXIT.done;
  }
  const asked = { sessionIds, perCell: true, metric, latency: goal.latency?.metric, assumed };
  const { scales, left } = await slow((call) => engine.costs.valueForMoney(asked, call));
  const scale = scales.find((each) => currency === undefined || each.currency === currency);
  if (!scale) throw unpriced(currency, left);
  const systems = reachingOf(scale.rows, goal);
  const sentences = goalSentences(systems, configurations, scale, goal);
  if (options.json) printJson({ goal, metric: scale.metric, currency: scale.currency, systems, sentences });
  else {
    print(goalQuestion(goal, scale));
    for (const sentence of [...assumptionSentences(systems, Date.now()), ...sentences]) print(sentence);
    print('');
    print(table(systems, columnsOf(scale, goal)));
    for (const { name, row } of systems) if (row.volumes) print(`note: ${name}: ${row.volumes.words}`);
    for (const { name, levels, why } of left)
      print(`note: not ranked: ${name}${levels ? `, ${formatLevels(levels)}` : ''}. ${why}`);
  }
  return EXIT.done;
}

const unpriced = (currency: string | undefined, left: ValueForMoney['left']): KneepointError =>
  new KneepointError({
    code: 'bad-request',
    message: `${currency === undefined ? 'No session has a price' : `No price is in ${currency}`}, so no configuration can be ranked.`,
    next: [
      ...left.slice(0, 1).map(({ name, why }) => `${name}: ${why}`),
      'Assign a price to a session: kneepoint cost --session ID --instance ID. Or save configurations, and specify the session whose throughput is assumed for them: kneepoint cost --goal RATE --session ID',
    ].join(' '),
  });

interface Known {
  configurations: readonly Configuration[];
  sessions: readonly Session[];
}

/**
 * Work assumed for saved configurations: that of one session for all of them, and other work for those that are named. As on the screen, the
 * session need not be named if it is the only one and nothing has a price. Undefined: only measured work counts.
 */
async function assumedWork(
  engine: EngineClient,
  { session, assume = [] }: GoalOptions,
  { configurations, sessions }: Known,
): Promise<AssumedWork[] | undefined> {
  const useful = sessions.filter(({ best }) => best);
  const isPriced = sessions.some(({ costPerHour }) => costPerHour !== undefined);
  const only = !isPriced && useful.length === 1 ? useful[0]?.id : undefined;
  const base = session === undefined ? only : idOf(session);
  const own = new Map<number, Omit<AssumedWork, 'configurationId'>>();
  for (const text of assume) {
    const [found] = [...configurations]
      .filter(({ spec: { label } }) => text.startsWith(`${label}=`))
      .sort((one, other) => other.spec.label.length - one.spec.label.length);
    if (!found)
      throw new UsageError(
        `--assume takes NAME=ID or NAME=ID,FACTOR=LEVEL with the name of a saved configuration, not “${text}”. kneepoint cost --saved lists them.`,
      );
    own.set(found.id, await workNamed(engine, text.slice(found.spec.label.length + 1), text));
  }
  const assumed = configurations.flatMap(({ id }): AssumedWork[] => {
    const work = own.get(id) ?? (base === undefined ? undefined : { sessionId: base });
    return work ? [{ configurationId: id, ...work }] : [];
  });
  if (session !== undefined && assumed.length === 0)
    throw new UsageError('There is no saved configuration. Save one: kneepoint cost --save NAME --instance ID');
  return assumed.length > 0 ? assumed : undefined;
}

/** `7` or `7,threads=16`: the work of a session, of all its cells or of those with these levels. */
async function workNamed(
  engine: EngineClient,
  work: string,
  option: string,
): Promise<Omit<AssumedWork, 'configurationId'>> {
  const [id = '', ...pairs] = work.split(',');
  const sessionId = idOf(id);
  if (pairs.length === 0) return { sessionId };
  const { plan } = await engine.sessions.get({ id: sessionId });
  const levels = pairs.map((pair): [string, Scalar] => {
    const at = pair.indexOf('=');
    const [name, text] = [pair.slice(0, Math.max(0, at)), pair.slice(at + 1)];
    const level = plan.cells.map((cell) => cell.levels[name]).find((each) => String(each) === text);
    if (level === undefined) throw new UsageError(`--assume “${option}”: session ${sessionId} has no level ${pair}.`);
    return [name, level];
  });
  return { sessionId, levels: Object.fromEntries(levels) };
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
