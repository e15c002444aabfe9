import { Tooltip } from '@mantine/core';
import { IconBolt, IconDatabaseImport, IconPower, IconRefresh } from '@tabler/icons-react';
import type { ChangeCost } from '../../../../../../shared/model/factor.ts';
import { COST_WORDS } from '../kinds.ts';
import classes from './factor.module.css';

const ICONS = { live: IconBolt, reload: IconRefresh, restart: IconPower, load: IconDatabaseImport };

/** What a change of level takes, in a word. What takes nothing has no mark: most factors do. */
export function CostMark({ cost }: { cost: ChangeCost }) {
  if (cost === 'none') return null;
  const Icon = ICONS[cost];
  return (
    <Tooltip label={COST_WORDS[cost]} multiline w={260}>
      <span className={classes.cost} data-cost={cost}>
        <Icon size={12} stroke={2} aria-hidden="true" />
        {cost}
      </span>
    </Tooltip>
  );
}
