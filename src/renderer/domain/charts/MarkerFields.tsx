import { Button, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { FactorLevels } from '../../../shared/chart-models/index.ts';
import { MOST_MARKERS } from '../../../shared/model/chart.ts';
import { valueOfLevel } from '../../../shared/model/factor.ts';
import { IconAction } from '../../ui/index.ts';
import classes from './charts.module.css';
import { type ChartDraft, type MarkerDraft, takesMarker } from './draft.ts';

interface Properties {
  draft: Pick<ChartDraft, 'kind' | 'markers'>;
  onChange(markers: readonly MarkerDraft[]): void;
  /** The factor along the axis. */
  along: FactorLevels | undefined;
  unit: string;
  problems: Readonly<Record<string, string>>;
}

/** Lines across a chart: a limit of the metric, or a place among the levels such as the number of CPUs. */
export function MarkerFields({ draft: { kind, markers }, onChange, along, unit, problems }: Properties) {
  const isNumeric = along?.levels.every((level) => valueOfLevel(along, level) !== undefined) ?? false;
  const places = [
    { value: 'value', label: 'Value of the metric' },
    ...(along && takesMarker(kind, { on: 'level' }) && isNumeric
      ? [{ value: 'level', label: `Level of ${along.name}` }]
      : []),
  ];
  const put = (place: number, part: Partial<MarkerDraft>): void =>
    onChange(markers.map((marker, index) => (index === place ? { ...marker, ...part } : marker)));
  return (
    <fieldset className={classes.markers}>
      <legend>Lines across the chart</legend>
      {markers.map((marker, place) => {
        const number = place + 1;
        const problem = Object.entries(problems).find(([path]) => path.startsWith(`markers.${place}`))?.[1];
        return takesMarker(kind, marker) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is typed, and the index is its only identity
          <div className={classes.marker} key={place}>
            <TextInput
              aria-label={`Name of line ${number}`}
              placeholder={marker.on === 'level' ? 'CPUs' : 'limit'}
              maxLength={60}
              value={marker.name}
              error={problem}
              onChange={(event) => put(place, { name: event.currentTarget.value })}
            />
            <Select
              aria-label={`Axis of line ${number}`}
              allowDeselect={false}
              data={places}
              value={marker.on}
              onChange={(on) => put(place, { on: on === 'level' ? 'level' : 'value' })}
            />
            <NumberInput
              aria-label={`Place of line ${number}`}
              suffix={marker.on === 'value' && unit ? ` ${unit}` : ''}
              value={marker.at}
              onChange={(at) => put(place, { at: typeof at === 'number' ? at : '' })}
            />
            <IconAction
              label={`Remove line ${number}`}
              onClick={() => onChange(markers.filter((_, index) => index !== place))}
            >
              <IconTrash size={15} />
            </IconAction>
          </div>
        ) : null;
      })}
      {markers.length === 0 ? (
        <Text size="xs" c="dimmed">
          A limit of the metric, or a level such as the number of CPUs.
        </Text>
      ) : null}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        disabled={markers.length >= MOST_MARKERS}
        onClick={() => onChange([...markers, { name: '', on: 'value', at: '' }])}
      >
        Add a line
      </Button>
    </fieldset>
  );
}
