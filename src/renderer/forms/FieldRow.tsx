import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconInfoCircle } from '@tabler/icons-react';
import { memo, useEffect, useId, useRef, useState } from 'react';
import type { Scalar } from '../../shared/model/experiment.ts';
import { FieldControl } from './FieldControl.tsx';
import type { Field } from './fields.ts';
import classes from './forms.module.css';

/** Whether the words for an option are shown below it, or on demand: over the page, which does not move. */
export type Help = 'in full' | 'on demand';

interface Properties {
  field: Field;
  value: Scalar | undefined;
  changed: boolean;
  problem: string | undefined;
  /** Shown instead of the input, e.g. that the matrix varies it. */
  instead: string | undefined;
  help: Help;
  disabled: boolean;
  onChange(field: Field, value: Scalar | undefined): void;
}

/** One option: its words, its input with the unit, its problem, and a reset to its default. */
export const FieldRow = memo(function FieldRow({
  field,
  value,
  changed,
  problem,
  instead,
  help,
  disabled,
  onChange,
}: Properties) {
  const id = useId();
  const describedBy = `${id}-words`;
  return (
    <div
      className={classes.row}
      data-changed={changed || undefined}
      data-wide={isWide(field) || undefined}
      data-option={field.name}
    >
      <div className={classes.title}>
        <label htmlFor={id}>{field.title}</label>
        {help === 'on demand' && field.description && <HelpMark title={field.title} description={field.description} />}
        {changed && !disabled && <Reset field={field} onReset={() => onChange(field, undefined)} />}
      </div>
      <div className={classes.control} data-kind={field.shape.kind}>
        {instead !== undefined ? (
          <div className={classes.varied} title={instead}>
            {instead}
          </div>
        ) : (
          <FieldControl
            id={id}
            field={field}
            value={value}
            invalid={problem !== undefined}
            describedBy={describedBy}
            disabled={disabled}
            onChange={(next) => onChange(field, next)}
          />
        )}
      </div>
      {problem && (
        <div className={classes.problem} role="alert">
          {problem}
        </div>
      )}
      <div id={describedBy} className={help === 'on demand' ? 'kp-visually-hidden' : classes.description}>
        {field.description}
      </div>
    </div>
  );
});

const isWide = ({ shape }: Field): boolean => shape.kind === 'text' && shape.multiline;

/** Opens by mouse, keyboard or touch; Escape closes it. */
export const HelpMark = ({ title, description }: { title: string; description: string }) => (
  <Tooltip
    label={description}
    multiline
    w={340}
    p="8px 12px"
    position="top-start"
    openDelay={150}
    events={{ hover: true, focus: true, touch: true }}
  >
    <ActionIcon size={18} variant="subtle" color="gray" className={classes.help ?? ''} aria-label={`About ${title}`}>
      <IconInfoCircle size={14} stroke={1.8} />
    </ActionIcon>
  </Tooltip>
);

function Reset({ field, onReset }: { field: Field; onReset(): void }) {
  const preset = String(field.default);
  const label =
    field.default === undefined
      ? 'Clear'
      : `Back to ${preset === '' ? 'empty' : preset.includes('\n') ? 'the default' : preset}`;
  return (
    <Tooltip label={label}>
      <ActionIcon size={18} variant="subtle" color="gray" aria-label={`${label}: ${field.title}`} onClick={onReset}>
        <IconArrowBackUp size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Whether the user tried to submit a form. Each attempt focuses the first invalid field, which may be out of view. */
export function useTries() {
  const form = useRef<HTMLFormElement>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    wrong?.scrollIntoView?.({ block: 'center' });
  }, [tries]);
  return { form, tried: tries > 0, attempt: () => setTries(tries + 1) };
}
