import { type ComboboxItem, MultiSelect, NumberInput, Select } from '@mantine/core';
import { namedLevels } from '../../../shared/model/factor.ts';
import type { Session } from '../../../shared/model/session.ts';
import { sessionFacts, sessionLabel } from '../../../shared/model/session-words.ts';
import { formatCount, formatLevel, formatLevels } from '../../../shared/util/format.ts';
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

/** Cells that are offered as a baseline by themselves. */
const MOST_CELLS = 200;

interface CellProperties {
  /** The session on the side of the baseline. */
  sessionId: number;
  /** Undefined: cells are compared with those of the same levels. */
  cell: number | undefined;
  onChange: (cell: number | undefined) => void;
}

/** The cell of the baseline that all cells of the other session are compared with. Renders nothing if there is a single one. */
export function CellSelect({ sessionId, cell, onChange }: CellProperties) {
  const { plan } = useCall('sessions.get', { id: sessionId }).data ?? {};
  if (!plan || plan.cells.length < 2) return null;
  return (
    <Select
      label="Against"
      title="A cell of the baseline that all cells of the other side are compared with."
      w={220}
      clearable
      searchable
      placeholder="cells with the same levels"
      data={plan.cells.slice(0, MOST_CELLS).map(({ index, levels }) => ({
        value: String(index),
        label: formatLevels(levels),
      }))}
      value={cell === undefined ? null : String(cell)}
      onChange={(value) => onChange(value === null ? undefined : Number(value))}
    />
  );
}

interface LevelProperties {
  sessionId: number;
  factor?: string;
  level?: string;
  cell: number | undefined;
  onChange: (against: { factor?: string; level?: string; cell?: number }) => void;
}

/** The baseline for the other cells of a session: a level of a factor, for cells with otherwise the same levels, or one cell. */
export function LevelSelect({ sessionId, factor, level, cell, onChange }: LevelProperties) {
  const detail = useCall('sessions.get', { id: sessionId });
  const factors = (detail.data?.experiment.factors ?? []).filter(({ levels }) => levels.length > 1);
  const groups = namedLevels(factors).map(({ name, levels }) => ({
    group: name,
    items: levels.map((each) => ({
      value: JSON.stringify([name, String(each)]),
      label: `${name} ${formatLevel(each)}`,
    })),
  }));
  const cells = (detail.data?.plan.cells ?? []).slice(0, MOST_CELLS).map(({ index, levels }) => ({
    value: String(index),
    label: formatLevels(levels),
  }));
  // Cells that differ in one factor are its levels.
  const all = factors.length > 1 ? [...groups, { group: 'one cell, against all others', items: cells }] : groups;
  const chosen = cell === undefined ? undefined : String(cell);
  return (
    <Select
      label="Against"
      w={220}
      allowDeselect={false}
      searchable
      placeholder={factors.length > 0 || !detail.data ? 'Choose a level or cell' : 'No factors'}
      data={all}
      value={chosen ?? (factor === undefined || level === undefined ? null : JSON.stringify([factor, level]))}
      onChange={(value) => {
        const read: unknown = JSON.parse(value ?? 'null');
        if (typeof read === 'number') onChange({ cell: read });
        else if (Array.isArray(read)) onChange({ factor: String(read[0]), level: String(read[1]) });
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
