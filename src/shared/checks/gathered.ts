import type { Finding } from '../model/finding.ts';
import { formatCount } from '../util/format.ts';
import { checkOf } from './registry.ts';

const ORDER = ['block', 'error', 'warn', 'note'] as const;
const NUMBER = /\d[\d.,]*/g;

/** The same for findings that say the same with other figures. What a check finds on other hosts, or of other processes, is the same too. */
const kindOf = ({ code, message }: Finding): string =>
  checkOf(code)?.when === 'run' ? code : `${code} ${message.replace(NUMBER, '#')}`;

/**
 * What was noticed about a session and in its runs, the gravest first. The same sentence stands once; of what several runs have in
 * common but for its figures, the first one's words and in how many more it is. What was expected before the start and then seen stands once.
 */
export function gatheredFindings(
  ofSession: readonly Finding[],
  runs: readonly { findings: readonly Finding[] }[],
): Finding[] {
  const told = new Set(runs.flatMap(({ findings }) => findings.flatMap(({ code }) => checkOf(code)?.replaces ?? [])));
  const left = ofSession.filter(({ code }) => !told.has(code));
  const sentences = new Map(left.map((finding) => [`${finding.code} ${finding.message}`, finding]));
  const kinds = new Map<string, { first: Finding; runs: number }>();
  for (const { findings } of runs) {
    const firstOfRun = new Map([...findings].reverse().map((finding) => [kindOf(finding), finding]));
    for (const [kind, finding] of firstOfRun) {
      const known = kinds.get(kind);
      if (known) known.runs += 1;
      else kinds.set(kind, { first: finding, runs: 1 });
    }
  }
  const ofRuns = [...kinds.values()].map(({ first, runs: count }) =>
    count === 1 ? first : { ...first, message: `${first.message} Also in ${formatCount(count - 1, 'more run')}.` },
  );
  return [...ofRuns, ...sentences.values()].sort(
    (one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity),
  );
}
