import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'wouter';
import { formatCount } from '../../../../shared/util/format.ts';
import { STEPS, type StepId } from '../document/steps.ts';
import classes from './editor.module.css';

interface Properties {
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

export function Footer({ current, hrefOf, ready, openPoints, blocks, starting, onStart }: Properties) {
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
      {next && (
        <Button component={Link} href={hrefOf(next.id)} variant="default">
          Next: {next.title}
        </Button>
      )}
      <span className={classes.footerWords}>
        {openPoints > 0
          ? `${formatCount(openPoints, 'problem')} before this can start`
          : blocks > 0 && `${formatCount(blocks, 'check')} above must pass before this can start`}
      </span>
      <Button leftSection={<IconPlayerPlay size={16} />} disabled={!ready} loading={starting} onClick={onStart}>
        Start
      </Button>
    </footer>
  );
}
