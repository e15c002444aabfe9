import type { Finding } from '../model/finding.ts';
import { SEVERITIES } from '../model/finding.ts';
import { formatCount } from '../util/format.ts';
import { checkOf } from './registry.ts';

const NUMBER = /\d[\d.,]*/g;

/** The same for findings that say the same with other figures. */
const sentenceOf = ({ code, message }: Finding): string => `${code} ${message.replace(NUMBER, '#')}`;

/** What a check finds of the series of a run is one finding, whatever hosts and processes it names. */
const kindOf = (finding: Finding): string =>
  checkOf(finding.code)?.when === 'run' ? finding.code : sentenceOf(finding);

/** `same`: more runs in which it is the same. `others`: runs in which the check found it of something else. */
function alsoWords(same: number, others: number): string {
  const elsewhere = 'about other hosts, processes or devices';
  if (same > 0 && others > 0) return `Also in ${formatCount(same, 'more run')}, and in ${others} ${elsewhere}.`;
  if (others > 0) return `Also in ${formatCount(others, 'more run')}, ${elsewhere}.`;
  return same > 0 ? `Also in ${formatCount(same, 'more run')}.` : '';
}

/**
 * What was noticed about a session and in its runs, the gravest first. The same sentence stands once; of what several runs have in
 * common, the first one's words, and in how many more it is the same but for its figures, or of something else. What was expected before the start and then seen stands once.
 */
export function gatheredFindings(
  ofSession: readonly Finding[],
  all: readonly { findings: readonly Finding[]; excluded?: unknown }[],
): Finding[] {
  const runs = all.filter(({ excluded }) => !excluded);
  const told = new Set(runs.flatMap(({ findings }) => findings.flatMap(({ code }) => checkOf(code)?.replaces ?? [])));
  const left = ofSession.filter(({ code }) => !told.has(code));
  const sentences = new Map(left.map((finding) => [`${finding.code} ${finding.message}`, finding]));
  const kinds = new Map<string, { first: Finding; same: number; others: number }>();
  for (const { findings } of runs) {
    const firstOfRun = new Map([...findings].reverse().map((finding) => [kindOf(finding), finding]));
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
