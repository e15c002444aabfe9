import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Finding } from '../../shared/model/finding.ts';
import { SEVERITIES } from '../../shared/model/finding.ts';
import { formatCount } from '../../shared/util/format.ts';
import { FoldedProblem, ProblemBanner, type Tone } from '../ui/index.ts';

const TONES: Readonly<Record<Finding['severity'], Tone>> = { block: 'bad', error: 'bad', warn: 'warn', note: 'idle' };

interface Properties {
  findings: readonly Finding[];
  /** Beside each other where there is room: several have to leave what they are about in sight. */
  beside?: boolean;
  /** Warnings and notes as rows that open, many notes behind one row; what makes a run no result stays open. */
  folded?: boolean;
  /** What a person can do about one. */
  actions?: (finding: Finding) => ReactNode;
}

/** What was noticed, the gravest first. */
export function FindingsList({ findings, beside = false, folded = false, actions }: Properties) {
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
        ...(beside && { gridTemplateColumns: 'repeat(auto-fit, minmax(min(460px, 100%), 1fr))' }),
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

/** Fewer are shown as they are. */
const MOST_NOTES = 2;
