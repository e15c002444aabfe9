import { priceScatter, titleOf } from '../../../../shared/chart-models/index.ts';
import {
  assumptionSentences,
  goalQuestion,
  goalSentences,
  intervalWords,
  type Reach,
  type Reaching,
  reachingOf,
  unmeasuredOf,
} from '../../../../shared/costs/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type {
  Configuration,
  CostGoal,
  CostResult,
  ValueForMoney,
  ValueRow,
  ValueScale,
} from '../../../../shared/model/cost.ts';
import { severityWords } from '../../../../shared/model/finding.ts';
import { targetsOf } from '../../../../shared/model/session-snapshot.ts';
import { targetWords, toolWords } from '../../../../shared/model/session-words.ts';
import {
  formatCount,
  formatDateTime,
  formatLevels,
  formatMoney,
  formatNumber,
  formatValue,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import { theme } from './charts.ts';
import { facts, figure, heading, inOnePiece, note, type Part, table, words } from './parts.ts';
import { type Examined, findingsOf, findingsPart, hostWords } from './sections.ts';
import { chartPicture } from './svg.ts';

/** Everything that the answer to a cost goal is made from; plain data. */
export interface CostGoalData {
  readonly goal: CostGoal;
  /** Every measured cell, at its price. */
  readonly scale: ValueScale;
  /** Saved configurations, which may never have been measured. */
  readonly configurations: readonly Configuration[];
  /** Sessions that `scale` has rows of. */
  readonly sessions: readonly Examined[];
  /** The itemized price of a row. Undefined if it can no longer be calculated. */
  priceOf(row: ValueRow): CostResult | undefined;
  readonly left: ValueForMoney['left'];
  /** The terms of the list prices, a sentence. */
  readonly disclaimer: string;
  readonly appVersion: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** Maximum number of systems in tables; the others are counted. */
const MOST_SYSTEMS = 20;
/** Sessions whose versions fit on the first page. */
const MOST_NAMED = 4;
const REACHES: Readonly<Record<Reach, string>> = { yes: 'yes', no: 'no', 'cannot-tell': 'inconclusive' };

/** The answer on the first page; then prices, findings and everything that is not ranked. */
export function costGoalParts(data: CostGoalData): Part[] {
  const { goal, scale, configurations, sessions, left } = data;
  const systems = reachingOf(scale.rows, goal);
  const [answer = '', ...more] = goalSentences(systems, configurations, scale, goal);
  const found = foundOf(sessions);
  const caveats = severityWords(found);
  return [
    heading(costGoalTitle(data), 1),
    words('question', goalQuestion(goal, scale)),
    ...assumptionSentences(systems, data.madeAt).map((line) => words('best', line)),
    words('lead', answer),
    ...[...more, ...(caveats ? [`${caveats}: see Findings.`] : [])].map((line) => words('best', line)),
    ...picture(systems, data),
    systemsTable(systems, data),
    ...moreNote(systems.length),
    ...systems
      .slice(0, MOST_SYSTEMS)
      .flatMap(({ name, row }) => (row.volumes ? [note(`${name}: ${row.volumes.words}`)] : [])),
    measuredOn(systems, data),
    ...pricesPart(systems, data),
    ...findingsPart(found),
    ...left.map(({ name, levels, why }) =>
      note(`Not ranked: ${name}${levels ? `, ${formatLevels(levels)}` : ''}. ${why}`),
    ),
  ];
}

/** Findings of all sessions, each once with the sessions that have it. */
function foundOf(sessions: readonly Examined[]): ReturnType<typeof findingsOf> {
  const all = sessions.flatMap((session) =>
    findingsOf(session).map((found) => ({ ...found, id: session.detail.session.id })),
  );
  return [...Map.groupBy(all, ({ severity, words: text }) => `${severity} ${text}`).values()].flatMap((alike) => {
    const [first] = alike;
    const ids = [...new Set(alike.map(({ id }) => id))].sort((one, other) => one - other);
    const where = `${ids.length === 1 ? 'Session' : 'Sessions'} ${ids.join(', ')}`;
    return first ? [{ ...first, words: `${where}: ${first.words}` }] : [];
  });
}

export const costGoalTitle = ({ goal, scale }: Pick<CostGoalData, 'goal' | 'scale'>): string =>
  `Cheapest configuration for ${formatValue(goal.rate, metricOf(scale.metric))}`;

/** Rate by price, with the goal as a line and the verdict as the shape of each system. */
function picture(systems: readonly Reaching[], data: CostGoalData): Part[] {
  const {
    goal,
    scale: { metric, currency },
  } = data;
  if (systems.length === 0) return [];
  const points = systems.map(({ reach, row: { perHour, rate } }, place) => ({
    ...{ name: String(place + 1), reach, perHour, rate },
  }));
  const chart = priceScatter(points, metricOf(metric), currency, theme, goal.rate);
  const shape = goal.latency ? '; point shapes also take latency into account' : '';
  const missing = notMeasured(systems, data).map(({ spec }) => spec.label);
  const without = missing.length > 0 ? ` Not measured, so without a point: ${missing.join(', ')}.` : '';
  return [
    figure(
      chartPicture(chart, 200),
      `${chart.description}. Numbers as in the table; the line is the goal${shape}.${without}`,
    ),
  ];
}

/** Configurations without work, cheapest first, as far as the table has space. */
const notMeasured = (systems: readonly Reaching[], { scale: { currency }, configurations }: CostGoalData) =>
  unmeasuredOf(
    systems.map(({ row }) => row),
    configurations,
    currency,
  )
    .sort((one, other) => (one.total?.perMonth ?? 0) - (other.total?.perMonth ?? 0))
    .slice(0, Math.max(0, MOST_SYSTEMS - systems.length));

function systemsTable(systems: readonly Reaching[], data: CostGoalData): Part {
  const {
    goal,
    scale,
    scale: { metric: id, currency },
  } = data;
  const metric = metricOf(id);
  const latency = goal.latency && metricOf(goal.latency.metric);
  return table(
    [
      { title: '', align: 'right' },
      { title: 'Configuration, cheapest first', width: '*' },
      { title: `${currency} per month`, align: 'right' },
      { title: titleOf(metric), align: 'right' },
      { title: '95 % interval', align: 'right' },
      ...(latency ? [{ title: `Latency (${latency.unit})`, align: 'right' as const }] : []),
      { title: 'Repeats', align: 'right' },
      { title: 'Reaches goal', noWrap: true },
    ],
    [
      ...systems
        .slice(0, MOST_SYSTEMS)
        .map(({ name, reach, row }, place) => [
          String(place + 1),
          [name, formatLevels(row.levels)].filter(Boolean).join(': '),
          formatMoney(row.perYear / 12, currency),
          formatNumber(row.rate, metric.digits),
          intervalWords(row, scale),
          ...(latency ? [formatNumber(row.latency?.value, latency.digits)] : []),
          formatNumber(row.repeats),
          REACHES[reach],
        ]),
      ...notMeasured(systems, data).map(({ spec, total }) => [
        ...['', spec.label, formatMoney((total?.perYear ?? 0) / 12, currency), NO_VALUE, NO_VALUE],
        ...(latency ? [NO_VALUE] : []),
        ...['0', 'not measured'],
      ]),
    ],
  );
}

const moreNote = (count: number): Part[] =>
  count > MOST_SYSTEMS ? [note(`The cheapest ${MOST_SYSTEMS} of ${formatCount(count, 'configuration')}.`)] : [];

/** Sessions, servers and hosts that the figures come from, and the bottleneck of the answer. */
function measuredOn(systems: readonly Reaching[], { sessions, disclaimer, priceOf }: CostGoalData): Part {
  const sure = systems.find(({ reach }) => reach === 'yes');
  const bound = sure?.row.bound;
  const details = sessions.map(({ detail }) => detail).sort((one, other) => one.session.id - other.session.id);
  return facts([
    [
      'Answer measured in',
      sure &&
        [`session ${sure.row.sessionId}`, sure.row.name, sure.row.measuredOn && `on ${sure.row.measuredOn}`]
          .filter(Boolean)
          .join(', '),
    ],
    ['Bottleneck', bound && bound.verdict !== 'not-known' ? bound.sentence : undefined],
    [
      'Sessions',
      named(
        details.map(
          ({ session }) =>
            `${session.id}${session.startedAt === undefined ? '' : ` (${formatDateTime(session.startedAt)})`}`,
        ),
        ', ',
      ),
    ],
    [
      'Tools',
      named(details.map(({ session, toolVersion }) => [toolWords(session), toolVersion].filter(Boolean).join(' '))),
    ],
    ['Servers', named(details.flatMap(serverWords))],
    [
      'Generators',
      named(
        details.flatMap(({ hosts, session }) => (hosts.length > 0 ? hosts.map(hostWords) : [...session.generators])),
      ),
    ],
    [
      'Price lists',
      named(
        systems
          .flatMap(({ row }) => priceOf(row)?.items ?? [])
          .flatMap(({ source, asOf }) => (source === undefined ? [] : `${source}${asOf ? `, as of ${asOf}` : ''}`)),
      ) || undefined,
    ],
    ['Prices', disclaimer],
  ]);
}

function serverWords(detail: Examined['detail']): string[] {
  const servers = targetsOf(detail).map(({ name, description }) =>
    [name, [description?.product, description?.version].filter(Boolean).join(' ')].filter(Boolean).join(', '),
  );
  return servers.length > 0 ? servers : [targetWords(detail.session) ?? ''].filter(Boolean);
}

/** Each name once; if there are many, the first ones and the number of others. */
function named(all: readonly string[], between = '; '): string {
  const each = [...new Set(all)];
  const more = each.length - MOST_NAMED;
  return [...each.slice(0, MOST_NAMED), ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(between);
}

/** The parts of each price, cheapest configuration first. */
const pricesPart = (systems: readonly Reaching[], { priceOf }: CostGoalData): Part[] => {
  const priced = systems.slice(0, MOST_SYSTEMS).flatMap(({ name, row }) => {
    const price = priceOf(row);
    return price ? [{ name, price }] : [];
  });
  if (priced.length === 0) return [];
  return [
    heading('Prices'),
    ...priced.flatMap(({ name, price: { items, currency, perMonth, asOf } }) => [
      ...inOnePiece(
        name,
        table(
          [
            { title: 'Component', width: '*' },
            { title: 'How', width: '*' },
            { title: 'Price of', noWrap: true },
            { title: `${currency} per month`, align: 'right' },
          ],
          [
            ...items.map((item) => [
              ...[item.label, item.how, item.asOf ?? 'custom item'],
              formatMoney(item.perMonth, currency),
            ]),
            ['Total', '', asOf ?? '', formatMoney(perMonth, currency)],
          ],
        ),
      ),
      ...items.flatMap(({ label, warnings }) => warnings.map((warning) => note(`${label}: ${warning}`))),
    ]),
    // Most configurations use prices of the same date, so each note is shown once.
    ...[...new Set(priced.flatMap(({ price }) => price.notes ?? []))].map(note),
  ];
};
