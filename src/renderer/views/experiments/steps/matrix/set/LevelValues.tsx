import { NumberInput, Switch, Text } from '@mantine/core';
import type { Factor } from '../../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../../shared/model/factor.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import { valuesInNames, withValues } from '../values.ts';
import classes from './set.module.css';

interface Properties {
  factor: Factor;
  onChange(factor: Factor): void;
}

/** Numbers of levels that are names: results then use a numeric axis. */
export function LevelValues({ factor, onChange }: Properties) {
  const { values } = factor;
  const levels = levelsOf(factor);
  return (
    <section className={classes.section} aria-label="Values of levels">
      <Switch
        label="Numeric axis"
        checked={values !== undefined}
        onChange={(event) =>
          onChange(withValues(factor, event.currentTarget.checked ? valuesInNames(levels) : undefined))
        }
      />
      <Text size="xs" c="dimmed">
        A number for each level, such as the GB of a volume. Results put levels in order of these numbers and draw them
        at their places along an axis.
      </Text>
      {values === undefined ? null : (
        <div className={classes.values}>
          {levels.map((level) => {
            const { [String(level)]: value, ...others } = values;
            return (
              <NumberInput
                key={String(level)}
                label={plainLevel(level)}
                aria-label={`Value of ${plainLevel(level)}`}
                value={value ?? ''}
                onChange={(next) =>
                  onChange(withValues(factor, typeof next === 'number' ? { ...values, [String(level)]: next } : others))
                }
              />
            );
          })}
        </div>
      )}
    </section>
  );
}
