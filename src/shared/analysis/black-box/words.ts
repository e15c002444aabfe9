import type { BlackBoxChange, BlackBoxEvent } from '../../model/analysis.ts';
import { formatCount, formatDuration, formatFigure, formatNumber, formatPercent } from '../../util/format.ts';
import type { Event, Silence } from './silences.ts';

/** Maximum named in a sentence; the others are in the list below it. */
const NAMED = 3;
/** Share of the events that a series has to be part of to be common to them. */
const COMMON = 0.6;

type Names = Pick<BlackBoxChange, 'label' | 'instance' | 'source'>;
const nameOf = ({ label, instance, source }: Names): string =>
  `${label}${instance === undefined ? '' : ` (${instance})`} of ${source}`;

/** In the last second of an event work resumes, and the backlog is processed: a change that begins there is its end. */
const ENDING = 1;

/** Whether it may be related to the cause of the event: it neither follows from less work nor began with its end or after it. */
const isEarly = ({ follows, onset }: BlackBoxChange, { from, to }: Pick<Event, 'from' | 'to'>): boolean =>
  !follows && onset < Math.max(ENDING, to - from - ENDING);

export function eventSentence(event: Event, changes: readonly BlackBoxChange[], silences: readonly Silence[]): string {
  const early = changes.filter((change) => isEarly(change, event));
  const follows = changes.filter((change) => change.follows);
  const later = changes.length - early.length - follows.length;
  const what = event.kind === 'stall' ? 'stopped' : `fell by ${formatPercent(event.depth)}`;
  const start = `At second ${formatNumber(event.from)} throughput ${what} for ${formatDuration(event.to - event.from)}.`;
  const named = early.slice(0, NAMED).map(changeWords).join('; ');
  const more = early.length > NAMED ? ` (and ${formatNumber(early.length - NAMED)} more)` : '';
  const rest = [
    ...(follows.length > 0 ? [`${formatCount(follows.length, 'series', 'series')} fell with it`] : []),
    ...(later > 0 ? [`${formatNumber(later)} changed at its end or later`] : []),
  ];
  const body =
    early.length > 0 ? ` Notable: ${named}${more}.` : ' No watched series changed notably before or during it.';
  const silent = silences.map(
    ({ source, from, to }) =>
      ` No samples from ${source} for ${formatDuration(Math.round(to - from))}, from second ${formatNumber(Math.round(from))}.`,
  );
  return `${start}${silent.join('')}${body}${rest.length > 0 ? ` ${rest.join(', ')}.` : ''}`;
}

const changeWords = (change: BlackBoxChange): string => {
  const unit = change.unit ? ` ${change.unit}` : '';
  return `${nameOf(change)} ${change.direction} from ${formatFigure(change.value, 1)} to ${formatFigure(change.reached, 1)}${unit}, ${whenWords(change.onset)}`;
};

function whenWords(onset: number): string {
  if (Math.abs(onset) < 1) return 'at the same time';
  return `${formatDuration(Math.round(Math.abs(onset)))} ${onset < 0 ? 'before' : 'later'}`;
}

/** A sentence on what most of the events have in common, or that there is nothing. */
export function togetherSentence(events: readonly BlackBoxEvent[]): string {
  const counts = new Map<string, { change: BlackBoxChange; count: number }>();
  for (const event of events)
    for (const change of event.changes.filter((each) => isEarly(each, event))) {
      const key = `${change.source} ${change.id} ${change.direction}`;
      counts.set(key, { change, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  const common = [...counts.values()]
    .filter(({ count }) => count >= Math.max(2, COMMON * events.length))
    .sort((one, other) => other.count - one.count || Math.abs(other.change.effect) - Math.abs(one.change.effect));
  if (common.length === 0)
    return `The ${formatCount(events.length, 'stall or dip', 'stalls and dips')} have no notable change in common.`;
  const words = common
    .slice(0, NAMED)
    .map(({ change, count }) => `${nameOf(change)} ${change.direction} in ${count} of them`)
    .join('; ');
  return `Of ${formatCount(events.length, 'stall or dip', 'stalls and dips')}: ${words}.`;
}
