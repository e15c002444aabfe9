import { Button, Group, NumberInput, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { measuresOf } from '../../../shared/measures/index.ts';
import { type Metric, metricOf } from '../../../shared/metrics/index.ts';
import { type DerivedMeasure, TAKES, type Take } from '../../../shared/model/derived.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import { ProblemBanner } from '../../ui/index.ts';
import { formulaProblem, inFormula, nameOfChoice, type SourceChoices, TAKE_WORDS, withValue } from './choices.ts';

interface Properties {
  /** Prefilled fields. */
  initial: Partial<DerivedMeasure>;
  choices: readonly SourceChoices[];
  /** Measures before it. */
  before: readonly DerivedMeasure[];
  submit: string;
  busy?: boolean;
  problem?: Problem | undefined;
  onSubmit(measure: DerivedMeasure): void;
  onCancel?: (() => void) | undefined;
}

type Kind = 'formula' | 'series';
type Better = NonNullable<DerivedMeasure['better']>;
const BETTER: readonly { value: Better; label: string }[] = [
  { value: 'higher', label: 'Higher is better' },
  { value: 'lower', label: 'Lower is better' },
  { value: 'neither', label: 'Neither' },
];
/** Maximum options of a list that are rendered at once: a server has hundreds of series. */
const MOST_OPTIONS = 100;

const keyOf = ({ of = '', series }: { of?: string | undefined; series: string }): string => `${of}\n${series}`;

/** A form for a measure: a series with an aggregate, or a formula. */
export function MeasureForm({
  initial,
  choices,
  before,
  submit,
  busy = false,
  problem,
  onSubmit,
  onCancel,
}: Properties) {
  const [draft, setDraft] = useState(initial);
  const [kind, setKind] = useState<Kind>(initial.series === undefined ? 'formula' : 'series');
  const change = (part: Partial<DerivedMeasure>): void => setDraft((now) => ({ ...now, ...part }));
  const measure = measureOf(draft, kind);
  const wrong = kind === 'formula' ? formulaProblem(draft.is ?? '') : undefined;
  const kept =
    measure && wrong === undefined ? metricOf([...measuresOf([...before, measure]).keys()].at(-1) ?? '') : undefined;
  return (
    <form
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        if (measure && wrong === undefined) onSubmit(measure);
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          maxLength={60}
          data-autofocus
          value={draft.name ?? ''}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <SegmentedControl
          aria-label="Kind of measure"
          data={[
            { value: 'formula', label: 'Formula' },
            { value: 'series', label: 'Series' },
          ]}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
        />
        <SourceFields {...{ draft, kind, choices, wrong }} onChange={setDraft} />
        <ShownFields {...{ draft, kept }} onChange={setDraft} />
        {problem ? <ProblemBanner problem={problem} /> : null}
        <Group justify="flex-end">
          <Text size="xs" c="dimmed" flex={1}>
            Calculated from what is stored: no measurement changes.
          </Text>
          {onCancel ? (
            <Button variant="subtle" color="gray" onClick={onCancel}>
              Cancel
            </Button>
          ) : null}
          <Button type="submit" loading={busy} disabled={!measure || wrong !== undefined}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A part of the fields. `onChange` gets what makes the next draft from the present one. */
interface PartProperties {
  draft: Partial<DerivedMeasure>;
  onChange(next: (now: Partial<DerivedMeasure>) => Partial<DerivedMeasure>): void;
}

interface SourceProperties extends PartProperties {
  kind: Kind;
  choices: readonly SourceChoices[];
  /** Why the formula cannot be used. */
  wrong: string | undefined;
}

/** A formula and a list of what it can name, or a series and its statistic. */
function SourceFields({ draft, kind, choices, wrong, onChange }: SourceProperties) {
  const [searched, setSearched] = useState('');
  const put = (part: Partial<DerivedMeasure>): void => onChange((now) => ({ ...now, ...part }));
  const all = choices.flatMap(({ series }) => series);
  const chosen = draft.series === undefined ? null : keyOf({ ...draft, series: draft.series });
  const data = choices.map(({ name, series }) => ({
    group: name,
    items: series.map((each) => ({ value: keyOf(each), label: each.label })),
  }));
  // Kept until its source is known, or if this session does not have it.
  const unknown =
    chosen === null || all.some((each) => keyOf(each) === chosen)
      ? []
      : [{ group: draft.of ?? 'Tool', items: [{ value: chosen, label: draft.series ?? '' }] }];
  const choose = (key: string | null): void => {
    const found = all.find((each) => keyOf(each) === key);
    if (!found) return;
    const before = all.find((each) => keyOf(each) === chosen);
    const { of, series, unit } = found;
    onChange(({ of: _of, unit: _unit, ...now }) => ({
      ...now,
      // Unless it was typed, the name follows the series.
      name: !now.name || (before && now.name === nameOfChoice(before)) ? nameOfChoice(found) : now.name,
      series,
      ...(of !== undefined && { of, ...(unit !== '' && { unit }) }),
    }));
  };
  const insert = (key: string | null): void => {
    const found = all.find((each) => keyOf(each) === key);
    if (found) put({ is: withValue(draft.is ?? '', inFormula(found)) });
    setSearched('');
  };
  if (kind === 'formula')
    return (
      <>
        <Textarea
          label="Formula"
          description="Metrics, series, fact(TABLE, COLUMN), level(FACTOR), numbers, + − * /, min, max, or."
          classNames={{ input: 'kp-mono' }}
          required
          rows={2}
          resize="vertical"
          maxLength={2000}
          value={draft.is ?? ''}
          error={wrong}
          onChange={(event) => put({ is: event.currentTarget.value })}
        />
        <Select
          label="Insert"
          placeholder="Find a metric or a series"
          searchable
          limit={MOST_OPTIONS}
          data={data}
          value={null}
          searchValue={searched}
          onSearchChange={setSearched}
          onChange={insert}
        />
      </>
    );
  return (
    <Group grow align="flex-start">
      <Select
        label="Series"
        required
        searchable
        allowDeselect={false}
        limit={MOST_OPTIONS}
        data={[...unknown, ...data]}
        value={chosen}
        onChange={choose}
      />
      <Select
        label="Statistic of the measured seconds"
        allowDeselect={false}
        data={TAKES.map((take) => ({ value: take, label: TAKE_WORDS[take] }))}
        value={draft.take ?? 'mean'}
        onChange={(take) => put({ take: take as Take })}
      />
    </Group>
  );
}

/** How the figure is shown: unit, direction and decimals. `kept`: the metric as it would be stored, whose values are the defaults. */
function ShownFields({ draft, kept, onChange }: PartProperties & { kept: Metric | undefined }) {
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Unit"
        maxLength={20}
        placeholder={kept?.unit || 'none'}
        value={draft.unit ?? ''}
        onChange={(event) => {
          const unit = event.currentTarget.value;
          onChange((now) => ({ ...now, unit }));
        }}
      />
      <Select
        label="Better"
        placeholder={BETTER.find(({ value }) => value === kept?.better)?.label ?? 'Neither'}
        clearable
        data={[...BETTER]}
        value={draft.better ?? null}
        onChange={(better) =>
          onChange(({ better: _, ...now }) => ({ ...now, ...(better && { better: better as Better }) }))
        }
      />
      <NumberInput
        label="Decimals"
        min={0}
        max={6}
        placeholder="2"
        value={draft.digits ?? ''}
        onChange={(digits) =>
          onChange(({ digits: _, ...now }) => ({ ...now, ...(typeof digits === 'number' && { digits }) }))
        }
      />
    </Group>
  );
}

/** Undefined while a required field is missing. */
function measureOf(
  { name = '', is = '', of, series, take, unit = '', better, digits }: Partial<DerivedMeasure>,
  kind: Kind,
): DerivedMeasure | undefined {
  const isWhole = name.trim() !== '' && (kind === 'formula' ? is.trim() !== '' : series !== undefined);
  if (!isWhole) return undefined;
  return {
    name: name.trim(),
    ...(unit.trim() !== '' && { unit: unit.trim() }),
    ...(better && { better }),
    ...(digits !== undefined && { digits }),
    ...(kind === 'formula'
      ? { is: is.trim() }
      : {
          ...(of !== undefined && { of }),
          ...(series !== undefined && { series }),
          ...(take && take !== 'mean' && { take }),
        }),
  };
}
