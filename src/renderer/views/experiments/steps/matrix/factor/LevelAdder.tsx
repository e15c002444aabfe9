import { Button, Select, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type FactorKindInfo, levelsOf } from '../../../../../../shared/model/factor.ts';
import { LOCAL_HOST_NAME } from '../../../../../../shared/model/host.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import { FolderPicker } from '../../../../../domain/index.ts';
import { levelField, levelsAre, type MatrixContext } from '../kinds.ts';
import { readLevels, withMore } from '../levels.ts';
import { nextLevel } from '../newFactor.ts';
import classes from './factor.module.css';
import { LevelHelpers } from './LevelHelpers.tsx';

interface Properties {
  context: MatrixContext;
  factor: Factor;
  info: FactorKindInfo | undefined;
  onChange(factor: Factor): void;
  onOpen(): void;
}

/** Below the levels: adds one level as its kind requires, or many at once. */
export function LevelAdder({ context, factor, info, onChange, onOpen }: Properties) {
  const are = levelsAre(info);
  if (are === 'named' || (are === 'either' && factor.kind !== 'generators' && factor.levels.some(isNamed))) {
    return (
      <div className={classes.adder}>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          aria-label={`Add a level to ${factor.name}`}
          onClick={() => {
            onChange({ ...factor, levels: [...factor.levels, nextLevel(factor)] });
            onOpen();
          }}
        >
          Add a level
        </Button>
      </div>
    );
  }
  const field = levelField(factor, context);
  const levels = levelsOf(factor);
  const add = (more: readonly Scalar[]): void => onChange({ ...factor, levels: withMore(factor.levels, more) });
  const choices = choicesOf(factor, context)?.filter(
    (choice) => !levels.some((level) => String(level) === String(choice)),
  );
  return (
    <div className={classes.adder}>
      {choices ? (
        <ChoiceAdder name={factor.name} choices={choices} onAdd={(choice) => add([choice])} />
      ) : (
        <TypedAdder factor={factor} context={context} onAdd={add} />
      )}
      {field?.folder ? (
        <FolderPicker
          floating
          host={context.experiment.where.generators[0] ?? LOCAL_HOST_NAME}
          value={String(levels.at(-1) ?? '')}
          onChoose={(path) => !levels.includes(path) && add([path])}
        />
      ) : null}
      <LevelHelpers
        name={factor.name}
        field={field}
        levels={levels}
        cpus={context.cpus}
        onChange={(next) => onChange({ ...factor, levels: [...next] })}
      />
    </div>
  );
}

const isNamed = (level: Factor['levels'][number]): boolean => typeof level === 'object';

/** Levels to choose from; undefined: they are typed. */
function choicesOf(factor: Factor, context: MatrixContext): readonly Scalar[] | undefined {
  if (factor.kind === 'generators') {
    const counts = context.experiment.where.generators.map((_, index) => index + 1);
    return [...counts, ...context.hosts.map(({ spec }) => spec.name)];
  }
  const shape = levelField(factor, context)?.shape;
  return shape?.kind === 'choice' ? shape.choices : shape?.kind === 'switch' ? [false, true] : undefined;
}

function TypedAdder({
  factor,
  context,
  onAdd,
}: {
  factor: Factor;
  context: MatrixContext;
  onAdd(levels: Scalar[]): void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = levelField(factor, context);
  const take = (typed: string): void => {
    const read = readLevels(field, typed, levelsOf(factor));
    if (read.levels.length > 0) onAdd(read.levels);
    setText(read.rest);
    setProblem(read.problem);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    const divides = field?.shape.kind === 'number' && event.key === ',';
    if (event.key !== 'Enter' && !divides) return;
    event.preventDefault();
    take(text);
  };
  return (
    <TextInput
      className={classes.typed ?? ''}
      aria-label={`Add a level to ${factor.name}`}
      placeholder={field?.shape.kind === 'number' ? '8, or 1..64 doubling' : 'Add a level'}
      value={text}
      error={problem}
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
  );
}

const ChoiceAdder = ({
  name,
  choices,
  onAdd,
}: {
  name: string;
  choices: readonly Scalar[];
  onAdd(choice: Scalar): void;
}) => (
  <Select
    className={classes.typed ?? ''}
    aria-label={`Add a level to ${name}`}
    placeholder={choices.length === 0 ? 'All values are levels' : 'Add a level'}
    disabled={choices.length === 0}
    value={null}
    searchable={choices.length > 6}
    comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    data={choices.map((choice) => ({ value: String(choice), label: plainLevel(choice) }))}
    onChange={(text) => {
      const choice = choices.find((entry) => String(entry) === text);
      if (choice !== undefined) onAdd(choice);
    }}
  />
);
