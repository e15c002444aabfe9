import { Chip, Popover, Stack, Text } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { conditionsOf, sameLevel } from '../../../../../../shared/model/cells.ts';
import type { Factor } from '../../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../../shared/model/factor.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import { withCondition } from '../factors.ts';
import classes from './factor.module.css';

interface Properties {
  factor: Factor;
  factors: readonly Factor[];
  onChange(factor: Factor): void;
}

/** Levels of other factors that this one requires, selected by clicking them. */
export function Condition({ factor, factors, onChange }: Properties) {
  const [opened, setOpened] = useState(false);
  const conditions = conditionsOf(factor);
  const words = conditions.map(([name, levels]) => `${name} = ${levels.map(plainLevel).join(' or ')}`).join(', ');
  const said = words === '' ? 'in every cell' : `only where ${words}`;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" width={300} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.condition}
          data-set={conditions.length > 0 || undefined}
          aria-label={`Condition of ${factor.name}: ${said}`}
          onClick={() => setOpened(!opened)}
        >
          <IconFilter size={12} stroke={1.8} aria-hidden="true" />
          {said}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Condition of ${factor.name}`}>
        <Stack gap="sm">
          <Text size="sm">
            <b>{factor.name}</b> is varied only with these levels. None chosen: in every cell.
          </Text>
          {factors
            .filter(({ name }) => name !== factor.name)
            .map((other) => (
              <fieldset key={other.name} aria-label={other.name} className={classes.levelsOfOther}>
                <span className="kp-small">{other.name}</span>
                {levelsOf(other).map((level) => (
                  <Chip
                    key={String(level)}
                    size="xs"
                    checked={conditions.some(
                      ([name, levels]) => name === other.name && levels.some((each) => sameLevel(each, level)),
                    )}
                    onChange={() => onChange(withCondition(factor, other.name, level))}
                  >
                    {plainLevel(level) || '(empty)'}
                  </Chip>
                ))}
              </fieldset>
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
