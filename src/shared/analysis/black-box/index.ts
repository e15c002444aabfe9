import type { BlackBox, BlackBoxChange, BlackBoxEvent } from '../../model/analysis.ts';
import { formatCount, formatDuration, formatFigure, formatNumber, formatPercent } from '../../util/format.ts';
import type { RunEvidence, WatchedSeries, Window } from '../evidence.ts';
import { firstAfter } from '../lines.ts';
import { type Event, eventsOf, type Silence, Silences } from './silences.ts';
import { chanceAmong, deviationOf, effectOf, type Line, lineOf, type Usual, usualDeviation, usualOf } from './usual.ts';

/** Seconds examined before and after an event; fewer if events are close together. */
const AROUND = 10;
const LEAST_AROUND = 2;
/** With more events, only the deepest and longest are examined. */
const MOST_EVENTS = 20;

/** A series that went farther around an event than it ever did away from all events. */
interface Candidate {
  readonly change: BlackBoxChange;
  readonly deviation: number;
  /** Number of values that its usual level is based on. */
  readonly usual: Pick<Usual, 'count'>;
}

/** Events of a run, and their surroundings. */
interface Surroundings {
  readonly count: number;
  readonly chosen: readonly Event[];
  readonly around: number;
  readonly isOutsideEvents: (second: number) => boolean;
  readonly tiles: readonly Window[];
}

/**
 * Finds the series that left their usual level around each stall and dip of a run. Each series is compared with its own seconds away from
 * all events, by its distance from their median in robust standard deviations. A series is named if it went farther than any series would
 * by chance, and farther than any did around moments of the same run without an event: many series have rare spikes, and one of them is
 * always near.
 *
 * Series are added one by one, and only results are kept of them: all series of a long run would not fit into memory.
 */
export class BlackBoxReader {
  readonly #events: Surroundings | undefined;
  readonly #candidates: Candidate[][];
  readonly #silences: Silences;
  #series = 0;
  /** Surprise that a change has to exceed, given the series so far. */
  #limit = 0;

  constructor({ rate, window }: Pick<RunEvidence, 'rate' | 'window'>) {
    this.#events = rate && surroundingsOf(eventsOf(rate, window), window);
    this.#candidates = this.#events?.chosen.map(() => []) ?? [];
    this.#silences = new Silences(this.#events?.chosen ?? []);
  }

  add(source: string, series: WatchedSeries): void {
    if (!this.#events) return;
    const { chosen, around, isOutsideEvents, tiles } = this.#events;
    this.#silences.add(source, series);
    // Sampled every ten seconds: it does not show the second of a change.
    if (series.rule.startsWith('sockets.')) return;
    const line = lineOf(series);
    const usual = usualOf(line, isOutsideEvents, tiles);
    if (!usual) return;
    this.#series += 1;
    this.#limit = Math.max(this.#limit, usualDeviation(usual));
    for (const [place, event] of chosen.entries()) {
      const near = { from: Math.max(0, event.from - around), to: event.to + around };
      const candidate = candidateOf(event, { source, series, line, usual }, near);
      if (candidate && candidate.deviation > this.#limit) this.#candidates[place]?.push(candidate);
    }
  }

  /** Result for all added series. */
  result(): BlackBox {
    if (!this.#events) return { events: [], count: 0 };
    const events = this.#events.chosen.map((event, place) => this.#eventOf(event, place));
    const common = events.length > 1 ? togetherSentence(events) : undefined;
    return { events, count: this.#events.count, ...(common !== undefined && { sentence: common }) };
  }

  #eventOf(event: Event, place: number): BlackBoxEvent {
    const changes = (this.#candidates[place] ?? [])
      .filter(
        ({ deviation, change, usual }) =>
          deviation > this.#limit && Math.abs(change.effect) >= chanceAmong(this.#series, usual),
      )
      .map(({ change }) => change)
      .sort((one, other) => rankOf(one) - rankOf(other) || Math.abs(other.effect) - Math.abs(one.effect));
    return { ...event, changes, sentence: eventSentence(event, changes, this.#silences.at(place)) };
  }
}

/** The same for a run whose series are all in memory. */
export function blackBox(evidence: RunEvidence): BlackBox {
  const reader = new BlackBoxReader(evidence);
  for (const { name, series } of [...evidence.hosts, ...evidence.servers])
    for (const each of series) reader.add(name, each);
  return reader.result();
}

function surroundingsOf(all: readonly Event[], window: Window): Surroundings | undefined {
  if (all.length === 0) return undefined;
  const size = ({ from, to, depth }: Event): number => depth * (to - from);
  const chosen = [...all]
    .sort((one, other) => size(other) - size(one))
    .slice(0, MOST_EVENTS)
    .sort((one, other) => one.from - other.from);
  const around = marginAround(all);
  const isOutsideEvents = outsideEvents(all, window, around);
  const tiles = tilesOf(window, Math.max(...chosen.map(({ from, to }) => to - from)) + 2 * around, isOutsideEvents);
  return { count: all.length, chosen, around, isOutsideEvents, tiles };
}

/** Whether a moment of the measured part is outside all events and their surroundings: by whole seconds, as long runs have many of both. */
function outsideEvents(events: readonly Event[], window: Window, around: number): (second: number) => boolean {
  const taken = new Uint8Array(Math.ceil(window.to) + 2);
  for (const { from, to } of events)
    taken.fill(1, Math.max(0, Math.floor(from - around) + 1), Math.max(0, Math.floor(to + around) + 1));
  return (second) => second > window.from && second <= window.to && taken[Math.ceil(second)] !== 1;
}

/** At most a quarter of the time between events, so that some seconds belong to none. */
function marginAround(events: readonly Event[]): number {
  const between = events.slice(1).map(({ from }, index) => from - (events[index]?.to ?? 0));
  return Math.max(LEAST_AROUND, Math.min(AROUND, ...between.map((gap) => gap / 4)));
}

/** This many segments determine the usual level: in a long run they are taken from all over it. */
const MOST_TILES = 60;

/** Consecutive segments of that length away from all events; shorter ones if there is no room for one. */
function tilesOf({ from, to }: Window, length: number, isOutsideEvents: (second: number) => boolean): Window[] {
  const tiles: Window[] = [];
  let start: number | undefined;
  for (let second = Math.ceil(from) + 1; second <= to; second++) {
    const open = isOutsideEvents(second);
    if (open && start === undefined) start = second - 1;
    if (start === undefined) continue;
    const end = open ? second : second - 1;
    if (end - start >= length || !open || second + 1 > to) {
      if (end > start) tiles.push({ from: start, to: end });
      start = undefined;
    }
  }
  const stride = Math.ceil(tiles.length / MOST_TILES);
  return tiles.filter((_, index) => index % stride === 0);
}

interface Watched {
  readonly source: string;
  readonly series: WatchedSeries;
  readonly line: Line;
  readonly usual: Usual;
}

/** Onsets are distinguishable from one second on. */
const DISTINGUISHABLE_S = 1;

/** Changes that began before the event or with it come first: later ones may be larger, but cannot be causes. */
const rankOf = ({ follows, onset }: BlackBoxChange): number => (follows ? 2 : onset >= DISTINGUISHABLE_S ? 1 : 0);

function candidateOf(
  event: Event,
  { source, series, line, usual }: Watched,
  { from, to }: Window,
): Candidate | undefined {
  const { t, smooth, step } = line;
  const awayAt = (index: number): number => (smooth[index] ?? usual.centre) - usual.centre;
  const first = firstAfter(t, from);
  let [high, low] = [first, first];
  for (let index = first; index < t.length && (t[index] ?? 0) <= to; index++) {
    if (awayAt(index) > awayAt(high)) high = index;
    if (awayAt(index) < awayAt(low)) low = index;
  }
  if (first >= t.length || (t[first] ?? 0) > to) return undefined;
  // A rise is compared with usual rises, so that the larger distance is not always the more unusual one.
  const [above, below] = [deviationOf(awayAt(high), usual), deviationOf(awayAt(low), usual)];
  const at = above >= below ? high : low;
  const deviation = Math.max(above, below);
  if (deviation <= 0) return undefined;
  const best = effectOf(awayAt(at), usual);
  const onset = beganAt(line, usual.centre, at, from) - step - event.from;
  const direction = best > 0 ? 'rose' : 'fell';
  const change: BlackBoxChange = {
    source,
    id: series.id,
    label: series.label,
    unit: series.unit,
    ...(series.instance !== undefined && { instance: series.instance }),
    direction,
    value: usual.centre,
    reached: smooth[at] ?? 0,
    effect: best,
    onset,
    follows: direction === 'fell' && onset > -1.5 * step,
  };
  return { change, deviation, usual: { count: usual.count } };
}

/** When it left its level: read from the original values, as smoothing spreads a change to neighbours. */
function beganAt({ t, v, smooth }: Line, centre: number, at: number, from: number): number {
  const way = Math.sign((smooth[at] ?? 0) - centre);
  const away = (index: number): number => way * ((v[index] ?? centre) - centre);
  const half = Math.max(away(at - 1), away(at), away(at + 1)) / 2;
  let first = [at - 1, at, at + 1].find((index) => away(index) >= half) ?? at;
  while (first > 0 && (t[first - 1] ?? 0) > from && away(first - 1) >= half) first -= 1;
  return t[first] ?? 0;
}

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

function eventSentence(event: Event, changes: readonly BlackBoxChange[], silences: readonly Silence[]): string {
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
function togetherSentence(events: readonly BlackBoxEvent[]): string {
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
