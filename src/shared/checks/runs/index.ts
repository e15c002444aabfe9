import type { RunEvidence } from '../../analysis/index.ts';
import type { Bound } from '../../model/analysis.ts';
import type { Finding } from '../../model/finding.ts';
import { formatCount } from '../../util/format.ts';
import type { PlainCheck } from '../check.ts';
import { LIMIT_CHECKS, limitFindings } from './bound.ts';
import { COMPARED_CHECKS } from './compared.ts';
import { GENERATOR_CHECKS, generatorFindings } from './generators.ts';
import { LINK_CHECKS, linkFindings } from './links.ts';
import { CACHE_CHECKS, cacheFindings, MEMORY_CHECKS, memoryFindings } from './memory.ts';
import { PROCESSOR_CHECKS, processorFindings } from './processors.ts';
import { SERVER_WORK_CHECKS, serverWorkFindings } from './server-work.ts';
import { STORAGE_CHECKS, storageFindings } from './storage.ts';
import { TIMING_CHECKS, timingFindings } from './timing.ts';
import { WATCHING_CHECKS, watchingFindings } from './watching.ts';

export { type ComparedSide, comparedFindings } from './compared.ts';

/** Findings from the series of hosts and servers that question a run. `bound`: result of `boundOf` for the same evidence. */
export const runFindings = (evidence: RunEvidence, bound: Bound): Finding[] => joined(everyFinding(evidence, bound));

const everyFinding = (evidence: RunEvidence, bound: Bound): Finding[] => [
  ...limitFindings(bound, evidence.hosts),
  ...generatorFindings(evidence),
  ...linkFindings(evidence),
  ...processorFindings(evidence, bound),
  ...memoryFindings(evidence),
  ...cacheFindings(evidence),
  ...storageFindings(evidence),
  ...serverWorkFindings(evidence),
  ...timingFindings(evidence),
  ...watchingFindings(evidence),
];

/** Maximum sentences of one finding. */
const MOST_LISTED = 3;

/** The same finding on several hosts or devices is one finding with a sentence for each. */
function joined(findings: readonly Finding[]): Finding[] {
  const codes = new Set(findings.map(({ code }) => code));
  return [...codes].flatMap((code) => {
    const same = findings.filter((each) => each.code === code);
    const [first] = same;
    if (!first) return [];
    const more = same.length > MOST_LISTED ? [`The same on ${formatCount(same.length - MOST_LISTED, 'other')}.`] : [];
    const evidence = [...new Set(same.flatMap((each) => each.evidence ?? []))];
    return {
      ...first,
      message: [...same.slice(0, MOST_LISTED).map(({ message }) => message), ...more].join(' '),
      ...(evidence.length > 0 && { evidence: evidence.join(', ') }),
    };
  });
}

export const RUN_CHECKS: readonly PlainCheck[] = [
  ...LIMIT_CHECKS,
  ...GENERATOR_CHECKS,
  ...LINK_CHECKS,
  ...PROCESSOR_CHECKS,
  ...MEMORY_CHECKS,
  ...CACHE_CHECKS,
  ...STORAGE_CHECKS,
  ...SERVER_WORK_CHECKS,
  ...TIMING_CHECKS,
  ...WATCHING_CHECKS,
  ...COMPARED_CHECKS,
];
