import { ActionIcon, Chip, Menu, Popover, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import {
  IconArrowLeft,
  IconArrowRight,
  IconBolt,
  IconDatabaseImport,
  IconDots,
  IconFilter,
  IconPencil,
  IconPower,
  IconRefresh,
  IconTarget,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { baseLevelOf, conditionsOf, sameLevel } from '../../../../../../shared/model/cells.ts';
import type { DocumentProblem, Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type ChangeCost, type Level, levelsOf } from '../../../../../../shared/model/factor.ts';
import { formatCount, formatDuration, plainLevel } from '../../../../../../shared/util/format.ts';
import { withBaseline, withCondition } from '../factors.ts';
import { COST_WORDS, levelField, levelsAre, type MatrixContext, variedWords } from '../kinds.ts';
import classes from './factor.module.css';
import { LevelAdder } from './LevelAdder.tsx';
import { LevelList } from './LevelList.tsx';

interface Properties {
  context: MatrixContext;
  factor: Factor;
  problems: readonly DocumentProblem[];
  cost: ChangeCost | undefined;
  onChange(factor: Factor): void;
  onLevel(place: number, level: Level): void;
  onRename(name: string): void;
  onBase(level: Scalar): void;
  /** Sets or unsets this factor as the one under test. */
  onTested(tested: boolean): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
  onOpen(): void;
}

/** One factor: its name, what it varies, the cost of a change, and its levels below. */
export function FactorColumn(properties: Properties) {
  const { context, factor, problems, cost, onChange, onLevel, onBase, onOpen } = properties;
  const info = context.kinds.find(({ kind }) => kind === factor.kind);
  const { design, base, factors } = context.experiment;
  const varied = variedWords(factor, context.options);
  const words = varied || formatCount(factor.levels.length, 'level');
  return (
    <li className={classes.column} aria-label={`Factor ${factor.name}`}>
      <div className={classes.head}>
        <div className={classes.headLine}>
          <FactorName key={factor.name} factor={factor} onRename={properties.onRename} />
          <FactorMenu {...properties} count={factors.length} />
        </div>
        <div className={classes.headLine}>
          <span className={classes.kindName}>
            {info?.title ?? factor.kind}
            {factor.tested ? ', under test' : ''}
            {factor.pause === undefined ? '' : `, pause ${formatDuration(factor.pause)}`}
          </span>
          {cost && <CostMark cost={cost} />}
        </div>
        <button
          type="button"
          className={classes.kind}
          aria-label={`Edit ${factor.name}: ${words}`}
          title={words}
          onClick={onOpen}
        >
          {words}
        </button>
        {factors.length > 1 && <Condition factor={factor} factors={factors} onChange={onChange} />}
        {problems.length > 0 && (
          <Text role="alert" className={classes.problem ?? ''}>
            {problems[0]?.message}
          </Text>
        )}
      </div>
      <LevelList
        factor={factor}
        field={levelField(factor, context)}
        wrong={problems.flatMap(({ path }) => /^factors\.\d+\.levels\.(\d+)/.exec(path)?.[1] ?? []).map(Number)}
        base={design === 'one-at-a-time' ? baseLevelOf(factor, base) : undefined}
        onChange={(levels) => onChange({ ...factor, levels })}
        onLevel={onLevel}
        onBase={onBase}
        onBaseline={(baseline) => onChange(withBaseline(factor, baseline))}
        onOpen={levelsAre(info) === 'plain' ? undefined : onOpen}
      />
      <LevelAdder context={context} factor={factor} info={info} onChange={onChange} onOpen={onOpen} />
    </li>
  );
}

const FactorMenu = ({ context, factor, count, onTested, onMove, onRemove, onOpen }: Properties & { count: number }) => {
  const place = context.experiment.factors.indexOf(factor);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon aria-label={`Change factor ${factor.name}`}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={onOpen}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconTarget size={14} />} onClick={() => onTested(!factor.tested)}>
          {factor.tested ? 'Not the factor under test' : 'Factor under test'}
          <div className="kp-small">
            {factor.tested
              ? 'The factor under test is then chosen in the results'
              : 'Results begin with the effect of this factor'}
          </div>
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowLeft size={14} />} disabled={place <= 0} onClick={() => onMove(-1)}>
          Move left
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowRight size={14} />} disabled={place >= count - 1} onClick={() => onMove(1)}>
          Move right
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={14} />} onClick={onRemove}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** The name is applied when the field is left: otherwise, every key would rename it in exclusions. */
function FactorName({ factor, onRename }: { factor: Factor; onRename(name: string): void }) {
  const [draft, setDraft] = useState(factor.name);
  const commit = (): void => {
    const name = draft.trim();
    if (name === '') setDraft(factor.name);
    else if (name !== factor.name) onRename(name);
  };
  return (
    <TextInput
      className={classes.name ?? ''}
      variant="unstyled"
      aria-label={`Name of factor ${factor.name}`}
      title={`${factor.name}: name in tables and charts`}
      maxLength={80}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

const ICONS = { live: IconBolt, reload: IconRefresh, restart: IconPower, load: IconDatabaseImport };

/** Cost of a change of level, in a word. Most factors have none, and no mark. */
function CostMark({ cost }: { cost: ChangeCost }) {
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

interface ConditionProperties {
  factor: Factor;
  factors: readonly Factor[];
  onChange(factor: Factor): void;
}

/** Levels of other factors that this one requires, selected by clicking them. */
function Condition({ factor, factors, onChange }: ConditionProperties) {
  const [opened, setOpened] = useState(false);
  const conditions = conditionsOf(factor);
  const words = conditions.map(([name, levels]) => `${name} = ${levels.map(plainLevel).join(' or ')}`).join(', ');
  const text = words === '' ? 'in every cell' : `only where ${words}`;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" width={300} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.condition}
          data-set={conditions.length > 0 || undefined}
          aria-label={`Condition of ${factor.name}: ${text}`}
          onClick={() => setOpened(!opened)}
        >
          <IconFilter size={12} stroke={1.8} aria-hidden="true" />
          {text}
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
