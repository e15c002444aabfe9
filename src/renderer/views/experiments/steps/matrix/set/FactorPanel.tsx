import { Button, Drawer, Group, NumberInput, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import type { DocumentProblem, Experiment, Factor } from '../../../../../../shared/model/experiment.ts';
import { type FactorKindInfo, levelsOf } from '../../../../../../shared/model/factor.ts';
import { plainLevel } from '../../../../../../shared/util/format.ts';
import { type FormValues, OptionForm } from '../../../../../forms/index.ts';
import { settingFacts, useServerSettings } from '../../../document/useServerSettings.ts';
import { withFactor } from '../factors.ts';
import { factorFields, levelsAre, type MatrixContext, namesOfSets, partsOf, plainWords } from '../kinds.ts';
import { takesValues, valuesInNames, withValues } from '../levels.ts';
import { asOneSetting, asSets, canBeOneSetting, hasSets } from './convert.ts';
import { LevelParts } from './LevelParts.tsx';
import { ServerOfSettings, SettingPicker } from './SettingPicker.tsx';
import classes from './set.module.css';

interface Properties {
  context: MatrixContext;
  index: number;
  problems: readonly DocumentProblem[];
  edit(change: (experiment: Experiment) => Experiment): void;
  onClose(): void;
  /** For a new factor: adds it to the document. */
  onAdd?: () => void;
}

/** All fields of a factor in a side panel: those of its kind, and the settings of each level. */
export function FactorPanel({ context, index, problems, edit, onClose, onAdd }: Properties) {
  const factor = context.experiment.factors[index];
  const info = context.kinds.find(({ kind }) => kind === factor?.kind);
  // An empty set is reported where it is edited.
  const started =
    !factor || !hasSets(factor) || !partsOf(info).some(({ is }) => is === 'set') || namesOfSets(factor).length > 0;
  const messages = started ? [...new Set(problems.map(({ message }) => message))] : [];
  return (
    <Drawer
      opened={factor !== undefined && info !== undefined}
      onClose={onClose}
      position="right"
      size={820}
      title={factor && (onAdd ? `Vary ${factor.name}` : `${info?.title ?? ''}: ${factor.name}`)}
    >
      {factor && info && (
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {plainWords(info.description)}
          </Text>
          <Body
            context={context}
            factor={factor}
            info={info}
            edit={edit}
            index={index}
            isNew={onAdd !== undefined}
            onChange={(next) => edit((now) => withFactor(now, index, next))}
          />
          {onAdd && (
            <Group gap="sm">
              <Button disabled={factor.levels.length === 0} onClick={onAdd}>
                Add factor
              </Button>
              <Button variant="subtle" color="gray" onClick={onClose}>
                Cancel
              </Button>
            </Group>
          )}
          {messages.length > 0 && (
            <div role="alert">
              <ul className={classes.problems}>
                {messages.map((message) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </div>
          )}
        </Stack>
      )}
    </Drawer>
  );
}

interface BodyProperties {
  context: MatrixContext;
  factor: Factor;
  info: FactorKindInfo;
  index: number;
  edit: Properties['edit'];
  isNew: boolean;
  onChange(factor: Factor): void;
}

function Body({ context, factor, info, index, edit, isNew, onChange }: BodyProperties) {
  const fields = factorFields(factor, info, context);
  const parts = partsOf(info);
  const sets = hasSets(factor) || isNew;
  const either = levelsAre(info) === 'either' && parts.some(({ is }) => is === 'set');
  return (
    <>
      {either && !isNew && (
        <SegmentedControl
          aria-label="Kind of levels"
          value={sets ? 'sets' : 'one'}
          data={[
            { value: 'one', label: 'One setting', disabled: sets && !canBeOneSetting(factor) },
            {
              value: 'sets',
              label: 'Presets',
              // Custom commands belong to one setting: a set cannot contain them.
              disabled: factor.setting === 'commands',
            },
          ]}
          onChange={(way) => onChange(way === 'sets' ? asSets(factor) : asOneSetting(factor))}
        />
      )}
      {either && !sets && info.kind === 'server-setting' && (
        <OneSetting context={context} factor={factor} onChange={onChange} />
      )}
      {levelsAre(info) !== 'plain' && (sets || levelsAre(info) === 'named' || !either) && (
        <LevelParts context={context} factor={factor} info={info} parts={parts} index={index} edit={edit} />
      )}
      {fields.length > 0 && (
        <OptionForm
          fields={fields}
          values={valuesOf(
            factor,
            fields.map(({ name }) => name),
          )}
          showMissing={false}
          controlWidth={280}
          onChange={(values) =>
            onChange(
              withFields(
                factor,
                fields.map(({ name }) => name),
                values,
              ),
            )
          }
        />
      )}
      {!isNew && takesValues(factor) && <LevelValues factor={factor} onChange={onChange} />}
      {!sets && levelsAre(info) !== 'named' && (
        <Text size="sm" c="dimmed">
          Levels are edited in the column of the factor.
        </Text>
      )}
    </>
  );
}

function valuesOf(factor: Factor, names: readonly string[]): FormValues {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = factor[name];
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value]]
        : [];
    }),
  );
}

/** The factor with the values of the form; fields without a value are removed. */
function withFields(factor: Factor, names: readonly string[], values: FormValues): Factor {
  const { name, kind, levels, when, ...rest } = factor;
  const others = Object.fromEntries(Object.entries(rest).filter(([field]) => !names.includes(field)));
  return { name, kind, ...others, ...values, levels, ...(when && { when }) };
}

interface OneSettingProperties {
  context: MatrixContext;
  factor: Factor;
  onChange(factor: Factor): void;
}

/** The only server setting whose values are the levels, with the server's facts about it. */
function OneSetting({ context, factor, onChange }: OneSettingProperties) {
  const server = useServerSettings(context, factor.on);
  const name = typeof factor.setting === 'string' ? factor.setting : '';
  const known = server.suggestions.find((setting) => setting.name === name);
  return (
    <section className={classes.section}>
      <ServerOfSettings server={server} />
      <SettingPicker
        label="Setting"
        suggestions={server.suggestions}
        onPick={(setting) => {
          const { levels, ...rest } = factor;
          onChange({ ...rest, setting, levels });
        }}
      />
      <Text size="sm">
        {name === '' ? 'No setting chosen yet.' : <code>{name}</code>}{' '}
        <span className="kp-small">{known && settingFacts(known)}</span>
      </Text>
    </section>
  );
}

interface ValuesProperties {
  factor: Factor;
  onChange(factor: Factor): void;
}

/** Numbers of levels that are names: results then use a numeric axis. */
function LevelValues({ factor, onChange }: ValuesProperties) {
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
