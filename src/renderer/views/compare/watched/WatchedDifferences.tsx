import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { Levels } from '../../../../shared/model/factor.ts';
import type { ComparedCell, Comparison } from '../../../../shared/model/result.ts';
import type { Session } from '../../../../shared/model/session.ts';
import { formatLevels } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { ProblemBanner } from '../../../ui/index.ts';
import { pairsOf, runsOf } from '../question.ts';
import { DifferencesTable } from './DifferencesTable.tsx';
import { WatchedOverlay } from './WatchedOverlay.tsx';

const NONE: readonly SeriesDifference[] = [];

interface DifferencesProperties {
  comparison: Comparison;
  /** The sessions of each side; the runs of one of them are shown. */
  sessions: Record<Side, readonly Pick<Session, 'id' | 'name'>[]>;
}

type Side = 'baseline' | 'other';

/** Differences on hosts and servers between the two sides of a cell, the largest first, and their seconds overlaid. */
export function WatchedDifferences({ comparison, sessions }: DifferencesProperties) {
  const pairs = useMemo(() => pairsOf(comparison.cells), [comparison.cells]);
  const [chosen, setChosen] = useState<string>();
  const nameOf = ({ levels }: ComparedCell): string => formatLevels(levels) || 'the only cell';
  const cell = pairs.find((each) => nameOf(each) === chosen) ?? pairs[0];
  const [one, other] = [useSide('baseline', cell, comparison), useSide('other', cell, comparison)];
  const isKnown = one.runs.length > 0 && other.runs.length > 0;
  const differences = useCall(
    'results.seriesDifferences',
    { one: one.runs, other: other.runs, warmup: comparison.warmup.other },
    { enabled: isKnown, placeholderData: (before) => before },
  );
  const error = one.error ?? other.error ?? differences.error;
  if (error) return <ProblemBanner problem={error.problem} />;
  // Earlier differences only keep the panel in place: they belong to other runs.
  const data = isKnown && !differences.isPlaceholderData ? differences.data : undefined;
  const isChoice = sessions.baseline.length > 1 || sessions.other.length > 1;
  // Nothing was watched in both, so there is nothing to show, unless other sessions can be selected.
  if (!cell || !differences.data || ((data ?? differences.data).length === 0 && !isChoice)) return null;
  const empty = [one, other].find(({ runs, isPending }) => runs.length === 0 && !isPending);
  return (
    <>
      <DifferencesTable
        rows={data ?? NONE}
        without={data ? undefined : empty ? `no runs of this cell in session ${empty.sessionId}` : 'being compared'}
        comparison={comparison}
        choice={
          <>
            <SessionChoice label="Baseline session" sessions={sessions.baseline} side={one} />
            <SessionChoice label="Compared session" sessions={sessions.other} side={other} />
            {pairs.length > 1 ? (
              <Select
                aria-label="Cell"
                w={260}
                allowDeselect={false}
                searchable
                data={pairs.map(nameOf)}
                value={nameOf(cell)}
                onChange={(value) => setChosen(value ?? undefined)}
              />
            ) : null}
          </>
        }
      />
      {data && data.length > 0 ? (
        <WatchedOverlay
          key={`${nameOf(cell)} ${one.sessionId} ${other.sessionId}`}
          comparison={comparison}
          differences={data}
          one={{ sessionId: one.sessionId, runId: one.runs[0] ?? 0 }}
          other={{ sessionId: other.sessionId, runId: other.runs[0] ?? 0 }}
        />
      ) : null}
    </>
  );
}

/** The runs of a cell in the selected session of a side: the first one by default. */
function useSide(side: Side, cell: ComparedCell | undefined, comparison: Comparison) {
  const first = comparison[side].id;
  const [sessionId, choose] = useState(first);
  const isFirst = sessionId === first;
  const { metric, warmup } = comparison;
  const own = useCall('results.session', { sessionId, metric, warmup: warmup[side] }, { enabled: !isFirst });
  const levels = cell?.[side]?.levels;
  const found = isFirst ? cell?.[side] : levels && own.data?.cells.find((each) => isSame(each.levels, levels));
  return { sessionId, choose, runs: runsOf(found), isPending: !isFirst && own.isPending, error: own.error };
}

/** By name: another session may have its factors in another order. */
const isSame = (one: Levels, other: Levels): boolean => {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
};

interface ChoiceProperties {
  label: string;
  sessions: readonly Pick<Session, 'id' | 'name'>[];
  side: { sessionId: number; choose: (id: number) => void };
}

/** Selects one of several sessions of a side. */
const SessionChoice = ({ label, sessions, side }: ChoiceProperties) =>
  sessions.length > 1 ? (
    <Select
      aria-label={label}
      title={label}
      w={200}
      allowDeselect={false}
      data={sessions.map(({ id, name }) => ({ value: String(id), label: `${id} · ${name}` }))}
      value={String(side.sessionId)}
      onChange={(value) => value && side.choose(Number(value))}
    />
  ) : null;
