import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useCallback, useEffect, useId, useRef } from 'react';
import type { Scalar } from '../../shared/model/experiment.ts';
import type { Section } from './arrange.ts';
import { FieldRow, type Help } from './FieldRow.tsx';
import type { Field } from './fields.ts';
import classes from './forms.module.css';
import { type FormValues, isChanged, valueInForce, withValue } from './values.ts';

interface Properties {
  sections: readonly Section[];
  values: FormValues;
  onChange(values: FormValues): void;
  problemOf(field: Field): string | undefined;
  onFold(group: string): void;
  /** Words for the values of a folded group; absent: the number of hidden fields. */
  valuesOf?: (group: string) => string;
  help: Help;
  instead?: Readonly<Record<string, string>>;
  disabled?: boolean;
  behind?: Readonly<Record<string, ReactNode>>;
}

/** The fields of a form under their headings. */
export function FieldGroups({
  sections,
  values,
  onChange,
  problemOf,
  onFold,
  valuesOf,
  help,
  instead,
  disabled = false,
  behind,
}: Properties) {
  const latest = useRef({ values, onChange });
  useEffect(() => {
    latest.current = { values, onChange };
  });
  const change = useCallback((field: Field, value: Scalar | undefined) => {
    const next = withValue(latest.current.values, field, value);
    // Two inputs may report before the next render: the later one must see the earlier one's value.
    latest.current = { ...latest.current, values: next };
    latest.current.onChange(next);
  }, []);
  return sections.map((section) => (
    <section key={section.group} aria-label={section.group || 'Options'}>
      <Heading section={section} onFold={onFold} valuesOf={valuesOf}>
        {section.fields.map((field) => (
          <Fragment key={field.name}>
            <FieldRow
              field={field}
              value={valueInForce(field, values)}
              changed={isChanged(field, values)}
              problem={problemOf(field)}
              instead={instead?.[field.name]}
              help={help}
              disabled={disabled}
              onChange={change}
            />
            {behind?.[field.name]}
          </Fragment>
        ))}
      </Heading>
    </section>
  ));
}

interface HeadingProperties {
  section: Section;
  onFold(group: string): void;
  valuesOf: ((group: string) => string) | undefined;
  children: ReactNode;
}

function Heading({ section: { group, fields, fold }, onFold, valuesOf, children }: HeadingProperties) {
  const id = useId();
  const body = (
    <div id={id} className={classes.grid} hidden={fields.length === 0}>
      {children}
    </div>
  );
  if (!fold || fold.hides === 0) {
    return (
      <>
        {group && <h3 className={classes.heading}>{group}</h3>}
        {body}
      </>
    );
  }
  return (
    <>
      <h3 className={`${classes.heading} ${fold.folded ? classes.folded : ''}`}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={!fold.folded}
          aria-controls={id}
          onClick={() => onFold(group)}
        >
          <IconChevronRight size={14} stroke={2} aria-hidden="true" />
          {group || 'Other'}{' '}
          <span className={classes.more} title={valuesOf?.(group)}>
            {fold.folded && (valuesOf?.(group) ?? (fields.length > 0 ? `${fold.hides} more` : fold.hides))}
          </span>
        </button>
      </h3>
      {body}
    </>
  );
}
