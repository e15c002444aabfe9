import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconInfoCircle,
  IconLoader2,
} from '@tabler/icons-react';
import type { PreflightLine } from '../../../../../shared/contract/experiments.ts';
import { TypedConfirmation } from '../../../../ui/index.ts';
import classes from './review.module.css';

const LOOKS: Readonly<Record<PreflightLine['state'], { icon: typeof IconCircleCheck; colour: string; words: string }>> =
  {
    waiting: { icon: IconCircleDashed, colour: 'var(--kp-text-3)', words: 'waiting' },
    running: { icon: IconLoader2, colour: 'var(--kp-busy)', words: 'running' },
    ok: { icon: IconCircleCheck, colour: 'var(--kp-ok)', words: 'OK' },
    note: { icon: IconInfoCircle, colour: 'var(--kp-text-2)', words: 'note' },
    warn: { icon: IconAlertTriangle, colour: 'var(--kp-warn)', words: 'warning' },
    block: { icon: IconCircleX, colour: 'var(--kp-bad)', words: 'cannot start' },
  };

/** Called with what a person typed to let a line through. */
type Confirm = (phrase: string) => void;

/** What was looked at before a start, each with its state and what to do about it. */
export const PreflightList = ({ lines, onConfirm }: { lines: readonly PreflightLine[]; onConfirm: Confirm }) => (
  <ol className={classes.preflight} aria-live="polite">
    {lines.map((line) => (
      <Line key={line.id} line={line} onConfirm={onConfirm} />
    ))}
  </ol>
);

function Line({ line, onConfirm }: { line: PreflightLine; onConfirm: Confirm }) {
  const { icon: Icon, colour, words } = LOOKS[line.state];
  const { finding, confirm } = line;
  return (
    <li data-state={line.state}>
      <Icon
        size={18}
        color={colour}
        stroke={1.8}
        aria-hidden="true"
        data-turning={line.state === 'running' || undefined}
      />
      <div>
        <strong>{line.title}</strong>
        {finding && <span>{finding.message}</span>}
        {line.evidence && <span>{line.evidence}</span>}
        {finding?.evidence && <code>{finding.evidence}</code>}
        {confirm === undefined ? (
          finding?.next && <em>{finding.next}</em>
        ) : (
          <TypedConfirmation phrase={confirm} onConfirm={onConfirm} />
        )}
      </div>
      <span className={classes.preflightState}>{words}</span>
    </li>
  );
}
