import { Button, CloseButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Factor, Scalar } from '../../../../../../shared/model/experiment.ts';
import { type FactorKindInfo, type Level, levelName } from '../../../../../../shared/model/factor.ts';
import { settingWords } from '../../../../../../shared/model/settings.ts';
import type { ServerSetting } from '../../../../../../shared/model/target-details.ts';
import { formatLevel } from '../../../../../../shared/util/format.ts';
import type { Field } from '../../../../../forms/index.ts';
import { settingFacts, useServerSettings } from '../../../document/useServerSettings.ts';
import { type LevelPart, type MatrixContext, namesOfSets, setOf } from '../kinds.ts';
import { withName, withoutName, withSetValue } from './convert.ts';
import { LevelName } from './LevelName.tsx';
import { ServerOfSettings } from './ServerOfSettings.tsx';
import { SettingPicker } from './SettingPicker.tsx';
import classes from './set.module.css';
import { ValueField } from './ValueField.tsx';

interface Properties {
  context: MatrixContext;
  factor: Factor;
  info: FactorKindInfo;
  part: LevelPart;
  onLevel(place: number, level: Level): void;
  onLevels(levels: Level[]): void;
  onAdd(): void;
  onRemove(place: number): void;
}

/** What levels set, side by side: a row for each setting, a column for each level. */
export function SetTable(properties: Properties) {
  const { context, factor, info, part, onLevels } = properties;
  const server = useServerSettings(context, factor.on);
  const isServer = info.kind === 'server-setting';
  const names = namesOfSets(factor, part.name);
  const suggestions = isServer ? server.suggestions : suggestionsOf(info, context);
  const free = suggestions.filter(({ name }) => !names.includes(name));
  const start = (name: string): Scalar | null =>
    part.nullable ? null : (context.options.find((option) => option.name === name)?.default ?? '');
  return (
    <div className={classes.section}>
      {isServer && <ServerOfSettings server={server} />}
      <SettingPicker
        label={`Add to ${part.title.toLowerCase()}`}
        suggestions={free}
        onPick={(name) => names.includes(name) || onLevels(withName(factor.levels, part.name, name, start(name)))}
      />
      <Table {...properties} names={names} known={isServer ? server.suggestions : []} />
    </div>
  );
}

/** Names that a set of the kind can hold, besides those that a server tells. */
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
}

function Table({ context, factor, info, part, names, known, onLevel, onLevels, onAdd, onRemove }: TableProperties) {
  const optionOf = (name: string): Field | undefined =>
    info.changes === 'host' || info.kind === 'server-setting'
      ? undefined
      : context.options.find((option) => option.name === name);
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={part.title}>
        <thead>
          <tr>
            <th scope="col">{part.title}</th>
            {factor.levels.map((level, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a level is typed over, its place is not.
              <th key={place} scope="col">
                <div className={classes.levelHead}>
                  {typeof level === 'object' ? (
                    <LevelName
                      key={level.name}
                      name={level.name}
                      onRename={(name) => onLevel(place, { ...level, name })}
                    />
                  ) : (
                    formatLevel(level)
                  )}
                  {factor.levels.length > 1 && (
                    <CloseButton
                      size="sm"
                      aria-label={`Remove level ${formatLevel(levelName(level))}`}
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
                  // biome-ignore lint/suspicious/noArrayIndexKey: a level is typed over, its place is not.
                  <td key={place}>
                    {typeof level === 'object' && (
                      <ValueField
                        label={`${name} of ${level.name}`}
                        field={optionOf(name)}
                        value={setOf(level, part.name)[name]}
                        placeholder={part.nullable ? asFound(setting) : 'not set'}
                        onChange={(value) =>
                          onLevel(
                            place,
                            withSetValue(level, part.name, name, value ?? (part.nullable ? null : undefined)),
                          )
                        }
                      />
                    )}
                  </td>
                ))}
                <td>
                  <CloseButton
                    size="sm"
                    aria-label={`Remove ${name}`}
                    onClick={() => onLevels(withoutName(factor.levels, part.name, name))}
                  />
                </td>
              </tr>
            );
          })}
          {names.length === 0 && (
            <tr>
              <td colSpan={factor.levels.length + 2} className="kp-dim">
                Nothing is set yet: find a setting above.
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
