import { Box, Button, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Scalar } from '../../shared/model/experiment.ts';
import { FieldRow } from './FieldRow.tsx';
import type { Field } from './fields.ts';
import classes from './forms.module.css';
import {
  type FormValues,
  groupFields,
  isChanged,
  matchesQuery,
  problemWith,
  shownFields,
  valueInForce,
  withValue,
} from './values.ts';

interface Properties {
  fields: readonly Field[];
  values: FormValues;
  onChange(values: FormValues): void;
  /** What somebody else found wrong, by option name; goes before what the schema says. */
  problems?: Readonly<Record<string, string>>;
  /** Options that are set elsewhere, with the words to show in place of their input. */
  instead?: Readonly<Record<string, string>>;
  /** Whether empty required fields are called out already. */
  showMissing?: boolean;
  searchable?: boolean;
  disabled?: boolean;
  /** Width of the inputs in pixels. */
  controlWidth?: number;
  /** What is no option, but stands right behind one: by the option's name. */
  behind?: Readonly<Record<string, ReactNode>>;
  /** Whether descriptions are shown in full, not their first lines alone. */
  wholeWords?: boolean;
}

/** Options as a form: grouped, with their defaults, what was changed marked, and only what applies shown. */
export function OptionForm(properties: Properties) {
  const { fields, values, searchable = false } = properties;
  const [query, setQuery] = useState('');
  const [onlyChanged, setOnlyChanged] = useState(false);
  const shown = shownFields(fields, values);
  const changed = shown.filter((field) => isChanged(field, values)).length;
  const filtering = onlyChanged && changed > 0;
  const listed = shown.filter((field) => matchesQuery(field, query.trim()) && (!filtering || isChanged(field, values)));
  return (
    <Box
      className={classes.form ?? ''}
      data-whole={properties.wholeWords || undefined}
      __vars={properties.controlWidth ? { '--control-width': `${properties.controlWidth}px` } : {}}
    >
      {searchable && (
        <div className={classes.bar}>
          <TextInput
            w={260}
            aria-label="Find an option"
            placeholder={`Find one of ${shown.length} options`}
            leftSection={<IconSearch size={14} />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          {changed === 0 ? (
            <Text size="xs" c="dimmed">
              All at their defaults
            </Text>
          ) : (
            <Button
              size="compact-xs"
              variant={filtering ? 'light' : 'subtle'}
              {...(filtering ? {} : { color: 'gray' })}
              aria-pressed={filtering}
              onClick={() => setOnlyChanged(!onlyChanged)}
            >
              {changed} changed
            </Button>
          )}
        </div>
      )}
      <Groups {...properties} listed={listed} />
      {listed.length === 0 && (
        <Text size="sm" c="dimmed">
          No option matches “{query}”.
        </Text>
      )}
    </Box>
  );
}

function Groups({
  listed,
  values,
  onChange,
  problems,
  instead,
  showMissing = true,
  disabled = false,
  behind,
}: Properties & { listed: readonly Field[] }) {
  const latest = useRef({ values, onChange });
  useEffect(() => {
    latest.current = { values, onChange };
  });
  const change = useCallback((field: Field, value: Scalar | undefined) => {
    const next = withValue(latest.current.values, field, value);
    // Two inputs may report before the next drawing: the later one must see the earlier one's value.
    latest.current = { ...latest.current, values: next };
    latest.current.onChange(next);
  }, []);
  const problemOf = (field: Field): string | undefined => {
    const value = valueInForce(field, values);
    if (!showMissing && (value === undefined || value === '')) return undefined;
    return problems?.[field.name] ?? problemWith(field, value);
  };
  return groupFields(listed).map(({ group, fields }) => (
    <section key={group} aria-label={group || 'Options'}>
      {group && <h3 className={classes.heading}>{group}</h3>}
      <div className={classes.grid}>
        {fields.map((field) => (
          <Fragment key={field.name}>
            <FieldRow
              field={field}
              value={valueInForce(field, values)}
              changed={isChanged(field, values)}
              problem={instead?.[field.name] === undefined ? problemOf(field) : undefined}
              instead={instead?.[field.name]}
              disabled={disabled}
              onChange={change}
            />
            {behind?.[field.name]}
          </Fragment>
        ))}
      </div>
    </section>
  ));
}
