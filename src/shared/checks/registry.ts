import { type Finding, SEVERITIES } from '../model/finding.ts';
import { formatCount } from '../util/format.ts';
import type { Check } from './check.ts';
import { REST_CHECKS } from './measure.ts';
import { RUN_CHECKS } from './runs/index.ts';
import { UNWATCHED_CHECKS } from './unwatched.ts';
import { COMPARISON_CHECKS } from './words/comparison.ts';
import { SESSION_CHECKS } from './words/session.ts';
import { START_CHECKS } from './words/start.ts';

/** Every check with its explanation: the source of docs/checks.md. */
export const CHECKS: readonly Check[] = [
  ...START_CHECKS,
  ...REST_CHECKS,
  ...UNWATCHED_CHECKS,
  ...RUN_CHECKS,
  ...SESSION_CHECKS,
  ...COMPARISON_CHECKS,
];

const BY_CODE: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.code, check]));

/** The explanation of a finding, by its code; undefined if it is not from a check: a fault, a refusal. */
export const checkOf = (code: string): Check | undefined => BY_CODE.get(code);

/** Determines whether findings of a run are kept, replaced or found again. */
interface FindingKind {
  /**
   * Source of the finding, in the order of a trial: work before the launch, the launch, events of the document, the tool's output, a
   * comparison of several generators, the supervisor of the job, the check of settings and server at the end, a stop rule, watched series;
   * for plan, session and comparison their checks.
   */
  readonly by:
    | ('before' | 'launch' | 'events' | 'output' | 'generators' | 'supervisor' | 'proof' | 'rule' | 'watching')
    | Exclude<Check['when'], 'run'>;
  /** end: an output without its last part; last-line: one of several lines, which may be that part. */
  readonly about:
    | 'end'
    | 'event'
    | 'generator'
    | 'host'
    | 'last-line'
    | 'output'
    | 'server'
    | 'setting'
    | 'signal'
    | 'trial';
}

/** Findings of the engine itself. Any other code that is not a check's comes from a tool's output. */
const RUN_KINDS = {
  'server-restarted': { by: 'before', about: 'server' },
  'caches-dropped': { by: 'before', about: 'host' },
  'caches-not-dropped': { by: 'before', about: 'host' },
  'statement-run': { by: 'before', about: 'server' },
  'waited-until-quiet': { by: 'before', about: 'server' },
  'not-quiet': { by: 'before', about: 'server' },
  'overlapping-load': { by: 'launch', about: 'host' },
  'scenario-failed': { by: 'events', about: 'server' },
  'start-spread': { by: 'generators', about: 'generator' },
  'uneven-generators': { by: 'generators', about: 'generator' },
  'time-limit': { by: 'supervisor', about: 'output' },
  'output-limit': { by: 'supervisor', about: 'output' },
  'host-disk-full': { by: 'supervisor', about: 'host' },
  'supervisor-ended': { by: 'supervisor', about: 'host' },
  'setting-changed': { by: 'proof', about: 'setting' },
  'server-started-anew': { by: 'proof', about: 'server' },
  'server-gone': { by: 'proof', about: 'server' },
  'out-of-memory': { by: 'proof', about: 'host' },
  'start-changed': { by: 'proof', about: 'server' },
  'stop-rule': { by: 'rule', about: 'trial' },
  'gate-closed': { by: 'rule', about: 'trial' },
  // Found again from the series.
  'scenario-effect': { by: 'output', about: 'event' },
  'no-summary': { by: 'output', about: 'end' },
  'output-truncated': { by: 'output', about: 'last-line' },
  'killed-by-signal': { by: 'output', about: 'signal' },
} as const satisfies Record<string, FindingKind>;

/** A finding whose kind is declared here. */
export type EngineFinding = Finding & { code: keyof typeof RUN_KINDS };

const KINDS: ReadonlyMap<string, FindingKind> = new Map(Object.entries(RUN_KINDS));

/** Works for findings of any version: their source is stored only if the code does not determine it. */
export function kindOf({ code, from }: Pick<Finding, 'code' | 'from'>): FindingKind {
  const when = checkOf(code)?.when;
  const { by, about } = KINDS.get(code) ?? { by: when === 'run' ? 'watching' : (when ?? 'output'), about: 'output' };
  return { by: from ?? by, about };
}

/** Codes of the findings of a source, for a query. */
export const codesBy = (by: FindingKind['by']): string[] =>
  Object.entries(RUN_KINDS).flatMap(([code, kind]) => (kind.by === by ? [code] : []));

/** Found before the tool was started or while it ran: it stays, whatever the output contains. */
export const isOfLaunch = (finding: Finding): boolean => ['before', 'launch', 'events'].includes(kindOf(finding).by);

const NUMBER = /\d[\d.,]*/g;

/** Equal for findings that differ in their figures only. */
const sentenceOf = ({ code, message }: Finding): string => `${code} ${message.replace(NUMBER, '#')}`;

/** All findings of one check about the series of a run are one, whatever hosts and processes they name. */
const groupOf = (finding: Finding): string =>
  checkOf(finding.code)?.when === 'run' ? finding.code : sentenceOf(finding);

/** `same`: additional runs with the same finding. `others`: runs in which the check found it for something else. */
function alsoWords(same: number, others: number): string {
  const elsewhere = 'with another host, process or device.';
  if (same > 0 && others > 0) return `Also in ${formatCount(same, 'more run')}, and in ${others} ${elsewhere}`;
  if (others > 0) return `Also in ${formatCount(others, 'more run')} ${elsewhere}`;
  return same > 0 ? `Also in ${formatCount(same, 'more run')}.` : '';
}

/**
 * The findings of a session and of its runs, the most severe first. Equal sentences appear once; for a finding of several runs, the words
 * of the first, with the number of runs in which only the figures differ, or in which it is about something else. A finding expected before
 * the start and then confirmed appears once.
 */
export function gatheredFindings(
  ofSession: readonly Finding[],
  all: readonly { findings: readonly Finding[]; excluded?: unknown }[],
): Finding[] {
  const runs = all.filter(({ excluded }) => !excluded);
  const replaced = new Set(
    runs.flatMap(({ findings }) => findings.flatMap(({ code }) => checkOf(code)?.replaces ?? [])),
  );
  const remaining = ofSession.filter(({ code }) => !replaced.has(code));
  const sentences = new Map(remaining.map((finding) => [`${finding.code} ${finding.message}`, finding]));
  const kinds = new Map<string, { first: Finding; same: number; others: number }>();
  for (const { findings } of runs) {
    const firstOfRun = new Map([...findings].reverse().map((finding) => [groupOf(finding), finding]));
    for (const [kind, finding] of firstOfRun) {
      const known = kinds.get(kind);
      if (!known) kinds.set(kind, { first: finding, same: 0, others: 0 });
      else if (sentenceOf(known.first) === sentenceOf(finding)) known.same += 1;
      else known.others += 1;
    }
  }
  const ofRuns = [...kinds.values()].map(({ first, same, others }) => {
    const also = alsoWords(same, others);
    return also === '' ? first : { ...first, message: `${first.message} ${also}` };
  });
  return [...ofRuns, ...sentences.values()].sort(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
}
