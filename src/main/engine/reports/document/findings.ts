import { gatheredFindings } from '../../../../shared/checks/index.ts';
import { damageWords } from '../../../../shared/model/damage.ts';
import { type Finding, SEVERITIES, severityWords } from '../../../../shared/model/finding.ts';
import { trendFindings } from '../../../../shared/stats/index.ts';
import { capital, formatCount, formatLevels } from '../../../../shared/util/format.ts';
import type { ReportData } from '../data.ts';
import { heading, list, type Part } from './parts.ts';

/** The parts of a session that its findings need. `results`: the primary metric first. */
export type Examined = Pick<ReportData, 'detail' | 'runs' | 'results' | 'damage'>;

export const hostWords = ({ name, facts: host }: ReportData['detail']['hosts'][number]): string =>
  host ? `${name} (${host.os}, kernel ${host.kernel}, ${formatCount(host.cpuCount, 'CPU')})` : name;

export const findingWords = ({ message, next }: Finding): string => `${message} ${next ?? ''}`.trim();

interface Found {
  readonly severity: Finding['severity'];
  readonly words: string;
}

/** Findings of the session as a whole, of its figures and of its runs. */
export function findingsOf(data: Examined): Found[] {
  const failed = data.runs.filter((run) => run.partial && run.state !== 'skipped' && !run.excluded);
  return [
    ...data.damage.map(
      (entry): Found => ({
        severity: 'error',
        words: `${damageWords(entry)} No figure here is computed from it.`,
      }),
    ),
    ...[
      ...gatheredFindings([...data.detail.findings, ...(data.results[0]?.findings ?? [])], data.runs),
      ...data.results.slice(0, 1).flatMap((result) => trendFindings(result, data.detail.session.name)),
    ].map((finding): Found => ({ severity: finding.severity, words: findingWords(finding) })),
    ...failed.map(
      (run): Found => ({
        severity: 'error',
        words: `Trial ${run.trial + 1} (${formatLevels(run.levels)}) ${run.state}: ${run.message ?? 'partial'}`,
      }),
    ),
  ];
}

/** By severity, most severe first. */
export function findingsPart(found: readonly Found[], title = 'Findings'): Part[] {
  const groups = SEVERITIES.flatMap((severity) => {
    const own = found.filter((each) => each.severity === severity);
    return own.length > 0 ? [heading(capital(severityWords(own)), 3), ...list(own.map((each) => each.words))] : [];
  });
  return groups.length > 0 ? [heading(title), ...groups] : [];
}
