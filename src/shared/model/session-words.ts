import { formatDateTime } from '../util/format.ts';
import { MECHANICS_ONLY } from './finding.ts';
import type { CellResult } from './result.ts';
import type { Run, RunFact, RunState, Session, SessionOrigin, SessionState } from './session.ts';
import { ENDED_RUN, FAILED_RUN } from './states.ts';
import { TOOK } from './step.ts';

/** Seconds of work on a session: without those in which it was paused or the app was closed. Undefined before its start. */
export function workedSeconds(
  { startedAt, endedAt, idleSince, idleMs = 0 }: Pick<Session, 'startedAt' | 'endedAt' | 'idleSince' | 'idleMs'>,
  now?: number,
): number | undefined {
  const until = endedAt ?? idleSince ?? now;
  return startedAt === undefined || until === undefined ? undefined : Math.max(0, until - startedAt - idleMs) / 1000;
}

const ORIGINS: Readonly<Record<SessionOrigin, string>> = {
  measured: 'measured here',
  imported: 'imported from another system',
  received: 'received from another Kneepoint',
};

/** Words for the origin of a session's runs. */
export const originWords = ({ origin = 'measured' }: { origin?: SessionOrigin | undefined }): string => ORIGINS[origin];

/** Words for a state, and its appearance: ok, in progress, needs attention, bad, neutral. */
export interface StateWords {
  word: string;
  tone: 'ok' | 'busy' | 'warn' | 'bad' | 'idle';
}

const SESSION_WORDS: Readonly<Record<SessionState, StateWords>> = {
  starting: { word: 'starting', tone: 'busy' },
  running: { word: 'running', tone: 'busy' },
  pausing: { word: 'pausing after this trial', tone: 'busy' },
  paused: { word: 'paused', tone: 'warn' },
  stopping: { word: 'stopping', tone: 'busy' },
  interrupted: { word: 'interrupted', tone: 'warn' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
  stopped: { word: 'stopped', tone: 'idle' },
};

/** A session that is done but has a message measured no trial. */
export function sessionWords({
  state,
  message,
  damaged,
  needs,
  trialsMissing = 0,
  mechanics,
}: Pick<Session, 'state' | 'message' | 'damaged' | 'needs' | 'trialsMissing' | 'mechanics'>): StateWords {
  if (damaged) return { word: 'damaged', tone: 'bad' };
  if (needs) return { word: 'input needed', tone: 'warn' };
  if (state !== 'done') return SESSION_WORDS[state];
  if (message) return { word: 'no results', tone: 'bad' };
  if (trialsMissing > 0) return { word: `incomplete, ${trialsMissing} missing`, tone: 'warn' };
  return mechanics ? { word: MECHANICS_ONLY, tone: 'idle' } : SESSION_WORDS.done;
}

export const RUN_WORDS: Readonly<Record<RunState, StateWords>> = {
  pending: { word: 'waiting', tone: 'idle' },
  launching: { word: 'launching', tone: 'busy' },
  running: { word: 'running', tone: 'busy' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
  skipped: { word: 'skipped', tone: 'idle' },
  stopped: { word: 'stopped', tone: 'idle' },
  lost: { word: 'lost', tone: 'bad' },
};

/** Words for a trial's state: if its tool never started it was not run, whatever ended it. */
export function runWords({
  state,
  startedAt,
  partial,
  excluded,
}: Pick<Run, 'state' | 'startedAt' | 'partial' | 'excluded'>): StateWords {
  if (ENDED_RUN.includes(state) && startedAt === undefined)
    return { word: 'not run', tone: FAILED_RUN.includes(state) ? 'bad' : 'idle' };
  const { word, tone } = RUN_WORDS[state];
  const whole = partial ? `${word}, partial` : word;
  return excluded ? { word: `${whole}, excluded`, tone: 'idle' } : { word: whole, tone };
}

/** Maximum characters of a name in a label. Names that begin alike often differ at the end, so both ends are kept. */
const LONGEST = 26;

function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= LONGEST) return name;
  const end = Math.floor((LONGEST - 1) / 2);
  return `${letters
    .slice(0, LONGEST - 1 - end)
    .join('')
    .trimEnd()}…${letters.slice(-end).join('').trimStart()}`;
}

type Named = Pick<Session, 'id' | 'name'>;

/** `12 · Thread ladder`: short enough for a closed field, and unique for each session. */
export const sessionLabel = ({ id, name }: Named): string => `${id} · ${shortened(name)}`;

/** The names of its targets; undefined if it has none. */
export const targetWords = ({ target, targets }: Pick<Session, 'target' | 'targets'>): string | undefined =>
  targets?.join(', ') ?? target;

/** The distinct names of its tools, in the order of its steps. Waits, statements and commands between them are no tools. */
export function toolWords({ steps = [], tool }: Pick<Session, 'steps' | 'tool'>): string {
  const loads = steps.filter(({ metric }) => metric !== TOOK);
  return [...new Set(loads.map((step) => step.tool))].join(', ') || tool;
}

/** The tool of a step of its trials, by place. */
export const toolOfStep = ({ steps, tool }: Pick<Session, 'steps' | 'tool'>, place = 0): string =>
  steps?.[place]?.tool ?? tool;

/** Facts that distinguish it from other sessions: date, tool, target, size. */
export function sessionFacts(
  session: Pick<Session, 'createdAt' | 'steps' | 'tool' | 'target' | 'targets' | 'cells' | 'repeats' | 'tags'>,
): string {
  const { createdAt, cells, repeats, tags } = session;
  return [formatDateTime(createdAt), systemWords(session), `${cells} × ${repeats}`, ...tags].join(' · ');
}

/** `sysbench → mysql-8.0`: tool and target. */
export function systemWords(session: Pick<Session, 'steps' | 'tool' | 'target' | 'targets'>): string {
  const target = targetWords(session);
  const tools = toolWords(session);
  return target ? `${tools} → ${target}` : tools;
}

type Thing = Pick<RunFact, 'place' | 'what'>;

/** `server mysql-8.0: sync_binlog`. */
export const factName = ({ place, what }: Thing): string => `${place.kind} ${place.name}: ${what}`;

/** A value as read back; null: it was not set. */
export const factValue = (value: string | null): string => (value === null ? 'not set' : value || 'empty');

/** A setting of a place with equal desired and found values: `runs` by id, in order. */
export interface FactRow extends RunFact {
  readonly runs: readonly number[];
}

/** Settings and values read back in runs, each combination of values once, grouped by setting. */
export function factRows(runs: readonly Pick<Run, 'id' | 'facts'>[]): FactRow[] {
  const things = new Map<string, Map<string, RunFact & { runs: number[] }>>();
  for (const { id, facts = [] } of runs)
    for (const fact of facts) {
      const rows = things.get(factName(fact)) ?? new Map<string, RunFact & { runs: number[] }>();
      things.set(factName(fact), rows);
      const key = JSON.stringify([fact.wanted, fact.found, fact.first, fact.matches]);
      const row = rows.get(key) ?? { ...fact, runs: [] };
      rows.set(key, row);
      row.runs.push(id);
    }
  return [...things.values()].flatMap((rows) => [...rows.values()]);
}

/** Names of all settings read back in these runs, in order. */
export const factNames = (runs: readonly Pick<Run, 'facts'>[]): string[] => [
  ...new Set(runs.flatMap(({ facts = [] }) => facts.map(factName))),
];

type Found = NonNullable<CellResult['facts']>;

/** Distinct values found for each setting in these runs. */
export const foundIn = (runs: readonly Pick<Run, 'facts'>[]): Found =>
  mergedFacts(runs.map(({ facts = [] }) => facts.map(({ place, what, found }) => ({ place, what, found: [found] }))));

/** The same, merged from several. */
export function mergedFacts(all: readonly Found[]): Found {
  const things = new Map<string, Found[number]>();
  for (const { place, what, found } of all.flat()) {
    const thing = things.get(factName({ place, what })) ?? { place, what, found: [] };
    things.set(factName(thing), thing);
    thing.found.push(...found.filter((value) => !thing.found.includes(value)));
  }
  return [...things.values()];
}

/** Values found for a setting, in words: several if runs differed. */
export const foundWords = ({ found }: Pick<Found[number], 'found'>): string => found.map(factValue).join(', ');
