import { type Finding, SEVERITIES } from '../model/finding.ts';
import { formatCount } from '../util/format.ts';
import { checkOf } from './registry.ts';

const NUMBER = /\d[\d.,]*/g;

/** Equal for findings that differ in their figures only. */
const sentenceOf = ({ code, message }: Finding): string => `${code} ${message.replace(NUMBER, '#')}`;

/** All findings of one check about the series of a run are one, whatever hosts and processes they name. */
const kindOf = (finding: Finding): string =>
  checkOf(finding.code)?.when === 'run' ? finding.code : sentenceOf(finding);

/** `same`: additional runs with the same finding. `others`: runs in which the check found it for something else. */
function alsoWords(same: number, others: number): string {
  const elsewhere = 'about other hosts, processes or devices';
  if (same > 0 && others > 0) return `Also in ${formatCount(same, 'more run')}, and in ${others} ${elsewhere}.`;
  if (others > 0) return `Also in ${formatCount(others, 'more run')}, ${elsewhere}.`;
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
