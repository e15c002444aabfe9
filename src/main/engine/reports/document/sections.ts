import { nameOfCell, scalingSentences } from '../../../../shared/chart-models/index.ts';
import { gatheredFindings } from '../../../../shared/checks/index.ts';
import { isMeasureId, isRecovery, metricOf, statisticOf } from '../../../../shared/metrics/index.ts';
import { answerSentences } from '../../../../shared/model/answer.ts';
import { damageWords } from '../../../../shared/model/damage.ts';
import { levelsOf } from '../../../../shared/model/factor.ts';
import { type Finding, MECHANICS_ONLY, SEVERITIES, severityWords } from '../../../../shared/model/finding.ts';
import { watchedSentence } from '../../../../shared/model/monitored.ts';
import type { Comparison, SessionResult, StepsTable } from '../../../../shared/model/result.ts';
import {
  againstWords,
  excludedSentence,
  hasFigure,
  repeatsWords,
  syncSentence,
} from '../../../../shared/model/result-words.ts';
import { targetsOf, withNodes } from '../../../../shared/model/session-snapshot.ts';
import { originWords, targetWords, toolWords, workedSeconds } from '../../../../shared/model/session-words.ts';
import { missingSentences } from '../../../../shared/model/settling.ts';
import { storageLines } from '../../../../shared/model/storage-words.ts';
import {
  additionalRecoveries,
  basisSentences,
  bestSentence,
  crossingSentences,
  recoverySentences,
  trendFindings,
} from '../../../../shared/stats/index.ts';
import {
  capital,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatFigure,
  formatLevels,
  withinSentence,
} from '../../../../shared/util/format.ts';
import type { ReportData } from '../data.ts';
import { keptPart, profilesPart } from './captures.ts';
import { chosenFigures, comparisonFigure, curveFigure, ratiosFigure, timelineFigures, valueFigure } from './charts.ts';
import { monitorsPart } from './monitors.ts';
import { facts, heading, inOnePiece, list, note, type Part, together, warnings, withHeading, words } from './parts.ts';
import {
  cellLines,
  cellsTable,
  comparisonTable,
  costTable,
  factsTable,
  placesTable,
  ratiosTable,
  runsTable,
  stepsTable,
  targetPart,
} from './tables.ts';

/** Metrics with their own chart and table after the primary one. */
const MORE_METRICS = ['sync_latency_p99_ms', 'latency_p95_ms', 'latency_p99_ms', 'qps', 'read_mib_s', 'write_mib_s'];

/** Measures are shown because the user has defined them. */
const isShown = (metric: string): boolean => MORE_METRICS.includes(metric) || isMeasureId(metric);

/** Height at which two of them with their tables fit on a page. */
const MORE_HEIGHT = 165;
const MOST_COMMANDS = 3;
/** Maximum number of ratios on the first page together with a curve. */
const MOST_RATIOS = 8;

/** A session as a report. */
export function reportParts(data: ReportData): Part[] {
  const [primary, ...others] = data.results;
  if (!primary) return [...titlePart(data, undefined), ...monitorsPart(data), ...setUpPart(data)];
  const shown = others.filter(
    ({ metric, cells }) => (isShown(metric) || metric === primary.overTime) && cells.some(hasFigure),
  );
  const equals = new Map(
    shown.flatMap((result, at) => {
      const other = [primary, ...shown.slice(0, at)].find((each) => isEqualRate(each, result));
      return other ? [[result, other] as const] : [];
    }),
  );
  const more = shown.filter((result) => !equals.has(result));
  return [
    ...titlePart(data, primary),
    ...(data.steps ? stepsPart(data.steps, data.stepCosts) : []),
    ...withHeading(heading(ofStep('Cells', primary)), [cellsTable(primary)]),
    // Caveats of cells are the same for every metric.
    ...[excludedSentence(primary.cells) ?? []].flat().map(note),
    ...[...basisSentences(primary), syncSentence(primary) ?? []].flat().map(note),
    ...[...equals].map(([{ metric }, other]) =>
      note(`${metricOf(metric).label}: the same figures as ${withinSentence(metricOf(other.metric).label)}.`),
    ),
    ...warnings(primary.cells),
    ...cellLines(primary).map(note),
    ...(data.places ? withHeading(heading('Places measured at the same time', 3), [placesTable(data.places)]) : []),
    ...(primary.canary ? [note(primary.canary.sentence)] : []),
    ...ratiosPart(primary),
    ...linesPart(primary),
    ...more.flatMap((result) => [
      ...withHeading(heading(titled(metricOf(result.metric).label, result), 3), curveFigure(result, MORE_HEIGHT)),
      cellsTable(result),
      ...[...basisSentences(result), syncSentence(result) ?? []].flat().map(note),
    ]),
    ...withHeading(heading('Charts'), chosenFigures(data)),
    ...profilesPart(data, primary),
    ...withHeading(heading(titled('Over time', primary)), timelineFigures(data, primary)),
    ...otherSteps(data),
    ...monitorsPart(data),
    ...(data.comparison ? [...comparisonHead(data.comparison), ...comparisonTable(data.comparison)] : []),
    ...(data.cost ? [...withHeading(heading('Cost'), valueFigure(data)), ...costTable(data)] : []),
    ...findingsPart(findingsOf(data)),
    ...setUpPart(data),
  ];
}

/** Smaller differences between two rates are of rounding. */
const EQUAL = 0.001;

/** Whether two rates are the same in all cells, as queries and transactions of one query each are. */
const isEqualRate = (one: SessionResult, other: SessionResult): boolean =>
  [one, other].every(({ metric }) => statisticOf(metric) === 'rate') &&
  one.cells.every(({ value = 0 }, at) => Math.abs(value - (other.cells[at]?.value ?? 0)) <= EQUAL * value);

/** Adds to each chart's title how much of the data fits into memory, because results depend on it. */
const titled = (words: string, { memory }: SessionResult): string =>
  memory === undefined ? words : `${words}, ${memory}`;

/** Adds the name of its step, if a trial has several. */
const ofStep = (words: string, { stepName }: SessionResult): string =>
  stepName === undefined ? words : `${words} of step “${stepName}”`;

const stepsPart = (steps: StepsTable, costs: readonly StepsTable[] = []): Part[] => [
  ...withHeading(heading('Steps'), [stepsTable(steps)]),
  ...steps.sentences.map(note),
  ...costs.flatMap((table) => [
    ...withHeading(heading(table.per?.label ?? '', 3), [stepsTable(table)]),
    ...table.sentences.map(note),
  ]),
];

/** Each other measured step by its tool's primary metric. */
function otherSteps({ detail, ofOtherSteps = [] }: ReportData): Part[] {
  const { steps = [] } = detail.session;
  return ofOtherSteps
    .filter(({ step = 0, metric }) => steps[step]?.measured !== false && steps[step]?.metric === metric)
    .flatMap((result) => [
      ...withHeading(heading(titled(result.stepName ?? `Step ${(result.step ?? 0) + 1}`, result)), [
        ...answerSentences(result).map((sentence) => words('best', sentence)),
        ...curveFigure(result, MORE_HEIGHT),
      ]),
      cellsTable(result),
      ...basisSentences(result).map(note),
    ]);
}

const setUpPart = (data: ReportData): Part[] => [
  heading('Set-up'),
  ...setUp(data),
  ...inOnePiece('Runs', runsTable(data), 2),
  ...keptPart(data),
  ...reproduce(data),
];

/** Knees of the load curves, and crossings of levels: once, not below each curve. */
const linesPart = (result: SessionResult): Part[] =>
  withHeading(
    heading('Load curves', 3),
    list([...new Set([...scalingSentences(result), ...crossingSentences(result)])]),
  );

/** For every factor with a baseline, the effect of its levels. */
const ratiosPart = (result: SessionResult): Part[] =>
  (result.ratios ?? []).flatMap((ratios) => [
    // The picture of the factor under test is on the first page.
    ...withHeading(
      heading(capital(againstWords(ratios)), 3),
      ratios.factor === result.answer?.factor
        ? [note(ratios.verdict)]
        : [...ratiosFigure(result, ratios), note(ratios.verdict)],
    ),
    ...(ratios.cells.length > 0 ? [ratiosTable(result, ratios)] : []),
  ]);

function titlePart(data: ReportData, primary: SessionResult | undefined): Part[] {
  const { session, experiment } = data.detail;
  const best = primary && bestSentence(primary);
  const versions = targetsOf(data.detail)
    .map(({ name, description }) => [name, description?.version].filter(Boolean).join(', '))
    .join('; ');
  const watchesOnly = session.primaryMetric === null;
  const nothing = watchesOnly
    ? [...recoverySentences(data.runs), watchedSentence(data.monitors?.sources ?? [])].join(' ')
    : 'No cell has a complete run.';
  const [answer = best ?? nothing, ...more] = primary ? answerSentences(primary) : [];
  const recoveries = primary && isRecovery(primary.metric) ? additionalRecoveries(primary, data.runs) : [];
  return [
    heading(session.name, 1),
    ...(session.question ? [words('question', session.question)] : []),
    words('lead', primary?.stepName === undefined ? answer : `Step “${primary.stepName}”: ${answer}`),
    ...[
      ...more,
      ...(primary ? missingSentences(primary) : []),
      ...(best && best !== answer ? [best] : []),
      ...recoveries.filter((sentence) => !answer.includes(sentence)),
      ...caveatLines(findingsOf(data)),
    ].map((line) => words('best', line)),
    ...(primary ? pictures(primary) : []),
    facts([
      [
        'Session',
        `${session.id}, ${session.mechanics ? `${MECHANICS_ONLY}, ` : ''}${session.state}${session.message ? ` (${session.message})` : ''}`,
      ],
      [
        watchesOnly ? 'Watched' : 'Measured',
        session.startedAt === undefined
          ? undefined
          : `${formatDateTime(session.startedAt)}${session.endedAt === undefined ? '' : `, ${formatDuration(workedSeconds(session))}`}`,
      ],
      ...(data.workload ?? []).map((line, at): [string, string] => [at === 0 ? 'Workload' : '', line]),
      ['Throughput', primary && rateWords(data, primary)],
      [
        'Matrix',
        `${formatCount(session.cells, 'cell')} × ${repeatsWords(session.repeats, primary?.cells ?? [])}: ${experiment.factors.map((factor) => `${factor.name} ${levelsOf(factor).join(', ')}`).join('; ') || 'no factor'}`,
      ],
      [
        'Per trial',
        watchesOnly ? lengthWords(data) : `${experiment.measure.warmup} s warm-up, ${lengthWords(data)} measured`,
      ],
      ['Figures', data.cut === undefined ? undefined : `after the first ${data.cut} s of each run, not as planned`],
      ['Origin', session.origin && originWords(session)],
      ['Tool', [toolWords(session), data.detail.toolVersion].filter(Boolean).join(' ')],
      ['Target', versions || targetWords(session)],
      ['Server host', serverHosts(data.detail)],
      ...storageLines(data.detail.places, targetsOf(data.detail)).map((line, at): [string, string] => [
        at === 0 ? 'Storage' : '',
        line,
      ]),
      [
        'Generators',
        data.detail.hosts.length > 0 ? data.detail.hosts.map(hostWords).join('; ') : session.generators.join(', '),
      ],
    ]),
    ...(data.detail.note ? [words('plain', data.detail.note)] : []),
  ];
}

/** Maximum number of errors and warnings that the first page quotes. */
const MOST_QUOTED = 2;

/** The number of findings, and the first sentences of the most severe ones: they decide how far the result holds. */
function caveatLines(found: readonly Found[]): string[] {
  if (found.length === 0) return [];
  const grave = SEVERITIES.filter((severity) => severity !== 'note').flatMap((severity) =>
    found.filter((each) => each.severity === severity),
  );
  const quoted = grave.slice(0, MOST_QUOTED).map(({ brief }) => FIRST_SENTENCE.exec(brief)?.[0] ?? brief);
  return [[`${severityWords(found)}: see Findings.`, ...quoted].join(' ')];
}
/** A full stop also follows abbreviations: a sentence begins with a capital. */
const FIRST_SENTENCE = /^.+?\.(?=\s+\p{Lu}|$)/su;

/** Maximum number of cells whose throughput the first page lists. */
const MOST_RATES = 6;

/** Throughput of the cells, if the session is answered by another figure, such as the variation of its throughput. */
function rateWords({ detail, results }: ReportData, primary: SessionResult): string | undefined {
  const { primaryMetric } = detail.session;
  const rates = primary.metric === primaryMetric ? undefined : results.find(({ metric }) => metric === primaryMetric);
  if (!rates || statisticOf(rates.metric) !== 'rate') return undefined;
  const { unit, digits } = metricOf(rates.metric);
  const cells = rates.cells.flatMap(({ levels, value }) =>
    value === undefined ? [] : [{ name: nameOfCell(rates.factors, levels), value }],
  );
  if (cells.length === 0) return undefined;
  if (cells.length <= MOST_RATES)
    return `${cells.map(({ name, value }) => `${name}: ${formatFigure(value, digits)}`).join('; ')} ${unit}`;
  const values = cells.map(({ value }) => value);
  return `${formatFigure(Math.min(...values), digits)} to ${formatFigure(Math.max(...values), digits)} ${unit}`;
}

/** Pictures of the answer: the ratios of the factor under test if they are few, and the curve. */
function pictures(result: SessionResult): Part[] {
  const ratios = result.ratios?.find(({ factor }) => factor === result.answer?.factor);
  const few = ratios && ratios.cells.length <= MOST_RATIOS ? ratiosFigure(result, ratios) : [];
  const curve = curveFigure(result, few.length > 0 ? MORE_HEIGHT : undefined);
  return [...(result.memory === undefined ? [] : [note(`${capital(result.memory)}.`)]), ...curve, ...few];
}

function setUp(data: ReportData): Part[] {
  const { detail } = data;
  const { experiment } = detail;
  const hosts = detail.hosts.flatMap(({ name, facts: host }): Part[] => [
    ...inOnePiece(
      `Generator “${name}”`,
      host
        ? facts([
            ['System', `${host.os}, kernel ${host.kernel}`],
            [
              'CPU',
              `${host.cpuCount} × ${host.cpuModel ?? host.architecture}${host.cpuGovernor ? `, governor ${host.cpuGovernor}` : ''}`,
            ],
            ['Memory', formatBytes(host.memoryBytes)],
            [
              'Disks',
              host.disks
                .map((disk) => `${disk.name} ${formatBytes(disk.sizeBytes)}${disk.model ? ` ${disk.model}` : ''}`)
                .join('; '),
            ],
            ['Virtualization', host.virtualization],
          ])
        : words('cell', 'No facts read.'),
    ),
  ]);
  const changed = factsTable(data);
  return [
    ...hosts,
    ...withNodes(targetsOf(detail)).flatMap(targetPart),
    ...(changed ? inOnePiece('Settings applied to the runs', changed) : []),
    ...inOnePiece(
      'Workload',
      facts([
        ['Tool', experiment.workload.tool],
        ...Object.entries(experiment.workload.options).map(([name, value]): [string, string] => [name, String(value)]),
      ]),
    ),
  ];
}

/** Cells may be measured for different durations. */
function lengthWords({ runs, detail }: ReportData): string {
  const lengths = runs.map(({ duration }) => duration);
  if (lengths.length === 0) return `${detail.experiment.measure.duration} s`;
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  return shortest === longest ? `${shortest} s` : `${shortest} to ${longest} s`;
}

function reproduce(data: ReportData): Part[] {
  const commands = [...new Set(data.runs.flatMap((run) => (run.command ? [run.command] : [])))];
  const document = data.detail.experimentText.trimEnd();
  return [
    heading('How to reproduce'),
    words('cell', 'Save this document as experiment.yaml and run: kneepoint run experiment.yaml'),
    { kind: 'code', text: document },
    ...(commands.length > 0 ? calls(commands) : []),
  ];
}

/** Number of characters that certainly fit on a page. */
const KEPT_TOGETHER = 2500;

/** In one block if it fits on a page: it ends the report, and a few lines of it could fill a page alone. */
function calls(commands: readonly string[]): Part[] {
  const shown = commands.slice(0, MOST_COMMANDS);
  const more = commands.length - shown.length;
  const text = shown.join('\n');
  const parts: Part[] = [
    heading('Commands', 3),
    ...shown.map((command): Part => ({ kind: 'code', text: command })),
    ...(more > 0 ? [words('cell', `${formatCount(more, 'more command')}: the JSON export has all.`)] : []),
  ];
  const fits = text.length < KEPT_TOGETHER && text.split('\n').length < KEPT_TOGETHER / 100;
  return fits ? [together(...parts)] : parts;
}

/** Heading, verdict and picture stay together. */
function comparisonHead(comparison: Comparison): Part[] {
  const head: Part[] = [
    heading(`Compared with “${comparison.baseline.name}”`),
    words('lead', comparison.verdict),
    ...(comparison.overall ? [note(comparison.overall.sentence)] : []),
  ];
  const figures = comparisonFigure(comparison);
  return [
    together(...head, ...figures.slice(0, 1)),
    ...figures.slice(1),
    ...list(comparison.findings.map(findingWords)),
  ];
}

/** The parts of a session that its findings need. `results`: the primary metric first. */
export type Examined = Pick<ReportData, 'detail' | 'runs' | 'results' | 'damage'>;

export const hostWords = ({ name, facts: host }: ReportData['detail']['hosts'][number]): string =>
  host
    ? `${name} (${[
        ...[host.os, `kernel ${host.kernel}`, formatCount(host.cpuCount, 'CPU')],
        ...(host.memoryBytes === undefined ? [] : [`${formatBytes(host.memoryBytes)} of memory`]),
      ].join(', ')})`
    : name;

/** Hosts of the servers; those that also generate the load are described there. */
function serverHosts(detail: ReportData['detail']): string | undefined {
  const hosts = targetsOf(detail).flatMap(({ server, hostFacts }) =>
    server ? [{ name: server.host, ...(hostFacts && { facts: hostFacts }) }] : [],
  );
  const words = hosts.map((host) =>
    detail.hosts.some(({ name }) => name === host.name) ? host.name : hostWords(host),
  );
  return words.length > 0 ? [...new Set(words)].join('; ') : undefined;
}

const findingWords = ({ message, next }: Finding): string => `${message} ${next ?? ''}`.trim();

interface Found {
  readonly severity: Finding['severity'];
  /** The message alone. */
  readonly brief: string;
  /** The same with what to do. */
  readonly words: string;
}

/** Findings of the session as a whole, of its figures and of its runs. */
export function findingsOf(data: Examined): Found[] {
  const failed = data.runs.filter((run) => run.partial && run.state !== 'skipped' && !run.excluded);
  return [
    ...data.damage.map(
      (entry): Found => ({
        ...{ severity: 'error', brief: damageWords(entry) },
        words: `${damageWords(entry)} No figure here is computed from it.`,
      }),
    ),
    ...[
      ...gatheredFindings([...data.detail.findings, ...(data.results[0]?.findings ?? [])], data.runs),
      ...data.results.slice(0, 1).flatMap((result) => trendFindings(result, data.detail.session.name)),
    ].map(
      (finding): Found => ({
        ...{ severity: finding.severity, brief: finding.message, words: findingWords(finding) },
      }),
    ),
    ...failed.map((run): Found => {
      const words = `Trial ${run.trial + 1} (${formatLevels(run.levels)}) ${run.state}: ${run.message ?? 'partial'}`;
      return { severity: 'error', brief: words, words };
    }),
  ];
}

/** By severity, most severe first. */
export function findingsPart(found: readonly Found[], title = 'Findings'): Part[] {
  const groups = SEVERITIES.flatMap((severity) => {
    const own = found.filter((each) => each.severity === severity);
    return own.length > 0 ? [heading(capital(severityWords(own)), 3), ...list(own.map((each) => each.words))] : [];
  });
  return groups.length > 0 ? [heading(title), ...groups] : [];
}
