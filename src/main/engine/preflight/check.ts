import type { Fix } from '../../../shared/contract/experiments.ts';
import type { Finding, LiftableFinding } from '../../../shared/model/finding.ts';
import { type Problem, problemKind, problemOf } from '../../../shared/model/problem.ts';
import type { DeviceFinding } from '../facts/index.ts';
import type { Generator } from '../runs/index.ts';
import type { Learnt, PreflightState } from './state.ts';

/** A finding that a person may lift, or has lifted, by typing a phrase. */
export interface StartFinding extends DeviceFinding {
  /** The phrase that was typed. */
  confirmed?: string;
  fix?: Fix;
}

/** The saved host or target that something was checked for. */
export type Place = Pick<Extract<Fix, { kind: 'open' }>, 'place' | 'name'>;

/** What went wrong while something was checked, as a line that blocks. `of`: what was checked, where the problem names no place itself. */
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

/** A block that a person may lift by typing a phrase: then it warns. */
export function liftable({ typed }: Pick<PreflightState, 'typed'>, finding: Finding, phrase: string): StartFinding {
  if (typed.includes(phrase)) return { ...finding, severity: 'warn', confirmed: phrase };
  const how = `To start anyway, type “${phrase}” here, or pass it as --confirm on the command line.`;
  return { ...finding, confirm: phrase, next: [finding.next, how].filter(Boolean).join(' ') };
}

/** A finding about a place, and of a setting about this one: where its maker allows it, a person may lift it. */
export function liftableAt(
  known: Pick<PreflightState, 'typed'>,
  { liftedBy, ...finding }: LiftableFinding,
  place: string | undefined,
  setting?: string,
): StartFinding {
  const word = liftedBy === 'setting' ? setting : liftedBy?.word;
  return word === undefined || place === undefined ? finding : liftable(known, finding, `${place}:${word}`);
}

/** The answer to a check. */
export interface Look {
  /** Absent or empty: fine. */
  readonly findings?: readonly StartFinding[];
  /** What was found to be so, a piece each. */
  readonly evidence?: readonly string[];
  readonly learnt?: Partial<Learnt>;
}

/** One question of the preflight, asked when those before it are answered. */
export interface Check {
  readonly id: string;
  /** What is checked, without a claim. */
  readonly title: string;
  /** `known`: with everything that earlier checks have learnt. Throws when it could not look: that blocks. */
  look(known: PreflightState, signal: AbortSignal): Promise<Look>;
  readonly of?: Place;
  /** Not worth trying after this one failed. */
  readonly after?: string;
}

/** Looks from every generator; where one cannot, that blocks, and the others are checked all the same. */
export const ofEach = <T extends Pick<Generator, 'machine'>>(
  generators: readonly T[],
  look: (generator: T) => Promise<Look>,
): Promise<Look[]> =>
  Promise.all(
    generators.map((each) =>
      look(each).catch((error: unknown) => ({
        findings: [blocking(error, { place: 'host', name: each.machine.name })],
      })),
    ),
  );

/** Findings and evidence of several looks as those of one. */
export const together = (looks: readonly Look[]): { findings: StartFinding[]; evidence: string[] } => ({
  findings: looks.flatMap(({ findings = [] }) => findings),
  evidence: looks.flatMap(({ evidence = [] }) => evidence),
});
