import { Autocomplete, Button, Select, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServerSetting } from '../../../../../../shared/model/target-details.ts';
import { formatCount } from '../../../../../../shared/util/format.ts';
import { Status } from '../../../../../ui/index.ts';
import { type ServerSettings, settingFacts } from '../../../document/useServerSettings.ts';
import classes from './set.module.css';

interface Properties {
  label: string;
  /** Suggestions of the server or the kind; any other name can be typed. */
  suggestions: readonly (ServerSetting | { readonly name: string; readonly words: string })[];
  onPick(name: string): void;
}

/** Maximum number shown at a time; a word or two narrow the list down. */
const MOST_SHOWN = 80;

/** Finds a setting by any part of its name; Enter selects the first match, otherwise the typed text. */
export function SettingPicker({ label, suggestions, onPick }: Properties) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState(false);
  const byName = new Map(suggestions.map((setting) => [setting.name, setting]));
  const pick = (name: string): void => {
    if (name.trim() === '') return;
    onPick(name.trim());
    setText('');
    setOpened(false);
  };
  const factsOf = (name: string): string => {
    const found = byName.get(name);
    return found ? ('words' in found ? found.words : settingFacts(found)) : '';
  };
  return (
    <form
      className={classes.picker}
      onSubmit={(event) => {
        event.preventDefault();
        pick(text);
      }}
    >
      <Autocomplete
        className={classes.pickerField ?? ''}
        aria-label={label}
        placeholder={suggestions.length > 0 ? `Search ${suggestions.length} settings` : 'Name of a setting'}
        leftSection={<IconSearch size={14} />}
        data-autofocus
        selectFirstOptionOnChange
        value={text}
        data={[...byName.keys()]}
        limit={MOST_SHOWN}
        maxDropdownHeight={340}
        filter={({ options, search, limit }) => {
          const words = search.toLowerCase().split(/[\s_.-]+/);
          const found = options.filter(
            (option) => 'value' in option && words.every((word) => option.value.toLowerCase().includes(word)),
          );
          // A complete match comes before longer names that contain it.
          const whole = found.filter((option) => 'value' in option && option.value === search.trim());
          return [...new Set([...whole, ...found])].slice(0, limit);
        }}
        renderOption={({ option }) => (
          <span className={classes.suggestion}>
            <code>{option.value}</code>
            <span>{factsOf(option.value)}</span>
          </span>
        )}
        dropdownOpened={opened}
        onDropdownOpen={() => setOpened(true)}
        onDropdownClose={() => setOpened(false)}
        onChange={(typed) => {
          setText(typed);
          setOpened(typed !== '');
        }}
        onOptionSubmit={(name) => {
          // The field sets the selected text after this: it is cleared after that.
          queueMicrotask(() => pick(name));
        }}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''}>
        Add
      </Button>
    </form>
  );
}

/** Server whose settings are offered, and whether it could be queried for them. */
export function ServerOfSettings({ server }: { server: ServerSettings }) {
  const { targets, asked, reading, problem, suggestions } = server;
  if (asked === undefined)
    return (
      <Text size="sm" c="dimmed">
        No target chosen yet, in step “Where” or as a factor. Setting names can still be typed.
      </Text>
    );
  return (
    <div className={classes.server}>
      {targets.length > 1 ? (
        <Select
          aria-label="Server to read settings from"
          data={[...targets]}
          value={asked}
          allowDeselect={false}
          onChange={(name) => name !== null && server.ask(name)}
        />
      ) : (
        <span>
          Server of <b>{asked}</b>
        </span>
      )}
      {reading && <Status tone="busy">Reading its settings</Status>}
      {!reading && problem && <Status tone="warn">{`${problem.message} Names can still be typed.`}</Status>}
      {!reading && !problem && <Status tone="ok">{formatCount(suggestions.length, 'setting')}</Status>}
      {!reading && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={server.again}>
          Read again
        </Button>
      )}
    </div>
  );
}
