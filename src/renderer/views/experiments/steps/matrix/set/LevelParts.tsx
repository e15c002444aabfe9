import { Button, CloseButton, Group, MultiSelect, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Experiment, Factor } from '../../../../../../shared/model/experiment.ts';
import { type FactorKindInfo, type Level, levelName } from '../../../../../../shared/model/factor.ts';
import { formatCount, plainLevel } from '../../../../../../shared/util/format.ts';
import { renamed, withFactor, withLevel } from '../factors.ts';
import { type LevelPart, type MatrixContext, namesOfSets } from '../kinds.ts';
import { nextLevel } from '../newFactor.ts';
import { factorName } from './convert.ts';
import { SetTable } from './SetTable.tsx';
import classes from './set.module.css';
import { LevelName, TextArea, Texts } from './Texts.tsx';

interface Properties {
  context: MatrixContext;
  factor: Factor;
  info: FactorKindInfo;
  parts: readonly LevelPart[];
  index: number;
  edit(change: (experiment: Experiment) => Experiment): void;
}

type Named = Extract<Level, object>;
const isNamed = (level: Level): level is Named => typeof level === 'object';

/** Settings of the named levels of a factor: a table of settings by level, and below it the other fields of each level. */
export function LevelParts(properties: Properties) {
  const { context, factor, info, parts, index, edit } = properties;
  const setLevel = (place: number, level: Level): void => edit((now) => withLevel(now, index, place, level));
  const tables = parts.filter(({ is }) => is === 'set');
  const others = parts.filter(({ is }) => is !== 'set');
  const [table] = tables;
  const setLevels = (levels: readonly Level[]): void =>
    edit((now) => {
      const next =
        levels.length === factor.levels.length
          ? levels.reduce<Experiment>((document, level, place) => withLevel(document, index, place, level), now)
          : withFactor(now, index, { ...factor, levels: [...levels] });
      const taken = now.factors.flatMap(({ name }, at) => (at === index ? [] : [name]));
      const names = [namesOfSets(factor, table?.name), namesOfSets({ levels: [...levels] }, table?.name)] as const;
      const otherwise = info.kind.endsWith('setting') ? 'settings' : info.kind;
      return renamed(next, index, factorName(factor, names, otherwise, taken));
    });
  const add = (): void => setLevels([...factor.levels, nextLevel(factor)]);
  const remove = (place: number): void => setLevels(factor.levels.filter((_, at) => at !== place));
  return (
    <section className={classes.section}>
      {tables.map((part) => (
        <SetTable
          key={part.name}
          context={context}
          factor={factor}
          info={info}
          part={part}
          onLevel={setLevel}
          onLevels={setLevels}
          onRemove={remove}
        />
      ))}
      {others.length > 0 &&
        factor.levels.map((level, place) => (
          <LevelForm
            // biome-ignore lint/suspicious/noArrayIndexKey: a level's name changes while typing, its index does not.
            key={place}
            context={context}
            level={level}
            parts={others}
            named={tables.length === 0}
            onChange={(next) => setLevel(place, next)}
            onRemove={factor.levels.length > 1 && tables.length === 0 ? () => remove(place) : undefined}
          />
        ))}
      {tables.length === 0 && (
        <Button
          className={classes.addLevel ?? ''}
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={add}
        >
          Add a named level
        </Button>
      )}
    </section>
  );
}

interface FormProperties {
  context: MatrixContext;
  level: Level;
  parts: readonly LevelPart[];
  /** Whether the name is edited here. */
  named: boolean;
  onChange(level: Level): void;
  onRemove: (() => void) | undefined;
}

/** Other fields of one level: hosts, statements, a price. */
function LevelForm({ context, level, parts, named, onChange, onRemove }: FormProperties) {
  const name = plainLevel(levelName(level));
  return (
    <fieldset className={classes.level} aria-label={`Level ${name}`}>
      <div className={classes.levelHead}>
        {named && isNamed(level) ? (
          <LevelName key={level.name} name={level.name} onRename={(next) => onChange({ ...level, name: next })} />
        ) : (
          <strong>{name}</strong>
        )}
        {onRemove && <CloseButton size="sm" aria-label={`Remove level ${name}`} onClick={onRemove} />}
      </div>
      {isNamed(level) ? (
        parts.map((part) => (
          <div key={part.name} className={classes.part}>
            <span>
              <b>{part.title}</b> <span className="kp-small">{part.description}</span>
            </span>
            <Part
              context={context}
              level={level}
              part={part}
              onChange={(value) => onChange(withPart(level, part, value))}
            />
          </div>
        ))
      ) : (
        <Text size="xs" c="dimmed">
          A plain value, edited in the column of the factor.
        </Text>
      )}
    </fieldset>
  );
}

function withPart(level: Named, { name }: LevelPart, value: unknown): Named {
  const { [name]: _, ...rest } = level;
  return value === undefined ? (rest as Named) : { ...level, [name]: value };
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

interface PartProperties {
  context: MatrixContext;
  level: Named;
  part: LevelPart;
  /** Undefined: the level does not set it. */
  onChange(value: unknown): void;
}

function Part({ context, level, part, onChange }: PartProperties) {
  const value = level[part.name];
  const label = `${part.title} of ${level.name}`;
  switch (part.is) {
    case 'price':
      return <PriceForm label={label} value={value} onChange={onChange} />;
    case 'text':
      return (
        <TextArea
          label={label}
          text={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text || undefined)}
        />
      );
    default:
      if (part.name !== 'hosts')
        return (
          <Texts
            label={label}
            texts={textsOf(value)}
            onChange={(texts) => onChange(texts.length > 0 ? texts : undefined)}
          />
        );
      return (
        <MultiSelect
          aria-label={label}
          data={[...new Set([...context.hosts.map(({ spec }) => spec.name), ...textsOf(value)])]}
          value={textsOf(value)}
          onChange={onChange}
        />
      );
  }
}

const PER = ['hour', 'month', 'year'] as const;

interface PriceProperties {
  label: string;
  value: unknown;
  onChange(value: unknown): void;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** A price as an amount. One made of components is shown, and kept until an amount is typed instead. */
function PriceForm({ label, value, onChange }: PriceProperties) {
  const fields = fieldsOf(value);
  const { amount, per = 'month', currency = 'USD', components } = fields;
  const made = Array.isArray(components) ? components.length : 0;
  const set = (name: string, next: unknown): void => onChange({ ...(made > 0 ? { amount: 0 } : fields), [name]: next });
  return (
    <>
      {made > 0 && (
        <Text size="sm" c="dimmed">
          {formatCount(made, 'component')} of the catalogue, as named in the YAML. An amount replaces them.
        </Text>
      )}
      <Group gap="sm">
        <NumberInput
          aria-label={`${label}: amount`}
          w={140}
          min={0}
          hideControls
          value={typeof amount === 'number' ? amount : ''}
          onChange={(next) => typeof next === 'number' && set('amount', next)}
        />
        <TextInput
          aria-label={`${label}: currency`}
          w={72}
          maxLength={3}
          value={String(currency)}
          onChange={(event) => set('currency', event.currentTarget.value.toUpperCase())}
        />
        <Select
          aria-label={`${label}: per`}
          w={120}
          allowDeselect={false}
          data={PER.map((each) => ({ value: each, label: `per ${each}` }))}
          value={String(per)}
          onChange={(next) => next !== null && set('per', next)}
        />
      </Group>
    </>
  );
}
