import { Select, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Factor, Scalar } from '../../../../../shared/model/experiment.ts';
import { levelsOf, optionOf } from '../../../../../shared/model/factor.ts';
import { type Field, readText, shapeProblem } from '../../../../forms/index.ts';
import { IconAction } from '../../../../ui/index.ts';
import { LevelHelpers } from './LevelHelpers.tsx';
import { LevelsInput } from './LevelsInput.tsx';
import { firstLevels } from './levels.ts';
import classes from './matrix.module.css';

interface Properties {
  factor: Factor;
  /** Absent when the tool has no such option. */
  field: Field | undefined;
  options: readonly Field[];
  problem: string | undefined;
  first: boolean;
  last: boolean;
  onChange(factor: Factor): void;
  onRename(name: string): void;
  onMove(by: -1 | 1): void;
  onRemove(): void;
}

/** One factor: option, name in tables and charts, levels. */
export function FactorRow({
  factor,
  field,
  options,
  problem,
  first,
  last,
  onChange,
  onRename,
  onMove,
  onRemove,
}: Properties) {
  const setLevels = (levels: Scalar[]): void => onChange({ ...factor, levels });
  const setOption = (name: string | null): void => {
    const next = options.find((option) => option.name === name);
    if (!next || next === field) return;
    onChange(withOption(factor, next));
  };
  return (
    <li className={classes.factor} aria-label={`Factor ${factor.name}`}>
      <div className={classes.factorHead}>
        <Select
          aria-label={`Option of factor ${factor.name}`}
          searchable
          allowDeselect={false}
          data={options.map((option) => ({ value: option.name, label: option.title }))}
          value={field?.name ?? null}
          placeholder={optionOf(factor)}
          error={field === undefined}
          onChange={setOption}
        />
        <FactorName key={factor.name} factor={factor} onRename={onRename} />
      </div>
      <div>
        <LevelsInput name={factor.name} field={field} levels={levelsOf(factor)} onChange={setLevels} />
        {problem && (
          <p role="alert" className={classes.levelProblem}>
            {problem}
          </p>
        )}
      </div>
      <div className={classes.factorActions}>
        <LevelHelpers field={field} levels={levelsOf(factor)} onChange={setLevels} />
        <IconAction label={`Move ${factor.name} up`} disabled={first} onClick={() => onMove(-1)}>
          <IconArrowUp size={16} stroke={1.6} />
        </IconAction>
        <IconAction label={`Move ${factor.name} down`} disabled={last} onClick={() => onMove(1)}>
          <IconArrowDown size={16} stroke={1.6} />
        </IconAction>
        <IconAction label={`Remove ${factor.name}`} onClick={onRemove}>
          <IconTrash size={16} stroke={1.6} />
        </IconAction>
      </div>
    </li>
  );
}

/** Levels that fit the option are kept, in its own shape. */
function withOption(factor: Factor, next: Field): Factor {
  const levels = levelsOf(factor);
  const kept = levels.every((level) => shapeProblem(next.shape, readText(next.shape, String(level))) === undefined);
  return {
    name: next.name,
    kind: 'option',
    levels: kept ? levels.map((level) => readText(next.shape, String(level))) : firstLevels(next, next.default),
  };
}

/** The name is taken over when the field is left: half a name would rename what is excluded with every key. */
function FactorName({ factor, onRename }: { factor: Factor; onRename(name: string): void }) {
  const [draft, setDraft] = useState(factor.name);
  const commit = (): void => {
    const name = draft.trim();
    if (name === '') setDraft(factor.name);
    else if (name !== factor.name) onRename(name);
  };
  return (
    <TextInput
      aria-label={`Name of factor ${factor.name}`}
      title="Name in tables and charts"
      maxLength={80}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
