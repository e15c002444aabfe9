import { IconCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { DocumentProblem } from '../../../../shared/model/experiment.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { problemsOfStep, STEPS, type StepId } from '../document/steps.ts';
import classes from './editor.module.css';

interface Properties {
  current: StepId;
  problems: readonly DocumentProblem[];
  /** Whether `problems` belongs to the current content. */
  checked: boolean;
  /** Number of figures typed on the current step that are invalid in the document. */
  unfit: number;
  hrefOf(step: StepId): string;
}

/** The five steps, each with a tick or its number of problems. */
export function StepBar({ current, problems, checked, unfit, hrefOf }: Properties) {
  return (
    <nav aria-label="Steps">
      <ol className={classes.steps}>
        {STEPS.map(({ id, title }, index) => {
          const open = problemsOfStep(problems, id).length + (id === current ? unfit : 0);
          return (
            <li key={id}>
              <Link href={hrefOf(id)} aria-current={id === current ? 'step' : undefined}>
                <span
                  className={classes.mark}
                  data-open={open > 0 || undefined}
                  data-done={(open === 0 && checked && id !== 'review') || undefined}
                >
                  {open > 0 ? open : checked && id !== 'review' ? <IconCheck size={13} stroke={2.4} /> : index + 1}
                </span>
                {title}
                {open > 0 && <span className="kp-visually-hidden">{formatCount(open, 'problem')}</span>}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
