import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import { IconAction, Status } from '../../../ui/index.ts';
import classes from './editor.module.css';

interface Properties {
  file: ExperimentFile | undefined;
  name: string;
  changed: boolean;
  /** Whether the document is shown as text, and whether it has to be. */
  yaml: boolean;
  onlyYaml: boolean;
  nameable: boolean;
  saving: boolean;
  /** Absent: there is nothing to undo, or redo. */
  onUndo: (() => void) | undefined;
  onRedo: (() => void) | undefined;
  onName(name: string): void;
  onView(yaml: boolean): void;
  onSave(): void;
}

/** Name, state of the changes, switch between the two views of the document, and saving. */
export function EditorHead({
  file,
  name,
  changed,
  yaml,
  onlyYaml,
  nameable,
  saving,
  onUndo,
  onRedo,
  onName,
  onView,
  onSave,
}: Properties) {
  const own = file?.origin === 'saved';
  return (
    <header className={classes.head}>
      <NameInput name={name} disabled={!nameable} onChange={onName} />
      <SavedMark file={file} changed={changed} />
      <div className={classes.history}>
        <IconAction label="Undo" disabled={!onUndo} onClick={() => onUndo?.()}>
          <IconArrowBackUp size={18} stroke={1.6} />
        </IconAction>
        <IconAction label="Redo" disabled={!onRedo} onClick={() => onRedo?.()}>
          <IconArrowForwardUp size={18} stroke={1.6} />
        </IconAction>
      </div>
      <SegmentedControl
        aria-label="View"
        value={yaml ? 'yaml' : 'steps'}
        data={[
          { value: 'steps', label: 'Steps', disabled: onlyYaml },
          { value: 'yaml', label: 'YAML' },
        ]}
        onChange={(view) => onView(view === 'yaml')}
      />
      <Button variant="default" onClick={onSave} loading={saving} disabled={!changed && own}>
        {file?.origin === 'template' ? 'Save as new experiment' : 'Save'}
      </Button>
    </header>
  );
}

function NameInput({ name, disabled, onChange }: { name: string; disabled: boolean; onChange(name: string): void }) {
  const [draft, setDraft] = useState<string>();
  return (
    <TextInput
      className={classes.name ?? ''}
      aria-label="Name of the experiment"
      variant="unstyled"
      maxLength={200}
      readOnly={disabled}
      value={draft ?? name}
      onChange={(event) => {
        setDraft(event.currentTarget.value);
        // A document always has a name: an emptied one is restored when the field is left.
        if (event.currentTarget.value.trim() !== '') onChange(event.currentTarget.value);
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}

function SavedMark({ file, changed }: { file: ExperimentFile | undefined; changed: boolean }) {
  if (!file) return <Status tone="warn">Not saved yet</Status>;
  if (changed) return <Status tone="warn">Unsaved changes</Status>;
  return <Status tone="idle">{file.origin === 'saved' ? 'Saved' : 'Template'}</Status>;
}
