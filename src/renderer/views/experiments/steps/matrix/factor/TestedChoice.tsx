import { Group, Radio } from '@mantine/core';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import { withTested } from '../../../document/tested.ts';
import classes from './factor.module.css';

interface Properties {
  /** Possible factors under test. */
  names: readonly string[];
  chosen: string | undefined;
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** Selects which of several factors the results answer for. */
export const TestedChoice = ({ names, chosen, edit }: Properties) => (
  <Radio.Group
    className={classes.tested ?? ''}
    data-open={chosen === undefined || undefined}
    label="Which factor is the question about?"
    value={chosen ?? null}
    onChange={(name) => edit((now) => withTested(now, name))}
  >
    <Group gap="md">
      {names.map((name) => (
        <Radio key={name} value={name} label={name} size="xs" />
      ))}
    </Group>
  </Radio.Group>
);
