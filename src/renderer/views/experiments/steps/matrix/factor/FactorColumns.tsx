import { Group, Radio } from '@mantine/core';
import { memo } from 'react';
import type { DocumentProblem, Experiment, Factor } from '../../../../../../shared/model/experiment.ts';
import type { ChangeCost } from '../../../../../../shared/model/factor.ts';
import { withTested } from '../../../document/document.ts';
import { moved, renamed, withBase, withFactor, withFactors, withLevel } from '../factors.ts';
import type { MatrixContext } from '../kinds.ts';
import { FactorColumn } from './FactorColumn.tsx';
import classes from './factor.module.css';

interface Properties {
  context: MatrixContext;
  problems: readonly DocumentProblem[];
  costOf(factor: Factor): ChangeCost | undefined;
  edit(change: (experiment: Experiment) => Experiment): void;
  /** Opens all fields of a factor in a side panel. */
  onOpen(index: number): void;
}

/** Every factor as a column of its levels, in document order: the last one varies fastest. */
export const FactorColumns = memo(function FactorColumns({ context, problems, costOf, edit, onOpen }: Properties) {
  const { factors } = context.experiment;
  return (
    <ol className={classes.columns} aria-label="Factors">
      {factors.map((factor, index) => (
        <FactorColumn
          // Names change while typing, indices do not.
          // biome-ignore lint/suspicious/noArrayIndexKey: a moved column keeps its open editors by its factor.
          key={`${factor.kind} ${index}`}
          context={context}
          factor={factor}
          problems={problems.filter(({ path }) => path === `factors.${index}` || path.startsWith(`factors.${index}.`))}
          cost={costOf(factor)}
          onChange={(next) => edit((now) => withFactor(now, index, next))}
          onLevel={(place, level) => edit((now) => withLevel(now, index, place, level))}
          onRename={(name) => edit((now) => renamed(now, index, name))}
          onBase={(level) => edit((now) => withBase(now, factor, level))}
          onTested={(tested) => edit((now) => withTested(now, tested ? factor.name : undefined))}
          onMove={(by) => edit((now) => withFactors(now, moved(now.factors, index, by)))}
          onRemove={() =>
            edit((now) =>
              withFactors(
                now,
                now.factors.filter((_, place) => place !== index),
              ),
            )
          }
          onOpen={() => onOpen(index)}
        />
      ))}
    </ol>
  );
});

interface TestedProperties {
  /** Possible factors under test. */
  names: readonly string[];
  chosen: string | undefined;
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** Selects which of several factors the results answer for. */
export const TestedChoice = ({ names, chosen, edit }: TestedProperties) => (
  <Radio.Group
    className={classes.tested ?? ''}
    data-open={chosen === undefined || undefined}
    label="Which factor is under test?"
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
