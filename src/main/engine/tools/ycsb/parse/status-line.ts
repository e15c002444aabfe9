/** Figures of one kind of operation in one interval, in microseconds. Undefined: unknown to YCSB. */
export interface Figures {
  count?: number;
  avg?: number;
  max?: number;
  percentiles: readonly (readonly [percentile: number, us: number])[];
}

export interface StatusLine {
  /** Preceding text: the label of `-l`, or an unfinished message of another thread. */
  before: string;
  /** The printed clock in milliseconds. Only differences are meaningful. */
  clock: number | undefined;
  /** Whole seconds since the start. */
  t: number;
  /** Total operations so far, including failed ones. */
  operations: number;
  /** Operations per second in this interval. Undefined for ∞ and ?, and if none was completed. */
  rate: number | undefined;
  figures: Map<string, Figures>;
  /** With two simultaneous measurements, the figures continue in the next line. */
  open: boolean;
}

const HEAD =
  /(?:(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d):(\d{3}) )?(?<![\d.,])(\d{1,9}) sec: (\d{1,18}) operations; ?/;
const RATE = /^(\S{1,40}) current ops\/sec; ?/;
const ESTIMATE = /^est completion in (?:\d+ (?:day|hour|minute|second)s? ?)+/;
const GROUP =
  /\[(?<hdr>[\w-]+): (?<list>Count=[^[\]]*)\]|\[(?<plain>[\w-]+) AverageLatency\(us\)=(?<avg>[^[\]\s]+)\]|(?<![\w-])(?<raw>[\w-]+) count: (?<count>\d+), average latency\(us\): (?<rawAvg>\S+)/g;
/** Maximum length: names and numbers of a line take a few kilobytes. */
const LONGEST = 20_000;

/** Parses a number as printed by Java, including locales with decimal commas. Undefined for NaN, ∞ and the like. */
function number(text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d+(?:[.,]\d+)?(?:E-?\d+)?$/.test(text)) return undefined;
  return Number(text.replace(',', '.'));
}

const NAMED: ReadonlySet<string> = new Set(['Count', 'Max', 'Min', 'Avg']);
/** YCSB prints the same percentiles in every release; this set allows a few more. */
const PRINTED: ReadonlySet<number> = new Set([50, 75, 90, 95, 99, 99.9, 99.99, 99.999]);

const given = (key: 'count' | 'avg' | 'max', value: number | undefined): Partial<Figures> =>
  value === undefined ? {} : { [key]: value };

/** `Count=48, Max=4519, Min=1, Avg=1781.77, 90=3135, …`: a decimal comma is followed by a digit, a separator by a blank. */
function hdrFigures(list: string): Figures | undefined {
  const values = new Map<string, number | undefined>();
  for (const part of list.split(', ')) {
    const [, key, value] = /^([\w.]+)=(\S+)$/.exec(part) ?? [];
    if (key === undefined || values.has(key)) return undefined;
    values.set(key, number(value));
  }
  const count = values.get('Count');
  if (count === undefined || !['Max', 'Min', 'Avg'].every((key) => values.has(key))) return undefined;
  // Without a call, all others are initial values of the histogram: Min=9223372036854775807, Avg=NaN, 90=0.
  if (count === 0) return { count, percentiles: [] };
  const [max = 0, min = 0] = [values.get('Max'), values.get('Min')];
  const percentiles = [...values].flatMap(([key, us]): [number, number][] =>
    NAMED.has(key) || us === undefined ? [] : [[Number(key), us]],
  );
  // Percentiles are between minimum and maximum: any other line is damaged.
  if (percentiles.some(([percentile, us]) => !PRINTED.has(percentile) || us < min || us > max)) return undefined;
  return { count, ...given('avg', values.get('Avg')), ...given('max', values.get('Max')), percentiles };
}

function figuresOf(groups: Record<string, string | undefined>): [string, Figures | undefined] {
  const { hdr, list = '', plain, avg, raw, count, rawAvg } = groups;
  if (hdr !== undefined) return [hdr, hdrFigures(list)];
  if (plain !== undefined) return [plain, { ...given('avg', number(avg)), percentiles: [] }];
  const calls = number(count);
  const average = calls === 0 ? undefined : number(rawAvg);
  return [raw ?? '', { ...given('count', calls), ...given('avg', average), percentiles: [] }];
}

/** The figures in a text that contains nothing else. Undefined if anything remains, since a figure may be damaged then. */
function figuresIn(text: string): Map<string, Figures> | undefined {
  const figures = new Map<string, Figures>();
  let whole = true;
  const rest = text.replace(GROUP, (...parts) => {
    const [name, read] = figuresOf(parts.at(-1) as Record<string, string | undefined>);
    if (read && !figures.has(name)) figures.set(name, read);
    else whole = false;
    return '';
  });
  return whole && rest.trim() === '' ? figures : undefined;
}

/** Milliseconds of the printed clock. */
function clockOf(parts: readonly (string | undefined)[]): number | undefined {
  if (parts[0] === undefined) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

/** Parses a status line of YCSB 0.1 to 0.17. `damaged` if only its beginning matches; undefined for any other line. */
export function statusLine(text: string): StatusLine | 'damaged' | undefined {
  const head = HEAD.exec(text.length > LONGEST ? text.slice(-LONGEST) : text);
  if (!head) return undefined;
  const start = text.length > LONGEST ? text.length - LONGEST : 0;
  let rest = text.slice(start + head.index + head[0].length);
  const rate = RATE.exec(rest);
  if (rate) rest = rest.slice(rate[0].length);
  rest = rest.replace(ESTIMATE, '');
  const figures = figuresIn(rest);
  if (!figures) return 'damaged';
  return {
    before: text.slice(0, start + head.index),
    clock: clockOf(head.slice(1, 8)),
    t: Number(head[8]),
    operations: Number(head[9]),
    rate: number(rate?.[1]),
    figures,
    open: rest.endsWith(']'),
  };
}

/** The continuation of a status line that two simultaneous measurements split into lines: figures of either, and nothing else. */
export function continuation(text: string): { figures: Map<string, Figures>; open: boolean } | undefined {
  if (!/^ ?(?:Raw|\[Bucket|\[Hdr|$)/.test(text) || text.length > LONGEST) return undefined;
  const figures = figuresIn(text);
  return figures ? { figures, open: text.endsWith(']') } : undefined;
}
