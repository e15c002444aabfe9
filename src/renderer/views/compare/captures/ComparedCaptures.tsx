import { Select } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { KeptCapture } from '../../../../shared/model/capture.ts';
import { momentWords, ownFirst } from '../../../../shared/model/capture-words.ts';
import type { ComparedCell, ComparedFact, Comparison } from '../../../../shared/model/result.ts';
import { formatCount, formatLevels } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { KeptContent, ProfileTable } from '../../../domain/index.ts';
import { type Column, DataTable, Panel, ProblemBanner, Status } from '../../../ui/index.ts';
import { pairsOf, runsOf } from '../question.ts';

const NONE: readonly KeptCapture[] = [];

/** Captures of both sides of a cell: differences of counters per operation, and text or tables next to each other. */
export function ComparedCaptures({ comparison }: { comparison: Comparison }) {
  const pairs = useMemo(() => pairsOf(comparison.cells), [comparison.cells]);
  const [chosen, setChosen] = useState<string>();
  const nameOf = ({ levels }: ComparedCell): string => formatLevels(levels) || 'the only cell';
  const cell = pairs.find((each) => nameOf(each) === chosen) ?? pairs[0];
  const [one, other] = [runsOf(cell?.baseline), runsOf(cell?.other)];
  const isKnown = one.length > 0 && other.length > 0;
  const profiles = useCall('captures.compare', { one, other }, { enabled: isKnown });
  const ofOne = useKept(comparison.baseline.id, one);
  const ofOther = useKept(comparison.other.id, other);
  if (!cell || !isKnown) return null;
  if (profiles.error) return <ProblemBanner problem={profiles.error.problem} />;
  const choice =
    pairs.length > 1 ? (
      <Select
        aria-label="Cell of the captures"
        w={260}
        allowDeselect={false}
        searchable
        data={pairs.map(nameOf)}
        value={nameOf(cell)}
        onChange={(value) => setChosen(value ?? undefined)}
      />
    ) : null;
  const found = (profiles.data ?? []).filter(({ rows, why }) => rows.length > 0 || why !== undefined);
  const names = new Set(ofOther.map(({ name }) => name));
  return (
    <>
      {found.map((profile, index) => (
        <ProfileTable
          key={profile.name}
          profile={profile}
          sides={[comparison.baseline.name, comparison.other.name]}
          choice={index === 0 ? choice : null}
        />
      ))}
      {ofOne.some(({ name }) => names.has(name)) ? (
        <NextToEachOther
          ofOne={ofOne}
          ofOther={ofOther}
          comparison={comparison}
          choice={found.length > 0 ? null : choice}
        />
      ) : null}
    </>
  );
}

/** Stored text, tables and files of the runs of a side. */
function useKept(sessionId: number, runIds: readonly number[]): readonly KeptCapture[] {
  const all = useCall('captures.list', { sessionId }).data ?? NONE;
  return ownFirst(all).filter(
    ({ runId, as, bytes }) => runIds.includes(runId) && as !== 'difference' && as !== 'fact' && bytes > 0,
  );
}

interface SidesProperties {
  ofOne: readonly KeptCapture[];
  ofOther: readonly KeptCapture[];
  comparison: Comparison;
  choice: ReactNode;
}

function NextToEachOther({ ofOne, ofOther, comparison, choice }: SidesProperties) {
  const [left, setLeft] = useState<string | null>(null);
  const [right, setRight] = useState<string | null>(null);
  const one =
    ofOne.find(({ id }) => String(id) === left) ?? ofOne.find(({ name }) => ofOther.some((each) => each.name === name));
  const same = ofOther.filter(({ name }) => name === one?.name);
  const other =
    same.find(({ id }) => String(id) === right) ?? same.find(({ moment }) => moment === one?.moment) ?? same[0];
  if (!one || !other) return null;
  return (
    <Panel title="Captures of both sides" note="text, tables and files of single runs" actions={choice}>
      <div className="kp-compare-kept">
        <div>
          <KeptSelect
            label={`Captures of the baseline, ${comparison.baseline.name}`}
            all={ofOne}
            value={one}
            onChange={setLeft}
          />
          <KeptContent kept={one} key={one.id} />
        </div>
        <div>
          <KeptSelect
            label={`Captures of the compared side, ${comparison.other.name}`}
            all={same}
            value={other}
            onChange={setRight}
          />
          <KeptContent kept={other} key={other.id} />
        </div>
      </div>
    </Panel>
  );
}

interface SelectProperties {
  label: string;
  all: readonly KeptCapture[];
  value: KeptCapture;
  onChange(id: string | null): void;
}

function KeptSelect({ label, all, value, onChange }: SelectProperties) {
  const runs = [...new Set(all.map(({ runId }) => runId))];
  return (
    <Select
      label={label}
      allowDeselect={false}
      searchable
      data={all.map((each) => ({
        value: String(each.id),
        label: `${each.name}, ${momentWords(each)}${runs.length > 1 ? `, run ${runs.indexOf(each.runId) + 1}` : ''}`,
      }))}
      value={String(value.id)}
      onChange={onChange}
    />
  );
}

const sideColumn = (side: 'baseline' | 'other', header: string): Column<ComparedFact> => ({
  id: side,
  header,
  value: (fact) => fact[side],
  cell: (fact) => (
    <span className="kp-compare-value" title={fact[side]}>
      {fact[side]}
    </span>
  ),
});

const COLUMNS: readonly Column<ComparedFact>[] = [
  { id: 'what', header: 'Fact', value: ({ what }) => what },
  sideColumn('baseline', 'Baseline'),
  sideColumn('other', 'Compared'),
  {
    id: 'verdict',
    header: 'Verdict',
    grow: true,
    value: ({ isEqual }) => Number(isEqual),
    cell: ({ isEqual }) => (isEqual ? <Status tone="idle">Equal</Status> : <Status tone="warn">Different</Status>),
  },
];

/** Captures that both sides have stored as facts, different ones first. */
export function ComparedFacts({ facts }: { facts: readonly ComparedFact[] }) {
  const different = facts.filter(({ isEqual }) => !isEqual);
  return (
    <Panel
      title="Captured facts"
      note={`${formatCount(facts.length, 'fact')}, ${formatCount(different.length, 'difference')}`}
      flush
    >
      <DataTable
        label="Captured facts"
        columns={COLUMNS}
        rows={[...different, ...facts.filter(({ isEqual }) => isEqual)]}
        rowId={({ what }) => what}
      />
    </Panel>
  );
}
