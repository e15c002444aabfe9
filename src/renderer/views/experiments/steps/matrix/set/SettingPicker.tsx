import { Autocomplete, Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { ServerSetting } from '../../../../../../shared/model/target-details.ts';
import { settingFacts } from '../../../document/useServerSettings.ts';
import classes from './set.module.css';

interface Properties {
  label: string;
  /** What the server or the kind offers; any other name can be typed. */
  suggestions: readonly (ServerSetting | { readonly name: string; readonly words: string })[];
  onPick(name: string): void;
}

/** So many are shown at a time; a word or two find the one that is meant. */
const MOST_SHOWN = 80;

/** A setting found by any part of its name; Enter takes the first that is found, else what is typed. */
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
          // A whole name comes before those that it is a part of.
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
          // The field takes the chosen text over after this: it is emptied when that has happened.
          queueMicrotask(() => pick(name));
        }}
      />
      <Button type="submit" variant="default" disabled={text.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
