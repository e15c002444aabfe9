import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Scalar } from '../../shared/model/experiment.ts';
import type { CodeLanguage } from '../../shared/model/tool.ts';
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

/** The input that fits a field's shape; its label and words stand elsewhere and refer to `id`. */
export function FieldControl(properties: Properties) {
  const { field } = properties;
  if (field.shape.kind === 'switch') return <SwitchControl {...properties} />;
  if (field.shape.kind === 'choice') return <ChoiceControl {...properties} choices={field.shape.choices} />;
  if (field.shape.kind === 'text' && field.shape.language)
    return <CodeControl {...properties} language={field.shape.language} />;
  if (field.shape.kind === 'text' && field.shape.multiline) return <LinesControl {...properties} />;
  return <TextControl {...properties} />;
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
  return (
    <Select
      id={id}
      aria-label={field.title}
      aria-describedby={describedBy}
      disabled={disabled ?? false}
      error={invalid}
      searchable={choices.length > 6}
      data={choices.map(String)}
      value={value === undefined ? null : String(value)}
      placeholder="Not set"
      allowDeselect={!field.required && field.default === undefined}
      comboboxProps={{ shadow: 'md', width: 'max-content', position: 'bottom-end' }}
      maxDropdownHeight={320}
      onChange={(text) => onChange(text === null ? undefined : readText({ kind: 'choice', choices }, text))}
    />
  );
}

const FEWEST_ROWS = 2;
const MOST_ROWS = 24;

/** Lines as a program reads them: none is wrapped and nothing is trimmed. The area grows with them. */
function LinesControl({ id, field, value, invalid, describedBy, disabled, onChange }: Properties) {
  const text = value === undefined ? '' : String(value);
  return (
    <Textarea
      id={id}
      aria-label={field.title}
      aria-describedby={describedBy}
      disabled={disabled ?? false}
      error={invalid}
      rows={Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, text.split('\n').length + 1))}
      spellCheck={false}
      autoComplete="off"
      placeholder={field.default === undefined ? 'Not set' : String(field.default)}
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
        placeholder={field.default === undefined ? 'Not set' : String(field.default)}
        language={language}
        text={value === undefined ? '' : String(value)}
        onChange={(text) => onChange(text || undefined)}
      />
    </div>
  );
}

/** Holds the text as typed while it has the focus, so that “1.” is not rewritten to “1” under the fingers. */
function TextControl({ id, field, value, invalid, describedBy, disabled, onChange }: Properties) {
  const [draft, setDraft] = useState<string>();
  const numeric = field.shape.kind === 'number';
  return (
    <TextInput
      id={id}
      aria-label={field.title}
      aria-describedby={describedBy}
      disabled={disabled ?? false}
      error={invalid}
      spellCheck={false}
      autoComplete="off"
      inputMode={numeric ? 'decimal' : 'text'}
      placeholder={field.default === undefined ? 'Not set' : String(field.default)}
      classNames={numeric ? { input: classes.number ?? '' } : {}}
      rightSection={field.unit && <span className={classes.unit}>{field.unit}</span>}
      rightSectionWidth="auto"
      rightSectionPointerEvents="none"
      styles={field.unit ? { input: { paddingInlineEnd: `calc(${field.unit.length}ch + 18px)` } } : {}}
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
