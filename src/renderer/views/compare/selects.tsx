import { MultiSelect, NumberInput, Select } from '@mantine/core';
import type { Session } from '../../../shared/model/session.ts';
import { formatDateTime, formatLevel } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';

interface SessionsProperties {
  label: string;
  sessions: readonly Session[];
  ids: readonly number[];
  onChange: (ids: number[]) => void;
}

/** One or several sessions of the same set-up. */
export const SessionsSelect = ({ label, sessions, ids, onChange }: SessionsProperties) => (
  <MultiSelect
    label={label}
    w={340}
    searchable
    placeholder={ids.length === 0 ? 'Choose a session' : 'and another of the same set-up'}
    data={sessions.map((session) => ({
      value: String(session.id),
      label: `${formatDateTime(session.createdAt)} · ${session.name}`,
    }))}
    value={ids.map(String)}
    onChange={(values) => onChange(values.map(Number))}
  />
);

interface LevelProperties {
  sessionId: number;
  factor?: string;
  level?: string;
  onChange: (factor: string, level: string) => void;
}

/** The level of a factor that is the baseline for the other cells of a session. */
export function LevelSelect({ sessionId, factor, level, onChange }: LevelProperties) {
  const detail = useCall('sessions.get', { id: sessionId });
  const factors = (detail.data?.experiment.factors ?? []).filter(({ levels }) => levels.length > 1);
  const groups = factors.map(({ name, levels }) => ({
    group: name,
    items: levels.map((each) => ({
      value: JSON.stringify([name, String(each)]),
      label: `${name} ${formatLevel(each)}`,
    })),
  }));
  return (
    <Select
      label="Against the level"
      w={220}
      allowDeselect={false}
      placeholder={factors.length > 0 || !detail.data ? 'Choose a level' : 'The session varies nothing'}
      data={groups}
      value={factor === undefined || level === undefined ? null : JSON.stringify([factor, level])}
      onChange={(value) => {
        if (value) onChange(...(JSON.parse(value) as [string, string]));
      }}
    />
  );
}

/** Below which share a difference does not matter. */
export const MarginInput = ({ margin, onChange }: { margin: number; onChange: (margin: number) => void }) => (
  <NumberInput
    label="Margin"
    title="A difference below this is called smaller than what matters; “no difference” is said only where the interval lies within it."
    w={110}
    suffix=" %"
    min={0.1}
    max={100}
    step={1}
    value={Number((margin * 100).toPrecision(3))}
    onChange={(value) => {
      if (typeof value === 'number' && value > 0) onChange(value / 100);
    }}
  />
);

interface CutProperties {
  /** What both experiments plan; undefined: they differ. */
  planned: number | undefined;
  /** What is asked for in its place; undefined: nothing. */
  asked: number | undefined;
  onChange: (seconds: number | undefined) => void;
}

/** Seconds that are left out at the start of each run, on both sides alike; emptied: as planned. */
export const CutInput = ({ planned, asked, onChange }: CutProperties) => (
  <NumberInput
    label={asked === undefined ? 'Warm-up cut, as planned' : 'Warm-up cut'}
    title="Seconds that are left out at the start of each run, the same on both sides. Empty: as each experiment plans."
    w={170}
    suffix=" s"
    min={0}
    step={5}
    placeholder="differs"
    value={asked ?? planned ?? ''}
    onChange={(value) => onChange(typeof value === 'number' ? value : undefined)}
  />
);
