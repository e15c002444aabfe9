import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Link } from 'wouter';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { CostSpec } from '../../../shared/model/cost.ts';
import { type Problem, problemOf } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { targetWords, toolWords } from '../../../shared/model/session-words.ts';
import {
  formatCount,
  formatDateTime,
  formatLevels,
  formatMoney,
  formatValue,
  NO_VALUE,
} from '../../../shared/util/format.ts';
import { orderWithin } from '../../../shared/util/numbers.ts';
import { ask, useLink } from '../../client/index.ts';
import { PendingFigure, Warnings } from '../../domain/index.ts';
import { type Column, DataTable, Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';

interface Properties {
  /** Absent while they are loading. */
  sessions: readonly Session[] | undefined;
  spec: CostSpec;
  /** Price of the configuration; absent while it cannot be calculated. */
  perHour: number | undefined;
  selected: readonly number[];
  onSelect(ids: readonly number[]): void;
  onUse(spec: CostSpec): void;
  /** Called when the configuration above was assigned. */
  onAssigned(): void;
}

/** Assigns the configuration above to sessions. */
export function SessionsPanel({ sessions, spec, perHour, selected, onSelect, onUse, onAssigned }: Properties) {
  const { give, use, busy, problem } = usePrices({ onUse, onSelect, onAssigned });
  const ids = [...selected];
  const first = ids[0];
  return (
    <Panel
      title="Sessions"
      note={selected.length > 0 ? `${selected.length} selected` : 'Select those measured on this configuration'}
      flush
      actions={
        <>
          {selected.length === 1 && first !== undefined && (
            <Button size="compact-sm" variant="subtle" color="gray" disabled={busy} onClick={() => void use(first)}>
              Open its price
            </Button>
          )}
          {selected.length > 0 && (
            <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void give(ids, null)}>
              Remove price
            </Button>
          )}
          <Button
            size="compact-sm"
            disabled={busy || selected.length === 0 || perHour === undefined}
            onClick={() => void give(ids, spec)}
          >
            {selected.length > 1 ? `Assign to ${formatCount(selected.length, 'session')}` : 'Assign to session'}
          </Button>
        </>
      }
    >
      {problem && <ProblemBanner problem={problem} />}
      {sessions ? (
        <DataTable
          label="Sessions"
          rows={sessions}
          rowId={(session) => String(session.id)}
          rowLabel={(session) => session.name}
          columns={COLUMNS}
          selected={selected.map(String)}
          onSelect={(chosen) => onSelect(chosen.map(Number))}
          maxHeight={300}
          empty="No sessions yet. Run an experiment, then assign a price here."
        />
      ) : (
        <TableSkeleton rows={4} />
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  {
    id: 'name',
    header: 'Session',
    grow: true,
    value: (session) => session.name,
    cell: (session) => (
      <Link href={`/sessions/${session.id}/results`} title={session.name}>
        {session.name}
      </Link>
    ),
  },
  { id: 'tool', header: 'Tool', value: toolWords },
  { id: 'target', header: 'Target', value: (session) => targetWords(session) ?? NO_VALUE },
  {
    id: 'best',
    header: 'Best cell',
    align: 'right',
    value: ({ primaryMetric, best }) => (primaryMetric === null ? undefined : orderWithin(primaryMetric, best?.value)),
    cell: ({ id, best, primaryMetric, figuresFollow }) => {
      const figure = (
        <span title={best && formatLevels(best.levels)}>
          {primaryMetric === null ? NO_VALUE : formatValue(best?.value, metricOf(primaryMetric))}
          <Warnings of={best} />
        </span>
      );
      return figuresFollow ? <PendingFigure ids={[id]}>{best && figure}</PendingFigure> : figure;
    },
  },
  {
    id: 'price',
    header: 'Price per hour',
    align: 'right',
    value: (session) => orderWithin(session.currency ?? '', session.costPerHour),
    cell: (session) => formatMoney(session.costPerHour, session.currency),
  },
  { id: 'asOf', header: 'Prices as of', minor: true, value: (session) => session.pricesAsOf ?? NO_VALUE },
  {
    id: 'started',
    header: 'Started',
    align: 'right',
    value: (session) => session.createdAt,
    cell: (session) => formatDateTime(session.createdAt),
  },
];

function usePrices({ onUse, onSelect, onAssigned }: Pick<Properties, 'onUse' | 'onSelect' | 'onAssigned'>) {
  const link = useLink();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const guarded = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  const give = (ids: readonly number[], spec: CostSpec | null): Promise<void> =>
    guarded(async () => {
      for (const sessionId of ids) await ask(link, 'costs.setOfSession', { sessionId, spec });
      // The next price is for other sessions: one that stays selected would silently get it too.
      onSelect([]);
      const count = formatCount(ids.length, 'session');
      if (!spec) {
        notifications.show({ message: `Price removed from ${count}.` });
        return;
      }
      // The next price starts empty too; a similar one starts from this.
      onAssigned();
      const notice = 'price assigned';
      const again = (): void => {
        notifications.hide(notice);
        onUse(spec);
      };
      notifications.show({
        id: notice,
        autoClose: 8000,
        message: (
          <Group justify="space-between" wrap="nowrap">
            <span>Price assigned to {count}.</span>
            <Button variant="light" onClick={again}>
              Open the same parts
            </Button>
          </Group>
        ),
      });
    });
  const use = (sessionId: number): Promise<void> =>
    guarded(async () => {
      const { spec } = await ask(link, 'costs.ofSession', { sessionId });
      if (spec) onUse(spec);
      else notifications.show({ message: 'This session has no price.' });
    });
  return { give, use, busy, problem };
}
