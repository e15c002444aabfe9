import {
  Autocomplete,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { countPatterns, type FactorLevels, ladderFactor } from '../../../shared/chart-models/index.ts';
import { metricOf, PROGRESS } from '../../../shared/metrics/index.ts';
import { type ChartChoice, isOfSeconds, MOST_GROUPINGS } from '../../../shared/model/chart.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import classes from './charts.module.css';
import { type ChartDraft, hasLevels, KINDS, type MetricGroup } from './draft.ts';
import { MarkerFields } from './MarkerFields.tsx';

interface Properties {
  draft: ChartDraft;
  onChange(draft: ChartDraft): void;
  metrics: readonly MetricGroup[];
  factors: readonly FactorLevels[];
  /** Default title of the chart. */
  title: string;
  /** Unit of the drawn metric, if known. */
  unit?: string | undefined;
  /** Sessions that can be laid over a curve. */
  sessions?: readonly Pick<Session, 'id' | 'name'>[] | undefined;
  /** Messages by field, `markers.0.level`. */
  problems?: Readonly<Record<string, string>>;
}

/** The fields of a chart. */
export function ChartForm({
  draft,
  onChange,
  metrics,
  factors,
  title,
  unit = '',
  sessions = [],
  problems = {},
}: Properties) {
  const { kind, metric } = draft;
  const put = (part: Partial<ChartDraft>): void => onChange({ ...draft, ...part });
  const varied = factors.filter(({ levels }) => levels.length > 1);
  const hasGroups = kind === 'bars' || kind === 'stairs';
  const inGroups = hasGroups ? draft.groups : [];
  const ladder = ladderFactor(factors.filter(({ name }) => name !== draft.panels && !inGroups.includes(name)));
  const isLaidOver = kind === 'curve' && draft.over !== null;
  const isOfCounts = kind === 'histogram' && draft.counts.trim() !== '';
  const along = hasLevels(kind) ? (factors.find(({ name }) => name === draft.x) ?? ladder) : undefined;
  const groups = metrics.filter(({ seconds }) => seconds || !isOfSeconds({ kind }));
  const isKnown = metric === null || groups.some(({ items }) => items.some(({ value }) => value === metric));
  return (
    <div className={classes.form}>
      <div className={classes.wide}>
        <SegmentedControl
          aria-label="Kind of chart"
          fullWidth
          data={KINDS.map(({ value, label }) => ({ value, label }))}
          value={kind}
          onChange={(value) => put({ kind: value as ChartChoice['kind'] })}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {KINDS.find(({ value }) => value === kind)?.words}
        </Text>
      </div>
      {kind === 'histogram' ? (
        <Autocomplete
          label="Counts"
          placeholder="none: counts seconds"
          data={countPatterns(metrics.flatMap(({ items }) => items.map(({ value }) => value)))}
          value={draft.counts}
          error={problems.counts}
          onChange={(counts) => put({ counts })}
        />
      ) : null}
      <Select
        disabled={isOfCounts}
        label="Metric"
        placeholder="The displayed metric"
        clearable
        searchable
        data={[
          // Kept if this session has no seconds of it, or no longer has this measure.
          ...(isKnown ? [] : [{ group: 'Chosen', items: [{ value: metric, label: metric }] }]),
          ...groups.map(({ group, items }) => ({ group, items: [...items] })),
        ]}
        value={metric}
        error={problems.metric}
        onChange={(value) => put({ metric: value })}
      />
      {kind === 'timeline' ? (
        <Select
          label="Along"
          placeholder="time"
          clearable
          data={PROGRESS.map((id) => ({ value: id, label: metricOf(id).label }))}
          value={draft.x}
          error={problems.x}
          onChange={(x) => put({ x })}
        />
      ) : null}
      {hasLevels(kind) && varied.length > 0 ? (
        <Select
          label="Along"
          placeholder={ladder?.name ?? ''}
          clearable
          data={varied.map(({ name }) => name).filter((name) => name !== draft.panels && !inGroups.includes(name))}
          value={draft.x}
          error={problems.x}
          onChange={(x) => put({ x })}
        />
      ) : null}
      {hasGroups ? <BarFields {...{ draft, put, varied, problems }} along={along?.name} /> : null}
      {varied.length > (hasLevels(kind) ? 1 : 0) && inGroups.length === 0 && kind !== 'stairs' && !isLaidOver ? (
        <Select
          label="Panels"
          placeholder="one for all cells"
          clearable
          data={varied
            .filter(({ name }) => name !== along?.name)
            .map(({ name }) => ({ value: name, label: `one for each ${name}` }))}
          value={draft.panels}
          error={problems.panels}
          onChange={(panels) => put({ panels })}
        />
      ) : null}
      {kind === 'curve' && (sessions.length > 0 || isLaidOver) ? (
        <Select
          label="Overlay session"
          placeholder="none"
          clearable
          searchable
          data={[
            // It may belong to another library.
            ...(draft.over === null || sessions.some(({ id }) => id === draft.over)
              ? []
              : [{ value: String(draft.over), label: `Session ${draft.over}` }]),
            ...sessions.map(({ id, name }) => ({ value: String(id), label: `${id}: ${name}` })),
          ]}
          value={draft.over === null ? null : String(draft.over)}
          error={problems.over}
          onChange={(value) => put({ over: value === null ? null : Number(value) })}
        />
      ) : null}
      {varied.length > 0 ? <OnlyField {...{ draft, put, varied, problems }} /> : null}
      <TextInput
        label="Title"
        placeholder={title}
        maxLength={120}
        value={draft.title}
        error={problems.title}
        onChange={(event) => put({ title: event.currentTarget.value })}
      />
      {isOfSeconds({ kind }) && !isOfCounts ? (
        <NumberInput
          label="Axis ends at"
          placeholder="all seconds"
          min={0}
          suffix={unit ? ` ${unit}` : ''}
          value={draft.clip}
          error={problems.clip}
          onChange={(value) => put({ clip: typeof value === 'number' ? value : '' })}
        />
      ) : null}
      {kind === 'bars' ? null : (
        <Switch
          className={classes.switch ?? ''}
          label="Log axis"
          checked={draft.isLog}
          onChange={(event) => put({ isLog: event.currentTarget.checked })}
        />
      )}
      {isOfCounts ? null : (
        <MarkerFields {...{ draft, unit, problems }} along={along} onChange={(markers) => put({ markers })} />
      )}
    </div>
  );
}

interface BarProperties {
  draft: ChartDraft;
  put(part: Partial<ChartDraft>): void;
  varied: readonly FactorLevels[];
  along: string | undefined;
  problems: Readonly<Record<string, string>>;
}

/** Separator between a factor and its level in the value of an option: no name contains it. */
const BETWEEN = '\n';

/** Grouping of bars, and the baseline of their ratios. */
function BarFields({ draft, put, varied, along, problems }: BarProperties) {
  const [baseline] = Object.entries(draft.against ?? {});
  const levels = varied.flatMap((factor) => factor.levels.map((level) => ({ factor, level })));
  const idOf = (name: string, level: unknown): string => `${name}${BETWEEN}${level}`;
  return (
    <>
      {varied.length > 1 && (draft.panels === null || draft.kind === 'stairs') ? (
        <MultiSelect
          label="Groups"
          placeholder={draft.groups.length === 0 ? 'none' : ''}
          clearable
          maxValues={Math.min(MOST_GROUPINGS, varied.length - 1)}
          data={varied.map(({ name }) => name).filter((name) => name !== along)}
          value={[...draft.groups]}
          error={problems.groups}
          onChange={(groups) => put({ groups })}
        />
      ) : null}
      {varied.length > 0 && draft.kind === 'bars' ? (
        <Select
          label="Ratio to"
          placeholder="figures, no ratios"
          clearable
          searchable
          data={varied.map(({ name, levels: own }) => ({
            group: name,
            items: own.map((level) => ({ value: idOf(name, level), label: formatLevels({ [name]: level }) })),
          }))}
          value={baseline ? idOf(...baseline) : null}
          error={problems.against}
          onChange={(value) => {
            const chosen = levels.find(({ factor, level }) => idOf(factor.name, level) === value);
            put({ against: chosen ? { [chosen.factor.name]: chosen.level } : null });
          }}
        />
      ) : null}
    </>
  );
}

/** Selects the cells to draw, by their levels. */
function OnlyField({ draft, put, varied, problems }: Omit<BarProperties, 'along'>) {
  const idOf = (name: string, level: unknown): string => `${name}${BETWEEN}${level}`;
  const chosen = Object.entries(draft.only).flatMap(([name, levels]) => levels.map((level) => idOf(name, level)));
  return (
    <MultiSelect
      label="Only"
      placeholder={chosen.length === 0 ? 'all cells' : ''}
      clearable
      searchable
      data={varied.map(({ name, levels }) => ({
        group: name,
        items: levels.map((level) => ({ value: idOf(name, level), label: formatLevels({ [name]: level }) })),
      }))}
      value={chosen}
      error={Object.entries(problems).find(([path]) => path.startsWith('only'))?.[1]}
      onChange={(values) =>
        put({
          only: Object.fromEntries(
            varied
              .map(({ name, levels }) => [name, levels.filter((level) => values.includes(idOf(name, level)))] as const)
              .filter(([, levels]) => levels.length > 0),
          ),
        })
      }
    />
  );
}
