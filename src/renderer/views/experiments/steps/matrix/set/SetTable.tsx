import { Button, CloseButton, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type FactorKindInfo, type Level, levelName } from '../../../../../../shared/model/factor.ts';
import { settingWords } from '../../../../../../shared/model/settings.ts';
import type { ServerSetting } from '../../../../../../shared/model/target-details.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import type { Field } from '../../../../../forms/index.ts';
import { readScalar } from '../../../document/document.ts';
import { settingFacts, useServerSettings } from '../../../document/useServerSettings.ts';
import { type LevelPart, type MatrixContext, namesOfSets, setOf } from '../kinds.ts';
import { nextLevel, optionValues, settingValues } from '../newFactor.ts';
import { renamedByValues, withName, withoutName, withSetValue } from './convert.ts';
import { ServerOfSettings, SettingPicker } from './SettingPicker.tsx';
import classes from './set.module.css';
import { LevelName } from './Texts.tsx';
import { ValueField } from './ValueField.tsx';

type Named = Extract<Level, object>;

interface Properties {
  context: MatrixContext;
  factor: Factor;
  info: FactorKindInfo;
  part: LevelPart;
  onLevel(place: number, level: Level): void;
  onLevels(levels: readonly Level[]): void;
  onRemove(place: number): void;
}

const UNNAMED = 'level';

/** Settings of the levels as a table: a row for each setting, a column for each level. */
export function SetTable(properties: Properties) {
  const { context, factor, info, part, onLevels } = properties;
  const { levels } = factor;
  const server = useServerSettings(context, factor.on);
  const isServer = info.kind === 'server-setting';
  const known = isServer ? server.suggestions : [];
  // Before there is a level, the factor has no place for them.
  const [picked, setPicked] = useState<readonly string[]>([]);
  const names = levels.length > 0 ? namesOfSets(factor, part.name) : picked;
  const suggestions = isServer ? server.suggestions : suggestionsOf(info, context);
  const free = suggestions.filter(({ name }) => !names.includes(name));
  const fieldOf = (name: string): Field | undefined =>
    info.changes === 'host' || isServer ? undefined : context.options.find((option) => option.name === name);
  const now = (name: string): Scalar | null =>
    part.nullable ? null : (context.experiment.workload.options[name] ?? fieldOf(name)?.default ?? '');
  const level = (values: Readonly<Record<string, Scalar | null>>, name?: string): Level => {
    const unnamed = { name: name ?? UNNAMED, ...(names.length > 0 && { [part.name]: values }) };
    const others = levels.map((each) => String(levelName(each)));
    return renamedByValues(unnamed, unnamed, part.name, others);
  };
  /** The changed levels, named by their new values. */
  const named = (changed: readonly Level[]): Level[] => {
    const next = [...changed];
    next.forEach((after, place) => {
      const before = levels[place];
      const others = next.filter((_, at) => at !== place).map((each) => String(levelName(each)));
      if (typeof after === 'object' && typeof before === 'object')
        next[place] = renamedByValues(before, after, part.name, others);
    });
    return next;
  };
  const asNow = Object.fromEntries(names.map((name) => [name, now(name)]));
  const pick = (name: string): void => {
    if (names.includes(name)) return;
    if (levels.length === 0) setPicked([...picked, name]);
    else onLevels(named(withName(levels, part.name, name, now(name))));
  };
  const suggested = suggestedSets(names, { asNow, known, fieldOf, nullable: part.nullable })
    .filter((set) => !levels.some((each) => JSON.stringify(setOf(each, part.name)) === JSON.stringify(set)))
    .map((set) => level(set));
  return (
    <div className={classes.section}>
      {isServer && <ServerOfSettings server={server} />}
      <SettingPicker label={`Add to ${part.title.toLowerCase()}`} suggestions={free} onPick={pick} />
      <Table
        {...properties}
        names={names}
        known={known}
        fieldOf={fieldOf}
        onAdd={() => onLevels([...levels, levels.length > 0 ? nextLevel(factor) : level(asNow)])}
        onRemoveName={(name) => {
          setPicked(picked.filter((each) => each !== name));
          if (levels.length > 0) onLevels(named(withoutName(levels, part.name, name)));
        }}
      />
      {suggested.length > 0 && (
        <Group gap={6} role="group" aria-label="Suggested levels">
          <span className="kp-small">Add a level:</span>
          {suggested.map((each) => (
            <Button
              key={String(levelName(each))}
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={12} />}
              onClick={() => onLevels([...levels, each])}
            >
              {plainLevel(levelName(each))}
            </Button>
          ))}
        </Group>
      )}
    </div>
  );
}

interface Known {
  /** Values in force. */
  readonly asNow: Readonly<Record<string, Scalar | null>>;
  readonly known: readonly ServerSetting[];
  readonly nullable: boolean;
  fieldOf(name: string): Field | undefined;
}

/** Suggested sets for a level: the values in force, the defaults, and for one setting each of its values. */
function suggestedSets(names: readonly string[], { asNow, known, nullable, fieldOf }: Known) {
  const [only, ...more] = names;
  if (only === undefined) return [];
  const settings = names.flatMap((name) => known.find((setting) => setting.name === name) ?? []);
  const standard = settings.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, readScalar(value)] as const],
  );
  const [setting] = settings;
  const field = fieldOf(only);
  const own = asNow[only];
  const values =
    more.length > 0
      ? []
      : setting
        ? settingValues(setting).filter((value) => String(value) !== setting.value)
        : field
          ? optionValues(field, own ?? undefined)
          : [];
  const changed = settings.some(({ value, default: usual }) => usual !== value);
  const all = [
    ...(nullable || values.length === 0 ? [asNow] : []),
    ...(standard.length === names.length && changed && more.length > 0 ? [Object.fromEntries(standard)] : []),
    ...values.map((value) => ({ [only]: value })),
  ];
  return [...new Map(all.map((set) => [JSON.stringify(set), set])).values()];
}

/** Names that a set of the kind can contain, in addition to those reported by a server. */
function suggestionsOf(
  { kind, schema }: FactorKindInfo,
  { options }: MatrixContext,
): readonly { readonly name: string; readonly words: string }[] {
  if (kind !== 'host-setting')
    return options.map(({ name, title, description }) => ({
      name,
      words: [title, description].filter(Boolean).join('. '),
    }));
  const properties = schema.properties;
  const setting =
    typeof properties === 'object' && properties !== null && 'setting' in properties ? properties.setting : undefined;
  const choices = typeof setting === 'object' && setting !== null && 'choices' in setting ? setting.choices : undefined;
  return Object.entries(typeof choices === 'object' && choices !== null ? choices : {}).map(([name, words]) => ({
    name,
    words: String(words),
  }));
}

interface TableProperties extends Properties {
  names: readonly string[];
  known: readonly ServerSetting[];
  fieldOf(name: string): Field | undefined;
  onAdd(): void;
  onRemoveName(name: string): void;
}

function Table(properties: TableProperties) {
  const { factor, part, names, known, fieldOf, onLevel, onAdd, onRemove, onRemoveName } = properties;
  const change = (place: number, level: Named, name: string, value: Scalar | undefined): void => {
    const next = withSetValue(level, part.name, name, value ?? (part.nullable ? null : undefined));
    const others = factor.levels.filter((_, at) => at !== place).map((each) => String(levelName(each)));
    onLevel(place, renamedByValues(level, next, part.name, others));
  };
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={part.title}>
        <thead>
          <tr>
            <th scope="col">{part.title}</th>
            {factor.levels.map((level, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a level's name changes while typing, its index does not.
              <th key={place} scope="col">
                <div className={classes.levelHead}>
                  {typeof level === 'object' ? (
                    <LevelName
                      key={level.name}
                      name={level.name}
                      onRename={(name) => onLevel(place, { ...level, name })}
                    />
                  ) : (
                    plainLevel(level)
                  )}
                  {factor.levels.length > 1 && (
                    <CloseButton
                      size="sm"
                      aria-label={`Remove level ${plainLevel(levelName(level))}`}
                      onClick={() => onRemove(place)}
                    />
                  )}
                </div>
              </th>
            ))}
            <th>
              <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} />} onClick={onAdd}>
                Level
              </Button>
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const setting = known.find((each) => each.name === name);
            return (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                  {setting && <span className="kp-small">{settingFacts(setting)}</span>}
                </th>
                {factor.levels.map((level, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a level's name changes while typing, its index does not.
                  <td key={place}>
                    {typeof level === 'object' && (
                      <ValueField
                        label={`${name} of ${level.name}`}
                        field={fieldOf(name)}
                        values={setting ? settingValues(setting).map(String) : []}
                        value={setOf(level, part.name)[name]}
                        placeholder={part.nullable ? asFound(setting) : 'not set'}
                        onChange={(value) => change(place, level, name, value)}
                      />
                    )}
                  </td>
                ))}
                <td>
                  <CloseButton size="sm" aria-label={`Remove ${name}`} onClick={() => onRemoveName(name)} />
                </td>
              </tr>
            );
          })}
          {names.length === 0 && (
            <tr>
              <td colSpan={factor.levels.length + 2} className="kp-dim">
                No settings yet: find one above.
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const asFound = (setting: ServerSetting | undefined): string =>
  setting ? `as found: ${settingWords(setting) || 'empty'}` : 'as found';
