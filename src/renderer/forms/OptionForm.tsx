import { Box, Button, CloseButton, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../shared/util/format.ts';
import { arrange, canFold, countChanged, type Section } from './arrange.ts';
import { FieldGroups } from './FieldGroups.tsx';
import type { Field } from './fields.ts';
import classes from './forms.module.css';
import {
  type FormValues,
  groupFields,
  groupWords,
  isChanged,
  problemWith,
  shownFields,
  valueInForce,
} from './values.ts';

interface Properties {
  fields: readonly Field[];
  values: FormValues;
  onChange(values: FormValues): void;
  /** Problems from other checks, by option name; they take precedence over those of the schema. */
  problems?: Readonly<Record<string, string>>;
  /** Options that are set elsewhere, with the words shown instead of their input. */
  instead?: Readonly<Record<string, string>>;
  /** Whether empty required fields are already marked. */
  showMissing?: boolean;
  /** For many options: the main ones first, the others folded, a search, and help on demand. */
  searchable?: boolean;
  /** Main options are shown; each other group is folded, with its values in its head. */
  folded?: boolean;
  disabled?: boolean;
  /** Width of the inputs in pixels. */
  controlWidth?: number;
  /** Content directly after an option, by the option's name. */
  behind?: Readonly<Record<string, ReactNode>>;
}

/** Options as a form: grouped, with their defaults, changed ones marked, and only applicable ones shown. */
export function OptionForm(properties: Properties) {
  const { fields, values, problems, instead, showMissing = true, searchable = false, folded = false } = properties;
  const shown = shownFields(fields, values);
  const problemOf = (field: Field): string | undefined => {
    const value = valueInForce(field, values);
    if (instead?.[field.name] !== undefined) return undefined;
    if (!showMissing && (value === undefined || value === '')) return undefined;
    return problems?.[field.name] ?? problemWith(field, value);
  };
  const folds = canFold(fields);
  const folding = useFolding(
    shown,
    folds,
    (field) =>
      problemOf(field) !== undefined || (!folded && (isChanged(field, values) || field.name in (instead ?? {}))),
  );
  const sections: readonly Section[] = searchable || folded ? folding.sections : groupFields(shown);
  return (
    <Box
      className={classes.form ?? ''}
      __vars={properties.controlWidth ? { '--control-width': `${properties.controlWidth}px` } : {}}
    >
      {searchable && (
        <div className={classes.bar}>
          <OptionSearch
            count={shown.length}
            found={folding.query === '' ? undefined : sections.reduce((sum, section) => sum + section.fields.length, 0)}
            query={folding.query}
            onQuery={folding.setQuery}
          />
          <Text size="xs" c="dimmed">
            {changedWords(countChanged(shown, values))}
          </Text>
          {folds && folding.query === '' && (
            <Button
              className={classes.foldAll ?? ''}
              size="compact-xs"
              variant="subtle"
              color="gray"
              onClick={folding.toggleAll}
            >
              {folding.allUnfolded ? 'Collapse all' : 'Expand all'}
            </Button>
          )}
        </div>
      )}
      <FieldGroups
        {...properties}
        help={searchable || folded ? 'on demand' : 'in full'}
        sections={sections}
        problemOf={problemOf}
        onFold={folding.toggle}
        {...(folded && { valuesOf: (group: string) => groupWords(shown, group, values) })}
      />
      {searchable && sections.length === 0 && (
        <Text size="sm" c="dimmed">
          No option matches “{folding.query}”.
        </Text>
      )}
    </Box>
  );
}

const changedWords = (count: number): string =>
  count === 0 ? 'All options have their defaults.' : `${count} changed from the default`;

/** Folded groups. A field that was visible once stays visible while the form is open, so that no field jumps during input. */
function useFolding(shown: readonly Field[], folds: boolean, matters: (field: Field) => boolean) {
  const [query, setQuery] = useState('');
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const now = shown.filter(matters).map(({ name }) => name);
  if (now.some((name) => !kept.has(name))) setKept(new Set([...kept, ...now]));
  const sections = arrange(shown, { query: query.trim(), folds, unfolded, isVisible: ({ name }) => kept.has(name) });
  const foldable = sections.flatMap(({ group, fold }) => (fold ? [group] : []));
  const allUnfolded = foldable.every((group) => unfolded.has(group));
  return {
    ...{ query, setQuery, sections, allUnfolded },
    toggle: (group: string) => {
      const next = new Set(unfolded);
      if (!next.delete(group)) next.add(group);
      setUnfolded(next);
    },
    toggleAll: () => setUnfolded(new Set(allUnfolded ? [] : foldable)),
  };
}

interface OptionSearchProperties {
  /** Number of options to search. */
  count: number;
  /** Number of matches; absent without a search. */
  found: number | undefined;
  query: string;
  onQuery(query: string): void;
}

/** Searches names and help of the options. Escape ends it. */
const OptionSearch = ({ count, found, query, onQuery }: OptionSearchProperties) => (
  <>
    <TextInput
      w={280}
      aria-label="Search options"
      placeholder={`Search ${formatCount(count, 'option')} and their help`}
      leftSection={<IconSearch size={14} />}
      rightSection={query !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => onQuery('')} />}
      value={query}
      onChange={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || query === '') return;
        event.stopPropagation();
        onQuery('');
      }}
    />
    <output className={found === undefined ? 'kp-visually-hidden' : 'kp-small'}>
      {found === undefined ? '' : `${formatCount(found, 'option')} found`}
    </output>
  </>
);
