import { Pill, PillsInput, Select } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { Scalar } from '../../../../../shared/model/experiment.ts';
import { largerUnits } from '../../../../../shared/util/duration.ts';
import { formatCount, formatLevel } from '../../../../../shared/util/format.ts';
import type { Field } from '../../../../forms/index.ts';
import { MOST_LEVELS, readLevels } from './levels.ts';
import classes from './matrix.module.css';

interface Properties {
  name: string;
  field: Field | undefined;
  levels: Scalar[];
  onChange(levels: Scalar[]): void;
}

/** Levels as chips. A factor keeps at least one: to have none, remove the factor. */
export function LevelsInput({ name, field, levels, onChange }: Properties) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const without = (index: number): void => {
    if (levels.length > 1) onChange(levels.filter((_, place) => place !== index));
  };
  const take = (typed: string): void => {
    const read = readLevels(field, typed, levels);
    const room = MOST_LEVELS - levels.length;
    if (read.levels.length > 0) onChange([...levels, ...read.levels.slice(0, room)]);
    setText(read.rest);
    setProblem(read.levels.length > room ? `A factor has at most ${formatCount(MOST_LEVELS, 'level')}.` : read.problem);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    const divides = field?.shape.kind === 'number' && (event.key === ',' || event.key === ' ');
    if (event.key === 'Enter' || divides) {
      event.preventDefault();
      take(text);
    } else if (event.key === 'Backspace' && text === '') without(levels.length - 1);
  };
  const choices =
    field?.shape.kind === 'choice' ? field.shape.choices : field?.shape.kind === 'switch' ? [false, true] : undefined;
  return (
    <PillsInput error={problem} aria-label={`Levels of ${name}`}>
      <Pill.Group gap={4}>
        {levels.map((level, index) => (
          <Level
            key={String(level)}
            field={field}
            level={level}
            last={levels.length === 1}
            onRemove={() => without(index)}
          />
        ))}
        {choices ? (
          <ChoiceAdder
            name={name}
            choices={choices.filter((choice) => !levels.includes(choice))}
            onAdd={(choice) => onChange([...levels, choice])}
          />
        ) : (
          <PillsInput.Field
            aria-label={`Add a level to ${name}`}
            placeholder="add…"
            className={classes.levelField ?? ''}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(undefined);
            }}
            onKeyDown={key}
            onPaste={(event) => {
              event.preventDefault();
              take(text + event.clipboardData.getData('text'));
            }}
            onBlur={() => text.trim() !== '' && take(text)}
          />
        )}
      </Pill.Group>
    </PillsInput>
  );
}

interface LevelProperties {
  field: Field | undefined;
  level: Scalar;
  last: boolean;
  onRemove(): void;
}

/** A long time in larger units too: 300 (5 min). */
function timeWords(field: Field | undefined, level: Scalar): string {
  const unit = field?.shape.kind === 'number' ? field.shape.duration : undefined;
  const words = unit && typeof level === 'number' ? largerUnits(level, unit) : undefined;
  return words === undefined ? '' : ` (${words})`;
}

const Level = ({ field, level, last, onRemove }: LevelProperties) => (
  <Pill
    size="sm"
    className={classes.level ?? ''}
    withRemoveButton={!last}
    onRemove={onRemove}
    removeButtonProps={{
      'aria-hidden': false,
      'aria-label': `Remove level ${formatLevel(level)}`,
      tabIndex: 0,
    }}
  >
    {formatLevel(level) === '' ? '(empty)' : formatLevel(level)}
    {timeWords(field, level)}
  </Pill>
);

function ChoiceAdder({
  name,
  choices,
  onAdd,
}: {
  name: string;
  choices: readonly Scalar[];
  onAdd(choice: Scalar): void;
}) {
  if (choices.length === 0) return null;
  return (
    <Select
      aria-label={`Add a level to ${name}`}
      variant="unstyled"
      className={classes.choiceAdder ?? ''}
      placeholder="add…"
      rightSection={<span />}
      rightSectionWidth={0}
      value={null}
      searchable
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      data={choices.map((choice) => ({ value: String(choice), label: formatLevel(choice) }))}
      onChange={(text) => {
        const choice = choices.find((entry) => String(entry) === text);
        if (choice !== undefined) onAdd(choice);
      }}
    />
  );
}
