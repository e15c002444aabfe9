import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Finding, SEVERITIES } from '../../shared/model/finding.ts';
import { formatCount } from '../../shared/util/format.ts';
import { FoldedProblem, ProblemBanner, type Tone } from '../ui/index.ts';

const TONES: Readonly<Record<Finding['severity'], Tone>> = { block: 'bad', error: 'bad', warn: 'warn', note: 'idle' };

interface Properties {
  findings: readonly Finding[];
  /** In columns if there is room: several findings must not hide their subject. */
  inColumns?: boolean;
  /** Warnings and notes as rows that open, many notes in a single row; findings that make a run no result stay open. */
  folded?: boolean;
  /** Actions for a finding. */
  actions?: (finding: Finding) => ReactNode;
}

/** Findings, the most severe first. */
export function FindingsList({ findings, inColumns = false, folded = false, actions }: Properties) {
  const sorted = [...findings].sort(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
  const notes = sorted.filter(({ severity }) => severity === 'note');
  const rest = folded && notes.length > MOST_NOTES ? notes : [];
  const open = sorted.filter((finding) => !rest.includes(finding));
  const row = (finding: Finding): ReactNode => {
    const Shown = folded && TONES[finding.severity] !== 'bad' ? FoldedProblem : ProblemBanner;
    return (
      <Shown
        key={`${finding.code} ${finding.message}`}
        tone={TONES[finding.severity]}
        problem={finding}
        actions={actions?.(finding)}
      />
    );
  };
  return (
    <div
      style={{
        ...{ display: 'grid', gap: folded ? 0 : 8 },
        ...(inColumns && { gridTemplateColumns: 'repeat(auto-fit, minmax(min(460px, 100%), 1fr))' }),
      }}
    >
      {open.map(row)}
      {rest.length > 0 ? (
        <details className="kp-problem-row">
          <summary>
            <IconInfoCircle size={16} color="var(--kp-idle)" aria-hidden="true" />
            <span>{formatCount(rest.length, 'note')}</span>
          </summary>
          <div className="kp-problem-notes">{rest.map(row)}</div>
        </details>
      ) : null}
    </div>
  );
}

/** Fewer are shown directly. */
const MOST_NOTES = 2;
