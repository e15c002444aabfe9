import type { Fix } from '../../../shared/contract/experiments.ts';
import type { Finding, LiftableFinding } from '../../../shared/model/finding.ts';
import { type Problem, problemKind, problemOf } from '../../../shared/model/problem.ts';
import type { DeviceFinding } from '../facts/index.ts';
import type { Generator } from '../runs/index.ts';
import type { PreflightFacts, PreflightState } from './state.ts';

/** A finding that the user can override, or has overridden, by typing a phrase. */
export interface StartFinding extends DeviceFinding {
  /** The phrase that was typed. */
  confirmed?: string;
  fix?: Fix;
}

/** The saved host or target that a check was for. */
export type Place = Pick<Extract<Fix, { kind: 'open' }>, 'place' | 'name'>;

/** Converts an error during a check to a blocking finding. `of` is what was checked, if the problem names no place. */
export function blocking(error: unknown, of?: Place): StartFinding {
  const problem = problemOf(error);
  const fix = fixOf(problem, of);
  return {
    code: problem.code,
    severity: 'block',
    message: problem.message,
    ...(problem.next && { next: problem.next }),
    ...(fix && { fix }),
  };
}

function fixOf(problem: Problem, of: Place | undefined): Fix | undefined {
  const { about, wants } = problemKind(problem) ?? {};
  if (wants === 'vault') return { kind: 'open-vault' };
  const [place] = [
    ...(about === 'target' && of?.place === 'target' ? [of] : []),
    ...(problem.target === undefined ? [] : [{ place: 'target', name: problem.target } as const]),
    ...(problem.host === undefined ? [] : [{ place: 'host', name: problem.host } as const]),
    ...(of ? [of] : []),
  ];
  if (!place) return undefined;
  if (wants === 'password') return { kind: 'password', ...place };
  if (wants === 'saved') return { kind: 'add', ...place };
  return about === 'host' || about === 'target' ? { kind: 'open', ...place } : undefined;
}

/** Turns a block into a warning if the user has typed the phrase; otherwise asks for it. */
export function liftable({ typed }: Pick<PreflightState, 'typed'>, finding: Finding, phrase: string): StartFinding {
  if (typed.includes(phrase)) return { ...finding, severity: 'warn', confirmed: phrase };
  const how = `To start anyway, type “${phrase}” here, or pass it as --confirm on the command line.`;
  return { ...finding, confirm: phrase, next: [finding.next, how].filter(Boolean).join(' ') };
}

/** A finding about a place, or about a setting there. If the finding allows it, the user can override it. */
export function liftableAt(
  known: Pick<PreflightState, 'typed'>,
  { liftedBy, ...finding }: LiftableFinding,
  place: string | undefined,
  setting?: string,
): StartFinding {
  const word = liftedBy === 'setting' ? setting : liftedBy?.word;
  return word === undefined || place === undefined ? finding : liftable(known, finding, `${place}:${word}`);
}

/** Result of a check. */
export interface CheckResult {
  /** Undefined or empty if it passed. */
  readonly findings?: readonly StartFinding[];
  /** Facts that were found, one per entry. */
  readonly evidence?: readonly string[];
  readonly learnt?: Partial<PreflightFacts>;
}

/** One question of the preflight, asked after the earlier ones were answered. */
export interface Check {
  readonly id: string;
  /** A title that makes no claim. */
  readonly title: string;
  /** `known` includes everything that earlier checks have found. A thrown error blocks the start. */
  run(known: PreflightState, signal: AbortSignal): Promise<CheckResult>;
  readonly of?: Place;
  /** Id of a check; this one is skipped if that one failed. */
  readonly after?: string;
}

/** Checks each generator. An error of one blocks the start, but the others are checked anyway. */
export const ofEach = <T extends Pick<Generator, 'machine'>>(
  generators: readonly T[],
  look: (generator: T) => Promise<CheckResult>,
): Promise<CheckResult[]> =>
  Promise.all(
    generators.map((each) =>
      look(each).catch((error: unknown) => ({
        findings: [blocking(error, { place: 'host', name: each.machine.name })],
      })),
    ),
  );

/** Merges findings and evidence of several checks. */
export const together = (results: readonly CheckResult[]): { findings: StartFinding[]; evidence: string[] } => ({
  findings: results.flatMap(({ findings = [] }) => findings),
  evidence: results.flatMap(({ evidence = [] }) => evidence),
});
