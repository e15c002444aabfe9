/** Shown if there is no value. */
export const NO_VALUE = '–';

const groupers = new Map<number, Intl.NumberFormat>();
function grouper(digits: number): Intl.NumberFormat {
  const known = groupers.get(digits);
  if (known) return known;
  const made = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  groupers.set(digits, made);
  return made;
}

export const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** From here on decimals are noise: 1,642 ms and 16,598 MiB/s, next to 98.21 ms. */
const WITHOUT_DECIMALS = 1000;

/** `18526.4` → `18,526`. Absent and not-a-number values become a dash. */
export function formatNumber(value: number | null | undefined, atMost = 0): string {
  if (!isNumber(value)) return NO_VALUE;
  const digits = Math.abs(value) + 0.5 / 10 ** atMost < WITHOUT_DECIMALS ? atMost : 0;
  // Without `Intl`, whose tables take longer to load than the rest of a page of counts.
  if (digits === 0 && Number.isSafeInteger(value)) return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
  const text = grouper(digits).format(value);
  return /^-[0.,]+$/.test(text) ? text.slice(1) : text;
}

/** Number with its unit: `18,526 tps`. */
export function formatValue(
  value: number | null | undefined,
  metric: { readonly unit: string; readonly digits: number },
): string {
  const text = formatFigure(value, metric.digits);
  return metric.unit && text !== NO_VALUE ? `${text} ${metric.unit}` : text;
}

/** Like `formatNumber`, with more decimals if there would be less than two significant digits: 0.0042, never 0.00. */
export function formatFigure(value: number | null | undefined, digits = 0): string {
  const size = isNumber(value) ? Math.abs(value) : 0;
  const needed = size > 0 && size < 1 ? 1 - Math.floor(Math.log10(size)) : 0;
  return formatNumber(value, Math.max(digits, Math.min(needed, 8)));
}

/** Decimals that keep about three significant digits of the largest value, for a column with one precision. */
export function digitsFor(values: readonly (number | null | undefined)[], atMost = 4): number {
  const largest = Math.max(0, ...values.filter(isNumber).map(Math.abs));
  if (largest === 0) return 0;
  return Math.min(atMost, Math.max(0, 2 - Math.floor(Math.log10(largest))));
}

/** One precision for a column of a metric: its own decimals, or more if all values are small (0.0123 ms). */
export const columnDigits = (
  metric: { readonly digits: number },
  values: readonly (number | null | undefined)[],
): number => Math.max(metric.digits, digitsFor(values));

/** Decimals of the smallest numbers: states of a server take microseconds. */
const MOST_DECIMALS = 7;

/** A number at about three significant digits: `0.0000457`, `12.3`, `18,526`. */
export const formatShort = (value: number | null | undefined): string =>
  formatNumber(value, digitsFor([value], MOST_DECIMALS));

const PARTS: readonly (readonly [number, string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** Seconds in at most two neighbouring units: `3 h 12 min`, `2 min 5 s`, `45 s`, `0.4 s`, `12 ms`. */
export function formatDuration(seconds: number | null | undefined): string {
  if (!isNumber(seconds)) return NO_VALUE;
  const length = Math.abs(seconds);
  const sign = seconds < 0 ? '-' : '';
  if (length === 0) return '0 s';
  if (length < 0.1) return `${sign}${formatNumber(length * 1000, length < 0.01 ? 1 : 0)} ms`;
  if (length < 9.95 && !Number.isInteger(length)) return `${sign}${formatNumber(length, 1)} s`;
  const place = PARTS.findIndex(([size]) => Math.round(length) >= size);
  const [size, name] = PARTS[place] ?? [1, 's'];
  const next = PARTS[place + 1];
  if (!next) return `${sign}${Math.round(length)} s`;
  const rounded = Math.round(length / next[0]) * next[0];
  if (rounded >= (PARTS[place - 1]?.[0] ?? Number.POSITIVE_INFINITY)) return `${sign}${formatDuration(rounded)}`;
  const whole = Math.floor(rounded / size);
  const rest = Math.round((rounded - whole * size) / next[0]);
  return `${sign}${whole} ${name}${rest > 0 ? ` ${rest} ${next[1]}` : ''}`;
}

/** Seconds as a clock for a running display: `0:07`, `12:05`, `3:12:00`. */
export function formatClock(seconds: number | null | undefined): string {
  if (!isNumber(seconds)) return NO_VALUE;
  const total = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

/** Words for use within a sentence: `Read operations` → `read operations`, but `I/O operations` and `CPU time` are unchanged. */
export const withinSentence = (words: string): string =>
  /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;

/** A share: 0.184 → `18 %`. */
export function formatPercent(share: number | null | undefined, digits = 0): string {
  return isNumber(share) ? `${formatNumber(share * 100, digits)} %` : NO_VALUE;
}

/** A change by a share with its sign: 0.18 → `+18 %`, -0.055 → `−5.5 %`. */
export function formatChange(share: number | null | undefined): string {
  if (!isNumber(share)) return NO_VALUE;
  const percent = Math.abs(share * 100);
  const text = formatNumber(percent, percent < 9.95 && percent > 0 ? 1 : 0);
  const sign = Number(text.replaceAll(',', '')) === 0 ? '±' : share < 0 ? '−' : '+';
  return `${sign}${text} %`;
}

/** A ratio: `×1.18`; extreme ratios are not shown exactly: `> ×1,000`, `< ×0.01`. */
export function formatTimes(ratio: number | null | undefined): string {
  if (!isNumber(ratio)) return NO_VALUE;
  if (ratio > 1000) return '> ×1,000';
  if (ratio > 0 && ratio < 0.01) return '< ×0.01';
  return `×${formatNumber(ratio, Math.abs(ratio) < 10 ? 2 : Math.abs(ratio) < 100 ? 1 : 0)}`;
}

/** A ratio farther from ×1 than this cannot be known from so few repeats: an interval does not show such an end exactly. */
export const WIDEST_RATIO = 10;

const CLOSEST = 6;

/** An end of an interval. One close to ×1 has enough digits to show on which side it is, because the verdict depends on it: `×1.003`. */
function formatEnd(end: number): string {
  const text = formatTimes(end);
  if (text !== formatTimes(1)) return text;
  const digits = Math.ceil(-Math.log10(Math.abs(end - 1)));
  return digits <= CLOSEST ? `×${formatNumber(end, digits)}` : text;
}

/** An interval of a ratio: `×0.85 – ×1.20`; an end beyond tenfold as `< ×0.1` or `> ×10`. */
export function formatInterval({ low, high }: { readonly low: number; readonly high: number }): string {
  const below = high > 1 ? low < 1 / WIDEST_RATIO : false;
  const above = low < 1 ? high > WIDEST_RATIO : false;
  return `${below ? `< ${formatTimes(1 / WIDEST_RATIO)}` : formatEnd(low)} – ${above ? `> ${formatTimes(WIDEST_RATIO)}` : formatEnd(high)}`;
}

/** A ratio both ways: `×1.18 (+18 %)`. */
export const formatRatio = (ratio: number | null | undefined): string =>
  isNumber(ratio) ? `${formatTimes(ratio)} (${formatChange(ratio - 1)})` : NO_VALUE;

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Bytes in binary units: `1.50 GiB`, `512 B`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (!isNumber(bytes)) return NO_VALUE;
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1023.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(value, unit === 0 ? 0 : digitsFor([value], 2))} ${BYTE_UNITS[unit]}`;
}

const CURRENCY_SIGNS = new Map(Object.entries({ USD: '$', EUR: '€', GBP: '£' }));

/** Money with its currency: `$0.768`, `$0.0416`, `$6,728`, `12.50 CHF`. Prices below one keep three significant digits. */
export function formatMoney(amount: number | null | undefined, currency = 'USD'): string {
  if (!isNumber(amount)) return NO_VALUE;
  const size = Math.abs(amount);
  const digits = size >= 1000 ? 0 : size >= 1 || size === 0 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(size)));
  const sign = CURRENCY_SIGNS.get(currency);
  const text = formatNumber(size, digits);
  return `${amount < 0 ? '-' : ''}${sign ? `${sign}${text}` : `${text} ${currency}`}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Epoch milliseconds as a local date and time that sorts: `2026-11-20 14:32`. */
export function formatDateTime(at: number | null | undefined): string {
  if (!isNumber(at)) return NO_VALUE;
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Epoch milliseconds as a local day of the year: `5 Jan`. */
export const formatDay = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });

/** Epoch milliseconds as local time of day: `14:32:07`. */
export function formatTimeOfDay(at: number | null | undefined): string {
  if (!isNumber(at)) return NO_VALUE;
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `1 trial`, `12 trials`, `2 copies` with a given plural. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

type Level = string | number | boolean;

/** A level as a document, a command or a CSV file has it. */
export const plainLevel = (level: Level | undefined): string =>
  level === undefined ? NO_VALUE : typeof level === 'boolean' ? (level ? 'on' : 'off') : String(level);

/** Whole numbers from here on are grouped: sizes such as 4096, ports and years are read as they are typed. */
const GROUPED = 10_000;

/** A level for a reader: `16`, `4096`, `10,000,000`. */
export const formatLevel = (level: Level | undefined): string =>
  typeof level === 'number' && Number.isSafeInteger(level) && Math.abs(level) >= GROUPED
    ? formatNumber(level)
    : plainLevel(level);

const inWords = (levels: Readonly<Record<string, Level>>, format: (level: Level) => string): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name} ${format(level)}`)
    .join(' · ');

/** A cell as text: `threads 4 · synchronous FULL`. */
export const formatLevels = (levels: Readonly<Record<string, Level>>): string => inWords(levels, formatLevel);

/** The same with levels as a document has them, for what is compared or typed again. */
export const plainLevels = (levels: Readonly<Record<string, Level>>): string => inWords(levels, plainLevel);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Capitalised if it begins with “this computer”. Names of hosts, settings and commands are unchanged. */
export const asSentence = (message: string): string =>
  /^this computer(?:[ :,’]|$)/.test(message) ? capital(message) : message;

/** Maximum number of items that one sentence names. */
const NAMED = 5;

/** The first few items, and the number of the others. */
export function named(what: readonly string[]): string {
  const more = what.length - NAMED;
  return `${what.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
