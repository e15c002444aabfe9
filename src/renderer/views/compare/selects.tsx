import { type ComboboxItem, MultiSelect, NumberInput, Select } from '@mantine/core';
import { namedLevels } from '../../../shared/model/factor.ts';
import type { Session } from '../../../shared/model/session.ts';
import { sessionFacts, sessionLabel } from '../../../shared/model/session-words.ts';
import { formatCount, formatLevel } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';

interface SessionsProperties {
  label: string;
  sessions: readonly Session[];
  ids: readonly number[];
  onChange: (ids: number[]) => void;
}

/** One or several sessions of the same set-up. The field shows a short name for each; below it are further details that distinguish it. */
export function SessionsSelect({ label, sessions, ids, onChange }: SessionsProperties) {
  const byId = new Map(sessions.map((session) => [String(session.id), session]));
  const [first, ...more] = ids.flatMap((id) => byId.get(String(id)) ?? []);
  return (
    <MultiSelect
      label={label}
      w={360}
      styles={{ inputField: { minWidth: 40, flex: '1 1 40px' } }}
      searchable
      title="Several sessions of the same set-up count as one side."
      placeholder={ids.length === 0 ? 'Choose a session' : ''}
      inputWrapperOrder={['label', 'input', 'description']}
      description={
        first && (more.length > 0 ? `${formatCount(ids.length, 'session')} as one side` : sessionFacts(first))
      }
      data={sessions.map((session) => ({ value: String(session.id), label: sessionLabel(session) }))}
      renderOption={({ option }) => <SessionOption session={byId.get(option.value)} words={option.label} />}
      filter={({ options, search }) =>
        (options as ComboboxItem[]).filter(({ value }) => isFound(byId.get(value), search))
      }
      comboboxProps={{ width: 460, position: 'bottom-start' }}
      value={ids.map(String)}
      onChange={(values) => onChange(values.map(Number))}
    />
  );
}

/** Its full name, and below it the date, tool and target. */
const SessionOption = ({ session, words }: { session: Session | undefined; words: string }) => (
  <span className="kp-compare-option">
    <span>{session ? `${session.id} · ${session.name}` : words}</span>
    {session ? <span className="kp-small">{sessionFacts(session)}</span> : null}
  </span>
);

const isFound = (session: Session | undefined, search: string): boolean =>
  session !== undefined &&
  `${session.id} ${session.name} ${sessionFacts(session)}`.toLowerCase().includes(search.trim().toLowerCase());

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
  const groups = namedLevels(factors).map(({ name, levels }) => ({
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
      placeholder={factors.length > 0 || !detail.data ? 'Choose a level' : 'No factors'}
      data={groups}
      value={factor === undefined || level === undefined ? null : JSON.stringify([factor, level])}
      onChange={(value) => {
        if (value) onChange(...(JSON.parse(value) as [string, string]));
      }}
    />
  );
}

/** Share below which a difference does not matter. */
export const MarginInput = ({ margin, onChange }: { margin: number; onChange: (margin: number) => void }) => (
  <NumberInput
    label="Margin"
    title="Differences below this margin are negligible; “no difference” requires the interval to lie within it."
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
  /** The plan of both experiments; undefined: they differ. */
  planned: number | undefined;
  /** Replaces the planned one; undefined: nothing does. */
  asked: number | undefined;
  onChange: (seconds: number | undefined) => void;
}

/** Seconds cut at the start of each run, on both sides; empty: as planned. */
export const CutInput = ({ planned, asked, onChange }: CutProperties) => (
  <NumberInput
    label={asked === undefined ? 'Warm-up cut, as planned' : 'Warm-up cut'}
    title="Seconds excluded at the start of each run on both sides. Empty: as planned by each experiment."
    w={170}
    suffix=" s"
    min={0}
    step={5}
    placeholder="differs"
    value={asked ?? planned ?? ''}
    onChange={(value) => onChange(typeof value === 'number' ? value : undefined)}
  />
);
