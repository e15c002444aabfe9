import { IconAlertTriangle, IconCircleX, IconInfoCircle, IconLoader2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Colours with a meaning; `busy` is work in progress, `idle` is neutral. */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'idle';

interface StatusProperties {
  tone: Tone;
  children: ReactNode;
  title?: string;
}

/** A dot and a word: colour is never the only signal. */
export const Status = ({ tone, children, title }: StatusProperties) => (
  <span className="kp-status" title={title}>
    <span className="kp-dot" data-tone={tone} aria-hidden="true" />
    {children}
  </span>
);

const ICONS = {
  ok: IconInfoCircle,
  busy: IconLoader2,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  idle: IconInfoCircle,
};

/** An error for users: compatible with the app's problems and findings. */
export interface ProblemWords {
  message: string;
  safe?: string | undefined;
  next?: string | undefined;
  code?: string | undefined;
  evidence?: string | undefined;
}

interface BannerProperties {
  problem: ProblemWords;
  tone?: Tone;
  actions?: ReactNode;
}

/** Shows what happened, what is safe, and what to do next; the code can be copied. */
export function ProblemBanner({ problem, tone = 'bad', actions }: BannerProperties) {
  const Icon = ICONS[tone];
  return (
    <div className="kp-problem" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={18} color={`var(--kp-${tone})`} aria-hidden="true" />
      <div className="kp-problem-words">
        <p>{problem.message}</p>
        <MoreWords {...problem} />
      </div>
      <div>{actions}</div>
    </div>
  );
}

function MoreWords({ safe, next, evidence, code }: ProblemWords) {
  const rest = [safe, next].filter(Boolean).join(' ');
  return (
    <>
      {rest ? <p>{rest}</p> : null}
      {evidence ? <p className="kp-mono kp-dim kp-evidence">{evidence}</p> : null}
      {code ? <p className="kp-small">{code}</p> : null}
    </>
  );
}

/** One of many, as a row of at most two lines that a click opens: a list of them leaves room for their subject. */
export function FoldedProblem({ problem, tone = 'bad', actions }: BannerProperties) {
  const Icon = ICONS[tone];
  return (
    <details className="kp-problem-row">
      <summary>
        <Icon size={16} color={`var(--kp-${tone})`} aria-hidden="true" />
        <span>{problem.message}</span>
      </summary>
      <div className="kp-problem-words">
        <MoreWords {...problem} />
        {actions}
      </div>
    </details>
  );
}
