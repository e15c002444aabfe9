import { CHANGE_WORDS, intervalWords, nameOfSeries } from '../../../../shared/analysis/index.ts';
import {
  type ChartLane,
  cpuBars,
  cpuBarsHeight,
  cpuOfCells,
  cpuPanels,
  drawPicture,
  gapsOnAxis,
  groupsOf,
  type LaneGroup,
  type LanePicture,
  linesOf,
  type MonitoredLane,
  pictureHeight,
  SvgPen,
  withRunLimits,
} from '../../../../shared/chart-models/index.ts';
import { extremeWord, metricOf } from '../../../../shared/metrics/index.ts';
import { boundTitle, type MomentComparison, type SeriesBeforeAfter } from '../../../../shared/model/analysis.ts';
import {
  clockWords,
  costWords,
  damagedWords,
  gapWords,
  type MonitoredSource,
  type MonitoredValues,
  type RunWindow,
  sourceRole,
} from '../../../../shared/model/monitored.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run } from '../../../../shared/model/session.ts';
import {
  formatCount,
  formatDateTime,
  formatFigure,
  formatLevels,
  formatNumber,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import type { ReportData, ReportMonitors } from '../data.ts';
import { theme } from './charts.ts';
import { figure, heading, inOnePiece, note, type Part, table, together, withHeading } from './parts.ts';
import { chartPicture, SCALE, WIDTH } from './svg.ts';

/** Lanes are drawn in screen pixels and printed at the width of the page. */
const PIXELS = 1000;
/** Number of points, each the mean of a segment: more cannot be distinguished on paper. */
const POINTS = 400;
/** Smallest share to which they can be scaled. */
const SMALLEST = 0.8;
/** Seconds shown before and after a run. */
const AROUND = 5;
/** Pictures, and lanes of one picture, that fit on a page. */
const MOST_RUNS = 3;
const MOST_LANES = 8;
/** Parts of a host's timeline that are shown, one lane each. */
const OF_HOST = ['cpu', 'disk', 'network'] as const;

/** Monitored hosts and servers, and a picture of each run of the best cell, or of the first cell if the session has no figures. */
export function monitorsPart(data: ReportData): Part[] {
  const { monitors } = data;
  if (!monitors) return [];
  const limits = monitors.limits();
  const pictures = runsShown(data, monitors).flatMap(({ run, window }) =>
    pictureOf(data, { ...monitors, limits: () => limits }, run, window),
  );
  return [
    heading('Hosts and servers'),
    sourcesTable(monitors.sources),
    ...boundsTable(data.results[0]),
    ...cpuFigure(data.results[0], monitors),
    ...momentsPart(monitors.moments()),
    ...pictures,
    ...problems(monitors.sources),
  ];
}

const sourcesTable = (sources: readonly MonitoredSource[]): Part =>
  table(
    [
      { title: 'Monitored', width: '*' },
      { title: 'As' },
      { title: 'Samples', align: 'right' },
      { title: 'Missing' },
      { title: 'Clock', align: 'right' },
      { title: 'Overhead', align: 'right' },
    ],
    sources.map((source) => [
      source.name,
      sourceRole(source),
      formatNumber(source.samples),
      gapWords(source),
      clockWords(source),
      costWords(source),
    ]),
  );

/** Bottleneck of each cell, with the figures as evidence. */
function boundsTable(result: SessionResult | undefined): Part[] {
  const judged = result?.cells.flatMap(({ levels, bound }) => (bound ? [{ levels, bound }] : [])) ?? [];
  if (judged.length === 0) return [];
  const bounds = table(
    [
      { title: 'Cell', width: 110 },
      { title: 'Bottleneck', width: 90 },
      { title: 'Evidence', width: '*' },
    ],
    judged.map(({ levels, bound }) => [
      formatLevels(levels) || 'the only cell',
      boundTitle(bound.verdict),
      `${bound.sentence}${bound.of > 1 ? ` In ${bound.runs} of ${bound.of} runs.` : ''}`,
    ]),
  );
  return inOnePiece('Bottlenecks of the cells', bounds);
}

/** Panels that fit on a page. */
const MOST_PANELS = 6;

/** CPU use of generators, servers and other hosts in each cell, as on the screen. */
function cpuFigure(result: SessionResult | undefined, monitors: ReportMonitors): Part[] {
  if (!result) return [];
  const { cells, factors } = result;
  const panels = cpuPanels(cpuOfCells(cells, monitors.judgements), 'role');
  if (panels.length === 0) return [];
  const chart = { panels: panels.slice(0, MOST_PANELS), cells, factors };
  const left =
    panels.length > MOST_PANELS ? ` ${formatCount(panels.length - MOST_PANELS, 'more panel')} in the app.` : '';
  const caption = `Cores in use by mode, mean of the measured seconds of the complete runs of each cell. Red line: all cores.${left}`;
  return withHeading(heading('CPU of the hosts', 3), [
    figure(chartPicture(cpuBars(chart, theme), cpuBarsHeight(chart) / SCALE, true), caption),
  ]);
}

function problems(sources: readonly MonitoredSource[]): Part[] {
  const lines = sources.flatMap(({ name, problem }) => (problem === undefined ? [] : [`“${name}”: ${problem}`]));
  return lines.length > 0 ? inOnePiece('Not monitored', { kind: 'list', items: lines }) : [];
}

function runsShown(data: ReportData, { windows }: ReportMonitors): { run: Run; window: RunWindow }[] {
  const timed = data.runs.flatMap((run) => {
    const window = windows.find(({ runId }) => runId === run.id);
    return window ? [{ run, window }] : [];
  });
  const cell = data.results[0]?.best?.cell ?? timed[0]?.run.cell;
  return timed.filter(({ run }) => run.cell === cell && !run.excluded).slice(0, MOST_RUNS);
}

function pictureOf(data: ReportData, monitors: ReportMonitors, run: Run, window: RunWindow): Part[] {
  const { zero, from, to } = window;
  const seconds = (to - zero) / 1000;
  const view = { from: -AROUND, to: seconds + AROUND };
  const query = { from: zero - AROUND * 1000, to: to + AROUND * 1000, points: POINTS };
  const limits = monitors.limits();
  const groups = groupsOf(monitors.sources).map((group) => ({
    ...group,
    lanes: group.lanes.map((lane) => withRunLimits(lane, limits, [window], zero)),
  }));
  const drawn = groups.flatMap((group) => lanesOfGroup(group, monitors, query, zero));
  const lanes = drawn.slice(0, MOST_LANES);
  const damage = drawn.flatMap(({ damage }) => damage);
  if (lanes.length === 0) return [];
  const label = `Trial ${run.trial + 1}`;
  const measured = (from - zero) / 1000;
  const picture: LanePicture = {
    lanes,
    groups: new Map(groups.map(({ id, source }) => [id, `${source.name} (${sourceRole(source)})`])),
    scene: { trials: [{ runId: run.id, from: 0, to: seconds, measured, label, slot: 0 }], marks: [] },
    clock: { zero, from: 0 },
    view,
  };
  const pen = new SvgPen(theme.font);
  drawPicture(pen, picture, PIXELS, theme);
  const words = formatLevels(run.levels);
  const left =
    drawn.length > lanes.length ? ` ${formatCount(drawn.length - lanes.length, 'more lane')} in the app.` : '';
  const caption = `${label}${words ? `, ${words}` : ''}, repeat ${run.repeat + 1}: hosts and servers, second by second. Hatched: no samples.${left}${damage.length > 0 ? ` ${damage.join(' ')}` : ''}`;
  const { cells, primaryMetric } = data.detail.session;
  const shown =
    cells > 1 && primaryMetric !== null
      ? heading(`${extremeWord(metricOf(primaryMetric))}: ${label.toLowerCase()}`, 3)
      : heading(label, 3);
  const height = pictureHeight(picture);
  const svg = pen.markup(PIXELS, height, theme.ground);
  const printed = (WIDTH / PIXELS) * height;
  return [together(shown, figure({ svg: () => svg, height: printed, least: SMALLEST * printed }, caption))];
}

/** A lane with its damaged parts. */
type DamagedLane = ChartLane & { damage: string[] };

type Query = Omit<Parameters<ReportMonitors['series']>[0], 'wanted'>;

/** For a host, its CPU, busiest disk and busiest NIC; for a server, its running work. */
function lanesOfGroup(
  { source, lanes }: LaneGroup,
  monitors: ReportMonitors,
  query: Query,
  zero: number,
): DamagedLane[] {
  const main = lanes.filter(({ isMain, shape }) => isMain && shape !== 'heat');
  const chosen =
    source.kind === 'host'
      ? OF_HOST.map((part) => alike(main.filter(({ lane }) => lane === part)))
      : [main.filter((lane) => isOfWork(source, lane)).slice(0, 1)];
  return chosen.flatMap((candidates) => {
    const drawn = candidates.map((lane) => laneOf(lane, source, monitors, query, zero));
    return drawn.toSorted((one, other) => heightIn(other) - heightIn(one)).slice(0, 1);
  });
}

/** Lanes in the unit of the first one, because others cannot be compared. */
const alike = (lanes: readonly MonitoredLane[]): MonitoredLane[] => lanes.filter(({ unit }) => unit === lanes[0]?.unit);

const isOfWork = ({ series }: MonitoredSource, lane: MonitoredLane): boolean =>
  lane.series.some(({ id }) => series.some((each) => each.id === id && each.means === 'running'));

function laneOf(
  lane: MonitoredLane,
  source: MonitoredSource,
  monitors: ReportMonitors,
  query: Query,
  zero: number,
): DamagedLane {
  const wanted = [{ sourceId: source.id, ids: lane.series.map(({ id }) => id) }];
  const values: MonitoredValues[] = monitors.series({ ...query, wanted });
  const gaps = gapsOnAxis(source, zero);
  const damage = values.flatMap((each) => damagedWords(source.name, each) ?? []);
  return { ...lane, lines: linesOf(lane, values, gaps, zero), gaps, damage };
}

/** Sum of the means of its lines, to find the busiest of several devices. */
const heightIn = ({ lines }: ChartLane): number =>
  lines.reduce((sum, { v }) => {
    const known = v.filter((value) => !Number.isNaN(value));
    return sum + (known.length > 0 ? known.reduce((total, value) => total + value, 0) / known.length : 0);
  }, 0);

/** Only the first ones: a session of several days can have hundreds of notes. */
const MOST = 20;

/** Changes after each note and event. Empty if there is none. */
export const momentsPart = (moments: readonly MomentComparison[]): Part[] => [
  ...moments
    .slice(0, MOST)
    .flatMap(({ at, message, sentences, series }): Part[] => [
      heading(`Before and after ${formatDateTime(at)}: ${message}`, 3),
      ...sentences.map(note),
      ...(series.length > 0 ? [seriesTable(series)] : []),
    ]),
  ...(moments.length > MOST
    ? [note(`${formatCount(moments.length - MOST, 'more note or event is', 'more notes and events are')} in the JSON.`)]
    : []),
];

const seriesTable = (series: readonly SeriesBeforeAfter[]): Part =>
  table(
    [
      { title: 'Series', width: '*' },
      { title: 'Host or server' },
      { title: 'Before', align: 'right' },
      { title: 'After', align: 'right' },
      { title: 'After ÷ before', align: 'right' },
      { title: 'Verdict' },
    ],
    series.map((row) => [
      nameOfSeries(row),
      row.source,
      figureOf(row, row.before),
      figureOf(row, row.after),
      intervalWords(row) ?? NO_VALUE,
      CHANGE_WORDS[row.verdict],
    ]),
  );

const figureOf = ({ unit, digits = 1 }: SeriesBeforeAfter, value: number): string =>
  `${formatFigure(value, digits)}${unit === '' ? '' : ` ${unit}`}`;
