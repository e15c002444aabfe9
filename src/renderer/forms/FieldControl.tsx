import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Scalar } from '../../shared/model/experiment.ts';
import type { CodeLanguage } from '../../shared/model/tool.ts';
import { durationWords, hasDurationUnit, largerUnits } from '../../shared/util/duration.ts';
import { CodeEditor } from '../code-editor/index.ts';
import type { Field } from './fields.ts';
import classes from './forms.module.css';
import { readText } from './values.ts';

interface Properties {
  id: string;
  field: Field;
  value: Scalar | undefined;
  invalid: boolean;
  describedBy: string;
  disabled?: boolean;
  onChange(value: Scalar | undefined): void;
}

/** The input for a field's shape; its label and words are elsewhere and refer to `id`. */
export function FieldControl(properties: Properties) {
  const { field } = properties;
  if (field.shape.kind === 'switch') return <SwitchControl {...properties} />;
  if (field.shape.kind === 'choice') return <ChoiceControl {...properties} choices={field.shape.choices} />;
  if (field.shape.kind === 'text' && field.shape.language)
    return <CodeControl {...properties} language={field.shape.language} />;
  if (field.shape.kind === 'text' && field.shape.multiline) return <LinesControl {...properties} />;
  return <TextControl {...properties} />;
}

/** The value in force while the input is empty: styled unlike a value. */
function placeholderOf({ default: preset, unset }: Field): string {
  if (preset !== undefined) return String(preset);
  return unset === undefined ? 'not set' : `${unset} (default)`;
}

/** Mantine's inputs only use their own description, and drop a given one. */
function useDescription(id: string, describedBy: string): void {
  useEffect(() => document.getElementById(id)?.setAttribute('aria-describedby', describedBy), [id, describedBy]);
}

function SwitchControl({ id, field, value, describedBy, disabled, onChange }: Properties) {
  return (
    <Switch
      id={id}
      aria-label={field.title}
      aria-describedby={describedBy}
      disabled={disabled ?? false}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function ChoiceControl({
  id,
  field,
  value,
  invalid,
  describedBy,
  disabled,
  onChange,
  choices,
}: Properties & { choices: readonly Scalar[] }) {
  useDescription(id, describedBy);
  return (
    <Select
      id={id}
      aria-label={field.title}
      disabled={disabled ?? false}
      error={invalid}
      searchable={choices.length > 6}
      data={choices.map(String)}
      value={value === undefined ? null : String(value)}
      placeholder={placeholderOf(field)}
      allowDeselect={!field.required && field.default === undefined}
      comboboxProps={{ shadow: 'md', width: 'max-content', position: 'bottom-end' }}
      maxDropdownHeight={320}
      onChange={(text) => onChange(text === null ? undefined : readText({ kind: 'choice', choices }, text))}
    />
  );
}

/** Width of a letter of a unit, pixels. */
const UNIT_LETTER = 6;
const FEWEST_ROWS = 2;
const MOST_ROWS = 24;

/** Lines for programs: not wrapped or trimmed. The area grows with them. */
function LinesControl({ id, field, value, invalid, describedBy, disabled, onChange }: Properties) {
  const text = value === undefined ? '' : String(value);
  useDescription(id, describedBy);
  return (
    <Textarea
      id={id}
      aria-label={field.title}
      disabled={disabled ?? false}
      error={invalid}
      rows={Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, text.split('\n').length + 1))}
      spellCheck={false}
      autoComplete="off"
      placeholder={placeholderOf(field)}
      classNames={{ input: classes.lines ?? '' }}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

function CodeControl({
  id,
  field,
  value,
  invalid,
  describedBy,
  disabled,
  onChange,
  language,
}: Properties & { language: CodeLanguage }) {
  return (
    <div className={classes.code} data-invalid={invalid || undefined}>
      <CodeEditor
        id={id}
        label={field.title}
        describedBy={describedBy}
        readOnly={disabled ?? false}
        invalid={invalid}
        placeholder={placeholderOf(field)}
        language={language}
        text={value === undefined ? '' : String(value)}
        onChange={(text) => onChange(text || undefined)}
      />
    </div>
  );
}

/**
 * Text after the figure: its unit and, for a duration, how it was interpreted: “= 1 h 30 min” while it is typed so, then “s · 1 h 30 min”.
 */
function unitWords({ unit, shape }: Field, value: Scalar | undefined, draft: string | undefined): string | undefined {
  const isDuration = shape.kind === 'number' && shape.duration !== undefined && typeof value === 'number';
  if (!isDuration || shape.duration === undefined) return unit;
  if (draft !== undefined && hasDurationUnit(draft)) return `= ${durationWords(value, shape.duration)}`;
  return [unit, largerUnits(value, shape.duration)].filter(Boolean).join(' · ');
}

/** Keeps the text as typed while focused, so that “1.” is not rewritten to “1” while typing. */
function TextControl({ id, field, value, invalid, describedBy, disabled, onChange }: Properties) {
  const [draft, setDraft] = useState<string>();
  const numeric = field.shape.kind === 'number';
  const unit = unitWords(field, value, draft);
  useDescription(id, unit === undefined ? describedBy : `${id}-unit ${describedBy}`);
  return (
    <TextInput
      id={id}
      aria-label={field.title}
      disabled={disabled ?? false}
      error={invalid}
      spellCheck={false}
      autoComplete="off"
      inputMode={numeric ? 'decimal' : 'text'}
      placeholder={placeholderOf(field)}
      classNames={numeric ? { input: classes.number ?? '' } : {}}
      rightSection={
        unit && (
          <span id={`${id}-unit`} className={classes.unit}>
            {unit}
          </span>
        )
      }
      rightSectionWidth="auto"
      rightSectionPointerEvents="none"
      styles={unit ? { input: { paddingInlineEnd: `${unit.length * UNIT_LETTER + 18}px` } } : {}}
      value={draft ?? (value === undefined ? '' : String(value))}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setDraft(text);
        onChange(text.trim() === '' ? undefined : readText(field.shape, text));
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}
