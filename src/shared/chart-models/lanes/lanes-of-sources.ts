import { LANES, type Lane, type MonitoredSeries, type MonitoredSource } from '../../model/monitored.ts';
import { withinSentence } from '../../util/format.ts';
import type { LaneHead } from './lane.ts';

/** A line that a lane can have. */
export interface SeriesChoice {
  /** Id in the source. */
  id: string;
  label: string;
  slot: number;
  over?: 'whole' | 'other';
}

/** A lane of a source: its series, and how it is drawn. */
export interface MonitoredLane extends LaneHead {
  sourceId: number;
  lane: Lane;
  series: readonly SeriesChoice[];
  /** Shown by default. */
  isMain: boolean;
}

/** A watched source with its lanes. */
export interface LaneGroup {
  /** The same in every session: `host/db1`. */
  id: string;
  source: MonitoredSource;
  lanes: readonly MonitoredLane[];
}

export const LANE_WORDS: Readonly<Record<Lane, string>> = {
  cpu: 'CPU',
  'run-queue': 'Scheduler',
  memory: 'Memory',
  pressure: 'Pressure',
  disk: 'Disk',
  network: 'Network',
  processes: 'Processes',
  connections: 'Connections',
  statements: 'Statements',
  locks: 'Locks',
  cache: 'Cache',
  log: 'Log',
  own: 'Custom',
};

/** More lines in one lane are not distinguishable. */
const MOST_LINES = 6;
/** With at least this many instances, a series of the CPU is a heat map with a row for each core. */
const HEAT_ROWS = 2;
/** Parts of the timeline that show instances together, a line each, instead of in separate lanes. */
const TOGETHER: readonly Lane[] = ['processes'];

/** The lanes of all watched sources, in the order of the timeline. */
export const groupsOf = (sources: readonly MonitoredSource[]): LaneGroup[] =>
  sources.map((source) => ({ id: `${source.kind}/${source.name}`, source, lanes: lanesOf(source) }));

function lanesOf(source: MonitoredSource): MonitoredLane[] {
  return LANES.flatMap((lane) => {
    const own = source.series.filter((series) => series.lane === lane);
    const rows = new Set(
      rulesOf(own)
        .filter(({ series }) => isHeat(series))
        .flatMap(({ series }) => series),
    );
    const rest = own.filter((series) => !rows.has(series));
    const stacks = stacksOf(source, lane, rest);
    return [
      ...stacks.filter(({ isMain }) => isMain),
      ...rulesOf([...rows]).map(({ rule, series }, place) =>
        heatLane(source, lane, { rule, series, isMain: place === 0 }),
      ),
      ...linesOf(source, lane, outsideStacks(rest)),
      ...stacks.filter(({ isMain }) => !isMain),
    ];
  });
}

const isHeat = (series: readonly MonitoredSeries[]): boolean =>
  series.length >= HEAT_ROWS && series.every(({ lane, instance }) => lane === 'cpu' && instance !== undefined);

function rulesOf(series: readonly MonitoredSeries[]): { rule: string; series: MonitoredSeries[] }[] {
  const rules = new Map<string, MonitoredSeries[]>();
  for (const each of series) rules.set(each.rule, [...(rules.get(each.rule) ?? []), each]);
  return [...rules].map(([rule, own]) => ({ rule, series: own }));
}

/** Common fields of all lanes of a source. */
const headOf = (source: MonitoredSource, lane: Lane, name: string, series: readonly MonitoredSeries[]) => {
  const [first] = series;
  const limit = series.find((each) => each.limit)?.limit;
  return {
    id: `${source.kind}/${source.name}/${name}`,
    group: `${source.kind}/${source.name}`,
    sourceId: source.id,
    lane,
    rows: series.length,
    unit: first?.unit ?? '',
    digits: first?.digits ?? 1,
    ...(limit && { limit }),
    isMain: series.some(({ main }) => main),
  };
};

const choicesOf = (series: readonly MonitoredSeries[], labelOf: (one: MonitoredSeries) => string): SeriesChoice[] =>
  series.map((one, slot) => ({ id: one.id, label: labelOf(one), slot }));

const stackName = ({ stack = '', instance = '' }: MonitoredSeries): string => `${stack}/${instance}`;

/** A series with the limit of a stack's parts is drawn as a line over it: total use over its parts. */
const isOver = (series: MonitoredSeries, parts: readonly MonitoredSeries[]): boolean =>
  !series.stack &&
  series.limit !== undefined &&
  parts.some(
    ({ unit, instance, limit }) =>
      unit === series.unit && instance === series.instance && limit?.value === series.limit?.value,
  );

function stacksOf(source: MonitoredSource, lane: Lane, rest: readonly MonitoredSeries[]): MonitoredLane[] {
  const stacks = new Map<string, MonitoredSeries[]>();
  for (const series of rest)
    if (series.stack) stacks.set(stackName(series), [...(stacks.get(stackName(series)) ?? []), series]);
  return [...stacks].map(([name, parts]) => {
    const over = rest.filter((series) => isOver(series, parts));
    const all = [...parts, ...over];
    const { instance } = parts[0] ?? {};
    return {
      ...headOf(source, lane, `${lane}/${name}`, all),
      shape: 'stack',
      title: instance === undefined ? LANE_WORDS[lane] : `${LANE_WORDS[lane]} ${instance}`,
      series: choicesOf(all, ({ label }) => label).map((choice, index) => ({
        ...choice,
        ...(index >= parts.length && { over: all[index]?.main ? 'whole' : 'other' }),
      })),
    };
  });
}

function heatLane(
  source: MonitoredSource,
  lane: Lane,
  { rule, series, isMain }: { rule: string; series: readonly MonitoredSeries[]; isMain: boolean },
): MonitoredLane {
  const label = series[0]?.label ?? rule;
  return {
    ...headOf(source, lane, `${lane}/${rule}`, series),
    shape: 'heat',
    title: `${label}, each`,
    // Only the first heat map is a main one, like the stack; others are optional.
    isMain,
    series: choicesOf(series, ({ instance = '' }) => instance),
  };
}

const outsideStacks = (rest: readonly MonitoredSeries[]): MonitoredSeries[] => {
  const parts = rest.filter(({ stack }) => stack);
  return rest.filter((series) => !series.stack && !isOver(series, parts));
};

/** Related lines of one unit: of a device, of processes, or with the same first word; main ones are separate from others. */
function linesOf(source: MonitoredSource, lane: Lane, series: readonly MonitoredSeries[]): MonitoredLane[] {
  const devices = devicesOf(lane, series);
  const isDevice = ({ instance }: MonitoredSeries): boolean => instance !== undefined && devices.has(instance);
  const lanes = new Map<string, MonitoredSeries[]>();
  for (const each of series) {
    const together = TOGETHER.includes(lane) ? each.rule : isDevice(each) ? each.instance : firstWord(each.rule);
    const key = [together, each.unit, each.main && !TOGETHER.includes(lane)].join(' ');
    lanes.set(key, [...(lanes.get(key) ?? []), each]);
  }
  return [...lanes.values()].flatMap((own, place) =>
    chunksOf(own).map((chunk, part): MonitoredLane => {
      const [first] = chunk;
      // The first lane of a part of the timeline has the name of the part.
      const isPart =
        place === 0 && chunk.length > 1 && !TOGETHER.includes(lane) && first?.main === true && !isDevice(first);
      // The first lane keeps its id when there are more processes; those that follow it need their own.
      const name = TOGETHER.includes(lane) && part === 0 ? first?.rule : first?.id;
      const title = isPart ? LANE_WORDS[lane] : titleOfLines(lane, chunk, first !== undefined && isDevice(first));
      return {
        ...headOf(source, lane, `${lane}/${name}`, chunk),
        shape: 'lines',
        title: TOGETHER.includes(lane) && part > 0 ? `${title}, part ${part + 1}` : title,
        series: choicesOf(chunk, (one) => (TOGETHER.includes(lane) ? (one.instance ?? one.label) : one.label)),
      };
    }),
  );
}

/** Instances with several figures: disks, network cards. Others are only part of a name, and so is a single core. */
function devicesOf(lane: Lane, series: readonly MonitoredSeries[]): Set<string> {
  if (lane === 'cpu') return new Set();
  const rules = new Map<string, Set<string>>();
  for (const { instance, rule } of series)
    if (instance !== undefined) rules.set(instance, (rules.get(instance) ?? new Set()).add(rule));
  return new Set([...rules].flatMap(([instance, own]) => (own.size > 1 ? [instance] : [])));
}

/** `rows.read` → `rows`; `Com_*` → `Com`. */
const firstWord = (rule: string): string => rule.split(/[._]/, 1)[0] ?? rule;

const chunksOf = (series: readonly MonitoredSeries[]): MonitoredSeries[][] =>
  Array.from({ length: Math.ceil(series.length / MOST_LINES) }, (_, index) =>
    series.slice(index * MOST_LINES, (index + 1) * MOST_LINES),
  );

function titleOfLines(lane: Lane, series: readonly MonitoredSeries[], isDevice: boolean): string {
  const [first, second] = series;
  if (!first) return LANE_WORDS[lane];
  if (TOGETHER.includes(lane)) return first.label;
  const both = second ? `${first.label}, ${withinSentence(second.label)}` : first.label;
  const what = series.length > 2 ? `${both} …` : both;
  return isDevice ? `${first.instance}: ${withinSentence(what)}` : what;
}
