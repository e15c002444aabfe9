import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { changedSettings, isChanged, settingWords, type TargetSetting } from '../../shared/model/settings.ts';
import type { Durability } from '../../shared/model/target.ts';
import type { SettingChange } from '../../shared/model/target-details.ts';
import { NO_VALUE } from '../../shared/util/format.ts';
import { type Column, DataTable, Panel, type RowGroup, Status, type Tone } from '../ui/index.ts';
import classes from './settings.module.css';

const CHANGE_WORDS: Readonly<Record<SettingChange, string>> = {
  dynamic: 'immediately',
  connection: 'new connections',
  reload: 'after reload',
  restart: 'after restart',
  fixed: 'never',
};

const COLUMNS: readonly Column<TargetSetting>[] = [
  {
    id: 'name',
    header: 'Setting',
    value: ({ name }) => name,
    cell: (setting) => (
      <code className={classes.name} data-changed={isChanged(setting) || undefined} title={setting.why ?? setting.name}>
        {setting.name}
      </code>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    value: ({ value }) => value,
    cell: (setting) => (
      <span className={classes.value} title={setting.value}>
        {settingWords(setting) || 'empty'}
      </span>
    ),
  },
  {
    id: 'default',
    header: 'Default',
    value: (setting) => setting.default,
    cell: ({ default: standard, unit }) => (
      <span className={classes.default} title={standard}>
        {standard === undefined ? NO_VALUE : settingWords({ value: standard, unit }) || 'empty'}
      </span>
    ),
  },
  { id: 'source', header: 'From', value: ({ source }) => source, cell: ({ source }) => source ?? NO_VALUE },
];
const CHANGE: Column<TargetSetting> = {
  id: 'change',
  header: 'Takes effect',
  grow: true,
  value: ({ change }) => change && CHANGE_WORDS[change],
  cell: ({ change }) => (change ? CHANGE_WORDS[change] : <span className="kp-dim">not reported</span>),
};
const WHY: Column<TargetSetting> = {
  id: 'why',
  header: 'Why it matters',
  grow: true,
  cell: ({ why }) => <span title={why}>{why}</span>,
};

const MATTER: RowGroup = { label: 'Relevant to results', order: 0 };
const CHANGED: RowGroup = { label: 'Changed from the default', order: 1 };

interface Properties {
  /** If some have a reason why they matter, these and the changed ones are shown first, the whole list on demand. */
  settings: readonly TargetSetting[];
  moment?: ReactNode;
}

/** Every setting of a target: searchable by name or value, with non-default ones marked. */
export function SettingsTable({ settings, moment }: Properties) {
  const matter = settings.filter(({ why }) => why !== undefined);
  const changed = changedSettings(settings);
  const short = [...matter, ...changed.filter(({ why }) => why === undefined)];
  const [words, setWords] = useState('');
  const [which, setWhich] = useState(matter.length > 0 ? 'short' : 'all');
  const wanted = words.trim().toLowerCase();
  const sets: Readonly<Record<string, readonly TargetSetting[]>> = { short, changed, all: settings };
  const listed = (sets[which] ?? settings).filter(({ name, value }) =>
    `${name} ${value}`.toLowerCase().includes(wanted),
  );
  const find = (next: string): void => {
    setWords(next);
    // A search covers all settings.
    if (which === 'short' && next.trim() !== '') setWhich('all');
  };
  const hasDefaults = settings.some((setting) => setting.default !== undefined || isChanged(setting));
  const choices = [
    ...(matter.length > 0 ? [{ value: 'short', label: `Short list (${short.length})` }] : []),
    ...(matter.length < settings.length ? [{ value: 'all', label: 'All' }] : []),
    ...(hasDefaults ? [{ value: 'changed', label: `Changed from the default (${changed.length})` }] : []),
  ];
  return (
    <>
      <div className="kp-bar">
        <Finder label={`Search ${settings.length} settings`} value={words} onChange={find} />
        {choices.length > 1 && (
          <SegmentedControl aria-label="Which settings" value={which} data={choices} onChange={setWhich} />
        )}
        {moment}
      </div>
      <Panel label="Settings" flush>
        <DataTable
          label="Settings"
          columns={[...COLUMNS, matter.length > 0 ? WHY : CHANGE]}
          rows={listed}
          rowId={({ name }) => name}
          groupsOf={which === 'short' ? ({ why }) => [why === undefined ? CHANGED : MATTER] : undefined}
          empty="No setting matches."
        />
      </Panel>
    </>
  );
}

/** A field that filters a long list. */
export const Finder = ({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) => (
  <TextInput
    w={280}
    aria-label={label}
    placeholder={label}
    leftSection={<IconSearch size={14} />}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

type Level = Durability['level'];
const LEVEL_TONES: Readonly<Record<Level, Tone>> = {
  safe: 'ok',
  relaxed: 'warn',
  unsafe: 'bad',
  unknown: 'idle',
};
const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  safe: 'Safe: acknowledged data survives a power cut',
  relaxed: 'Relaxed: a power cut may lose the most recent data',
  unsafe: 'Unsafe: a power cut may lose or damage data',
  unknown: 'Durability unknown',
};

interface DurabilityProperties {
  durability: Durability;
  /** It is a folder: only programs decide when data is flushed, and only its device whether that is durable. */
  isFolder?: boolean | undefined;
}

/** The effect of a power cut, and the settings that decide it: a light for the whole and one for each of them. */
export function DurabilityLight({ durability: { level, why, settings }, isFolder = false }: DurabilityProperties) {
  const words =
    isFolder && level === 'safe'
      ? 'Flushed data survives a power cut if the device honours flushes'
      : LEVEL_WORDS[level];
  return (
    <div className={classes.durability} data-tone={LEVEL_TONES[level]}>
      <Status tone={LEVEL_TONES[level]}>{words}</Status>
      {(level === 'unknown' || !settings?.length) && <p>{why}</p>}
      {settings && settings.length > 0 && (
        <ul aria-label="Durability settings">
          {settings.map((setting) => (
            <li key={setting.name}>
              <Status tone={LEVEL_TONES[setting.level]} title={`This one alone: ${setting.level}.`}>
                <code>
                  {setting.name} = {setting.value}
                </code>
              </Status>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
