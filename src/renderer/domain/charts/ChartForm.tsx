import { Autocomplete, NumberInput, SegmentedControl, Select, Switch, Text, TextInput } from '@mantine/core';
import { countPatterns, type FactorLevels, ladderFactor, WHISKER_WORDS } from '../../../shared/chart-models/index.ts';
import { metricOf, PROGRESS } from '../../../shared/metrics/index.ts';
import { type ChartChoice, isOfSeconds, WHISKERS } from '../../../shared/model/chart.ts';
import type { Session } from '../../../shared/model/session.ts';
import classes from './charts.module.css';
import { type ChartDraft, hasGroups, hasLevels, hasLog, hasWhiskers, KINDS, type MetricGroup } from './draft.ts';
import { LevelFields, OnlyField } from './LevelFields.tsx';
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
  const inGroups = hasGroups(kind) ? draft.groups : [];
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
      <LevelFields {...{ draft, put, varied, along, ladder, inGroups, problems }} />
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
      <LookFields {...{ draft, put, title, unit, isOfCounts, problems }} />
      {isOfCounts || kind === 'table' ? null : (
        <MarkerFields {...{ draft, unit, problems }} along={along} onChange={(markers) => put({ markers })} />
      )}
    </div>
  );
}

type LookProperties = Required<Pick<Properties, 'draft' | 'title' | 'problems'>> & {
  put(part: Partial<ChartDraft>): void;
  unit: string;
  isOfCounts: boolean;
};

/** Titles of the chart and of its axes, and the vertical axis. */
function LookFields({ draft, put, title, unit, isOfCounts, problems }: LookProperties) {
  const { kind } = draft;
  return (
    <>
      <TextInput
        label="Title"
        placeholder={title}
        maxLength={120}
        value={draft.title}
        error={problems.title}
        onChange={(event) => put({ title: event.currentTarget.value })}
      />
      <TextInput
        label="Title of the horizontal axis"
        placeholder="what it shows"
        maxLength={60}
        value={draft.xTitle}
        error={problems['axes.x']}
        onChange={(event) => put({ xTitle: event.currentTarget.value })}
      />
      {kind === 'table' ? null : (
        <TextInput
          label="Title of the vertical axis"
          placeholder="what it shows"
          maxLength={60}
          value={draft.yTitle}
          error={problems['axes.y']}
          onChange={(event) => put({ yTitle: event.currentTarget.value })}
        />
      )}
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
      {hasWhiskers(draft) ? (
        <Select
          label="Whiskers"
          placeholder="repeats, if there are several"
          clearable
          data={WHISKERS.map((value) => ({ value, label: WHISKER_WORDS[value] }))}
          value={draft.whiskers}
          error={problems.whiskers}
          onChange={(value) => put({ whiskers: WHISKERS.find((each) => each === value) ?? null })}
        />
      ) : null}
      {hasLog(kind) ? (
        <Switch
          className={classes.switch ?? ''}
          label="Log axis"
          checked={draft.isLog}
          onChange={(event) => put({ isLog: event.currentTarget.checked })}
        />
      ) : null}
    </>
  );
}
