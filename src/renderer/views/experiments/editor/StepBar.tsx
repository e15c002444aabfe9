import { Button } from '@mantine/core';
import { IconCheck, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { DocumentProblem } from '../../../../shared/model/experiment.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import {
  type PreflightProperties,
  problemsOfStep,
  STEPS,
  type StepId,
  type StepProperties,
} from '../document/steps.ts';
import { MatrixStep } from '../steps/matrix/MatrixStep.tsx';
import { MeasureStep } from '../steps/measurement/MeasureStep.tsx';
import { ReviewStep } from '../steps/review/ReviewStep.tsx';
import { WhereStep } from '../steps/where/WhereStep.tsx';
import { WorkloadStep } from '../steps/workload/WorkloadStep.tsx';
import classes from './editor.module.css';

interface Properties {
  current: StepId;
  problems: readonly DocumentProblem[];
  /** Whether `problems` belongs to the current content. */
  checked: boolean;
  /** Number of figures typed on the current step that are invalid in the document. */
  invalid: number;
  hrefOf(step: StepId): string;
}

/** The five steps, each with a tick or its number of problems. */
export function StepBar({ current, problems, checked, invalid, hrefOf }: Properties) {
  return (
    <nav aria-label="Steps">
      <ol className={classes.steps}>
        {STEPS.map(({ id, title }, index) => {
          const open = problemsOfStep(problems, id).length + (id === current ? invalid : 0);
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

interface ContentProperties extends StepProperties {
  step: StepId;
  preflight: PreflightProperties;
  /** Called with the number of typed figures that are invalid in the document. */
  onInvalid(count: number): void;
}

export function StepContent({ step, preflight, onInvalid, ...properties }: ContentProperties) {
  switch (step) {
    case 'workload':
      return <WorkloadStep {...properties} />;
    case 'where':
      return <WhereStep {...properties} />;
    case 'matrix':
      return <MatrixStep {...properties} />;
    case 'measurement':
      return <MeasureStep {...properties} onInvalid={onInvalid} />;
    case 'review':
      return <ReviewStep {...properties} {...preflight} />;
  }
}

interface FooterProperties {
  /** Absent while the document is shown as text. */
  current: StepId | undefined;
  hrefOf(step: StepId): string;
  ready: boolean;
  openPoints: number;
  /** Number of preflight lines that block a start. */
  blocks: number;
  starting: boolean;
  onStart(): void;
}

export function Footer({ current, hrefOf, ready, openPoints, blocks, starting, onStart }: FooterProperties) {
  const place = STEPS.findIndex((step) => step.id === current);
  const back = STEPS[place - 1];
  const next = current === undefined ? undefined : STEPS[place + 1];
  return (
    <footer className={classes.footer}>
      {back && (
        <Button component={Link} href={hrefOf(back.id)} variant="default">
          Back
        </Button>
      )}
      <span className={classes.footerWords}>
        {openPoints > 0
          ? `${formatCount(openPoints, 'problem')} before this can start`
          : blocks > 0 && `${formatCount(blocks, 'check')} above must pass before this can start`}
      </span>
      <Button
        variant={next ? 'default' : 'filled'}
        leftSection={<IconPlayerPlay size={16} />}
        disabled={!ready}
        loading={starting}
        onClick={onStart}
      >
        Start
      </Button>
      {next && (
        <Button component={Link} href={hrefOf(next.id)}>
          Next: {next.title}
        </Button>
      )}
    </footer>
  );
}
