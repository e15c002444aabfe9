import { placesText, stepsText } from '../../../../shared/chart-models/index.ts';
import { usableWords } from '../../../../shared/costs/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { barOf, caveatWords } from '../../../../shared/model/figure.ts';
import { canariesOf, exclusionWords } from '../../../../shared/model/repeats.ts';
import type {
  Comparison,
  FactorRatios,
  PlaceFigures,
  SessionResult,
  StepsTable,
} from '../../../../shared/model/result.ts';
import { comparedWarnings, spanWords, VERDICT_WORDS, valueWords } from '../../../../shared/model/result-words.ts';
import type { TargetFacts } from '../../../../shared/model/session-snapshot.ts';
import { factRows, factValue } from '../../../../shared/model/session-words.ts';
import {
  changedSettings,
  everySetting,
  settingWords,
  shortDifferences,
  type TargetSetting,
} from '../../../../shared/model/settings.ts';
import { comparedBasis, figureTitle } from '../../../../shared/stats/index.ts';
import {
  capital,
  columnDigits,
  formatBytes,
  formatCount,
  formatDateTime,
  formatFigure,
  formatInterval,
  formatLevels,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRatio,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import type { ReportData } from '../data.ts';
import { facts, inOnePiece, note, type Part, type Table, table, warnings } from './parts.ts';

export function cellsTable(result: SessionResult): Table {
  const metric = metricOf(result.metric);
  const { unit } = metric;
  const digits = columnDigits(
    metric,
    result.cells.map((cell) => cell.value),
  );
  const number = (value: number | undefined): string => formatFigure(value, digits);
  // A figure of whole runs has no seconds.
  const ofSeconds = result.cells.some(({ spread }) => spread)
    ? (['Median', 'p5', 'p95', 'CV'] as const).map((title) => ({ title, align: 'right' as const }))
    : [];
  return table(
    [
      { title: 'Cell', width: '*' },
      { title: 'Runs', align: 'right' },
      { title: `${figureTitle(result.metric, result.pick)}${unit ? ` (${unit})` : ''}`, align: 'right' },
      { title: result.cells.some(({ range }) => range) ? 'Repeats' : '95 % interval', align: 'right' },
      ...ofSeconds,
      { title: 'Errors', align: 'right' },
    ],
    result.cells.map((cell) => [
      `${formatLevels(cell.levels) || 'the only cell'}${barOf(cell) ? ` (${barOf(cell)?.mark})` : ''}`,
      String(cell.means.length),
      valueWords(cell, digits),
      spanWords(cell.range ?? cell.interval, digits),
      ...(ofSeconds.length > 0
        ? [...[cell.spread?.median, cell.spread?.p5, cell.spread?.p95].map(number), formatPercent(cell.spread?.cv, 1)]
        : []),
      formatNumber(cell.errors),
    ]),
  );
}

/** All measured steps, with their ratios to the baseline of the factor under test. */
export function stepsTable(steps: StepsTable): Table {
  const { head, numbers, rows } = stepsText(steps);
  return table(
    head.map((title, place) => ({
      title: capital(title),
      ...(place === 0 && { width: '*' as const }),
      ...(place >= numbers && { align: 'right' as const }),
    })),
    rows,
  );
}

/** A row for each place of each cell, and one for all together. */
export function placesTable(places: PlaceFigures): Table {
  const { head, numbers, rows } = placesText(places);
  return table(
    head.map((title, place) => ({
      title: place < numbers ? capital(title) : title,
      ...(place === numbers - 1 && { width: '*' as const }),
      ...(place >= numbers && { align: 'right' as const }),
    })),
    rows,
  );
}

/** Ratios to the baseline of a factor, with their verdicts. */
export function ratiosTable(result: SessionResult, ratios: FactorRatios): Table {
  const cellOf = new Map(result.cells.map((cell) => [cell.cell, cell]));
  const { digits, unit } = metricOf(result.metric);
  return table(
    [
      { title: 'Cell', width: '*' },
      { title: `Baseline${unit ? ` (${unit})` : ''}`, align: 'right' },
      { title: `Cell${unit ? ` (${unit})` : ''}`, align: 'right' },
      { title: 'Ratio', align: 'right' },
      { title: '95 % interval', align: 'right' },
      { title: 'Verdict', width: 110 },
    ],
    ratios.cells.map(({ cell, baseline, ratio, interval, verdict }) => [
      formatLevels(cellOf.get(cell)?.levels ?? {}),
      formatFigure(cellOf.get(baseline)?.value, digits),
      formatFigure(cellOf.get(cell)?.value, digits),
      formatRatio(ratio),
      interval ? formatInterval(interval) : NO_VALUE,
      VERDICT_WORDS[verdict],
    ]),
  );
}

/** Caveats of each cell's figure that are neither in a column nor in a warning. */
export const cellLines = ({ cells }: SessionResult): string[] =>
  cells.flatMap((cell) => {
    const words = caveatWords('note', cell);
    return words ? [`${formatLevels(cell.levels) || 'The only cell'}: ${words}`] : [];
  });

/** Settings of hosts and servers set by levels, with the value read back. Undefined if there are none. */
export function factsTable(data: ReportData): Table | undefined {
  const rows = factRows(data.runs);
  if (rows.length === 0) return undefined;
  return table(
    [
      { title: 'Where', width: 90 },
      { title: 'What', width: '*' },
      { title: 'Desired', width: 80 },
      { title: 'Read back', width: 80 },
      { title: 'Before', width: 80 },
      { title: 'Runs', align: 'right' },
    ],
    rows.map(({ place, what, wanted, found, first, runs, matches }) => [
      `${place.kind} ${place.name}`,
      what,
      wanted,
      `${factValue(found)}${matches === false ? ' (not as desired)' : ''}`,
      factValue(first),
      String(runs.length),
    ]),
  );
}

export function runsTable(data: ReportData): Table {
  const isCanary = canariesOf(data.detail.plan);
  return table(
    [
      { title: 'Trial', align: 'right' },
      { title: 'Cell', width: '*' },
      { title: 'Repeat', align: 'right' },
      { title: 'State' },
      { title: 'Exit' },
      { title: 'Seconds', align: 'right' },
      { title: 'Started', noWrap: true },
    ],
    data.runs.map((run) => [
      String(run.trial + 1),
      [
        `${[run.stepName, formatLevels(run.levels)].filter(Boolean).join(', ') || 'the only cell'}${run.message ? `: ${run.message}` : ''}`,
        exclusionWords(run, data.runs),
      ]
        .filter(Boolean)
        .join('. '),
      isCanary(run) ? 'canary' : String(run.repeat + 1),
      `${run.state}${run.excluded ? ', excluded' : ''}`,
      run.exit
        ? run.exit.unknown
          ? 'unknown'
          : [run.exit.code, run.exit.signal].filter((part) => part !== undefined).join(' ')
        : '–',
      formatNumber(run.seconds),
      formatDateTime(run.startedAt),
    ]),
  );
}

export function costTable(data: ReportData): Part[] {
  if (!data.cost) return [];
  const { result, spec, value } = data.cost;
  const money = (amount: number): string => formatMoney(amount, result.currency);
  const hours = spec.hoursPerMonth === undefined ? '' : ` of ${formatNumber(spec.hoursPerMonth)} h`;
  const usable = usableWords(result);
  const notes = [
    ...result.items.flatMap(({ label, performance = [] }) => performance.map((sentence) => `${label}: ${sentence}`)),
    ...(usable === undefined ? [] : [usable]),
    ...result.items.flatMap(({ label, warnings }) => warnings.map((warning) => `${label}: ${warning}`)),
    ...(result.notes ?? []),
    ...value.left.map(({ levels, why }) => `Not ranked: ${levels ? `${formatLevels(levels)}: ` : ''}${why}`),
  ];
  return [
    table(
      [
        { title: 'Component', width: '*' },
        { title: 'How', width: '*' },
        { title: 'Price of', noWrap: true },
        { title: 'per hour', align: 'right' },
        { title: `per month${hours}`, align: 'right' },
        { title: 'per year', align: 'right' },
      ],
      [
        ...result.items.map((item) => [
          item.label,
          item.how,
          item.asOf ?? 'custom item',
          money(item.perHour),
          money(item.perMonth),
          money(item.perYear),
        ]),
        ['Total', '', result.asOf ?? '', money(result.perHour), money(result.perMonth), money(result.perYear)],
      ],
    ),
    ...notes.map(note),
    ...warnings(value.rows),
  ];
}

export function comparisonTable(comparison: Comparison): Part[] {
  const { digits, unit } = metricOf(comparison.metric);
  return [
    table(
      [
        { title: 'Cell', width: 180 },
        { title: `Baseline (${unit})`, align: 'right' },
        { title: `Compared (${unit})`, align: 'right' },
        { title: 'Ratio', align: 'right' },
        { title: 'Verdict', width: '*' },
      ],
      comparison.cells.map((cell) => [
        formatLevels(cell.levels) || 'the only cell',
        formatFigure(cell.baseline?.value, digits),
        formatFigure(cell.other?.value, digits),
        formatRatio(cell.ratio),
        cell.sentence,
      ]),
    ),
    ...[...comparedBasis(comparison), ...comparedWarnings(comparison)].map(note),
    ...(comparison.differences.length > 0
      ? [
          table(
            [
              { title: 'Differences', width: '*' },
              { title: 'Baseline', width: '*' },
              { title: 'Compared', width: '*' },
            ],
            comparison.differences.map((entry) => [entry.what, entry.baseline, entry.other]),
          ),
        ]
      : []),
    ...keptFacts(comparison),
    ...differingSettings(comparison),
  ];
}

function keptFacts({ facts = [] }: Comparison): Part[] {
  const titles = ['Captured fact', 'Baseline', 'Compared', ''];
  return facts.length === 0
    ? []
    : [
        table(
          titles.map((title, index) => ({ title, width: FACT_WIDTHS[index] ?? 50 })),
          facts.map(({ what, baseline, other, isEqual }) => [what, baseline, other, isEqual ? 'equal' : 'different']),
        ),
      ];
}

/** Fixed widths instead of `*`: values may be long lists without a space, which must not widen the table beyond the page. */
const SETTING_WIDTHS = [179, 160, 160] as const;
const FACT_WIDTHS = [150, 142, 142, 54] as const;

function differingSettings({ settings }: Comparison): Part[] {
  const { listed, sentences } = shortDifferences(settings);
  const titles = ['Target setting that differs', 'Baseline', 'Compared'];
  return [
    ...(listed.length > 0
      ? [
          table(
            titles.map((title, index) => ({ title, width: SETTING_WIDTHS[index] ?? 160 })),
            listed.map((entry) => [entry.name, entry.baseline, entry.other]),
          ),
        ]
      : []),
    ...sentences.map(note),
  ];
}

/** Settings that differ from their default, as reported by the server: those needed to reproduce it. */
function changedTable(settings: readonly TargetSetting[]): Table {
  const titles = ['Changed from the default', 'Value', 'Default'];
  return table(
    [...titles.map((title, index) => ({ title, width: [150, 125, 125][index] ?? 125 })), { title: 'From', width: '*' }],
    settings.map((setting) => [
      setting.name,
      settingWords(setting) || 'empty',
      setting.default === undefined
        ? NO_VALUE
        : settingWords({ value: setting.default, unit: setting.unit }) || 'empty',
      setting.source ?? NO_VALUE,
    ]),
  );
}

/** Facts of a target at the start. */
export function targetPart(target: TargetFacts): Part[] {
  const server = target.description;
  return [
    ...inOnePiece(
      `Target “${target.name}”`,
      facts([
        ['Address', target.address],
        ['Proxy', target.behind === undefined ? undefined : target.description?.middleware?.product],
        ['Proxy host', target.proxy?.host],
        ['Server behind it', target.behind],
        ['Server host', target.server?.host],
        ['Start and stop', target.server?.started],
        ['Server', server && [server.product, server.version, server.flavour].filter(Boolean).join(' ')],
        ['Durability', server?.durability && `${server.durability.level}: ${server.durability.why}`],
        ['Data at the start', server?.dataBytes === undefined ? undefined : formatBytes(server.dataBytes)],
        ['TLS', server?.tls],
        ...(server?.settings ?? []).map((setting): [string, string] => [setting.name, settingWords(setting)]),
      ]),
    ),
    ...changedSettingsPart(target),
  ];
}

function changedSettingsPart({ description, settings }: TargetFacts): Part[] {
  if (settings === undefined) return [];
  const every = everySetting(description, settings);
  const changed = changedSettings(every);
  if (changed.length > 0) return [changedTable(changed)];
  const isReported = every.some((setting) => setting.default !== undefined || setting.source !== undefined);
  const words = isReported
    ? 'No known changes from default settings.'
    : `The server reports ${formatCount(settings.length, 'setting')}, without their defaults.`;
  return settings.length > 0 ? [note(words)] : [];
}
