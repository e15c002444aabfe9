import { Group, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { measuresOf } from '../../../shared/measures/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import { IconAction } from '../../ui/index.ts';
import { definitionWords } from './choices.ts';
import classes from './measures.module.css';

interface Properties {
  label: string;
  /** In order; each may use those before it. */
  measures: readonly DerivedMeasure[];
  /** Measures that cannot be changed here, with the reason. */
  fixed?: { readonly measures: readonly DerivedMeasure[]; readonly words: string };
  /** Why a measure cannot be calculated, by index. */
  problems?: Readonly<Record<number, string>>;
  onEdit(measure: DerivedMeasure): void;
  onRemove(measure: DerivedMeasure): void;
}

/** Measures with their definitions. */
export function MeasureList({ label, measures, fixed, problems = {}, onEdit, onRemove }: Properties) {
  const all = measuresOf(measures);
  return (
    <ul className={classes.list} aria-label={label}>
      {measures.map((measure, place) => (
        <li key={measure.name}>
          <div className={classes.line}>
            <span>{measure.name}</span>
            <code className="kp-mono kp-small">{definitionWords(all, measure.name) || measure.is}</code>
            {problems[place] === undefined ? null : (
              <Text size="xs" c="var(--mantine-color-error)">
                {problems[place]}
              </Text>
            )}
          </div>
          {fixed?.measures.includes(measure) ? (
            <Text size="xs" c="dimmed">
              {fixed.words}
            </Text>
          ) : (
            <Group gap={2} wrap="nowrap">
              <IconAction label={`Edit ${measure.name}`} onClick={() => onEdit(measure)}>
                <IconPencil size={15} />
              </IconAction>
              <IconAction label={`Remove ${measure.name}`} onClick={() => onRemove(measure)}>
                <IconTrash size={15} />
              </IconAction>
            </Group>
          )}
        </li>
      ))}
    </ul>
  );
}
