import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { settingWords } from '../../../shared/model/settings.ts';
import type { ServerSetting } from '../../../shared/model/target-details.ts';
import { NO_VALUE } from '../../../shared/util/format.ts';
import { type Column, DataTable, Panel } from '../../ui/index.ts';
import { Finder } from './Finder.tsx';
import classes from './targets.module.css';
import { CHANGE_WORDS } from './words.ts';

const isChanged = ({ value, default: standard }: ServerSetting): boolean =>
  standard !== undefined && value !== standard;

const COLUMNS: readonly Column<ServerSetting>[] = [
  {
    id: 'name',
    header: 'Setting',
    value: ({ name }) => name,
    cell: (setting) => (
      <code className={classes.name} data-changed={isChanged(setting) || undefined} title={setting.name}>
        {setting.name}
      </code>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    grow: true,
    value: ({ value }) => value,
    cell: (setting) => <span title={setting.value}>{settingWords(setting) || 'empty'}</span>,
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
  {
    id: 'change',
    header: 'A change counts',
    value: ({ change }) => change && CHANGE_WORDS[change],
    cell: ({ change }) => (change ? CHANGE_WORDS[change] : <span className="kp-dim">not told</span>),
  },
];

/** Every setting of the server: found by name or value, and told apart by what is not at its default. */
export function SettingsTable({ settings, moment }: { settings: readonly ServerSetting[]; moment: ReactNode }) {
  const [words, setWords] = useState('');
  const [which, setWhich] = useState('all');
  const changed = settings.filter(isChanged);
  const wanted = words.trim().toLowerCase();
  const listed = (which === 'changed' ? changed : settings).filter(({ name, value }) =>
    `${name} ${value}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <div className={classes.bar}>
        <Finder label={`Find one of ${settings.length} settings`} value={words} onChange={setWords} />
        {settings.some(({ default: standard }) => standard !== undefined) && (
          <SegmentedControl
            aria-label="Which settings"
            value={which}
            data={[
              { value: 'all', label: 'All' },
              { value: 'changed', label: `Not at their default (${changed.length})` },
            ]}
            onChange={setWhich}
          />
        )}
        {moment}
      </div>
      <Panel label="Settings" flush>
        <DataTable
          label="Settings"
          columns={COLUMNS}
          rows={listed}
          rowId={({ name }) => name}
          empty="No setting has these words."
        />
      </Panel>
    </>
  );
}
