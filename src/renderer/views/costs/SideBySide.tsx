import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { titleOf } from '../../../shared/chart-models/index.ts';
import {
  lotWords,
  type Reaching,
  reachingOf,
  type SideRow,
  scaleWords,
  sideBySide,
} from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Configuration, ValueScale } from '../../../shared/model/cost.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount, formatLevels, formatMoney, formatNumber, formatPercent } from '../../../shared/util/format.ts';
import { ask, useCall, useLink } from '../../client/index.ts';
import { NotRanked, Warnings } from '../../domain/index.ts';
import { type Column, DataTable, IconAction, Panel, ProblemBanner, Status, type Tone } from '../../ui/index.ts';
import { assumedOf, type MeasuredRow, measuredRows, neededRate } from './answer.ts';
import { BreakEvenPanel } from './BreakEvenPanel.tsx';
import { CostCharts } from './CostCharts.tsx';
import classes from './costs.module.css';
import type { Draft } from './draft.ts';
import { GoalPanel, useGoal } from './GoalPanel.tsx';
import { LoadPanel } from './LoadPanel.tsx';

/** The contract allows at most this many sessions in one call. */
const MOST_SESSIONS = 100;

const ONE_THROUGHPUT = 'Assumes equal throughput on each, so the cheapest always wins.';
/** Number of rows up to which the page grows; more scroll inside the table. */
const MOST_OPEN = 12;

interface Properties {
  configurations: readonly Configuration[];
  sessions: readonly Session[];
  /** Priced sessions to show, if more than one; otherwise all. */
  selected: readonly number[];
  onEdit(draft: Draft): void;
}

/** Configurations with their prices, and the price of the same work on each: as measured there, or that of one session. */
export function SideBySide({ configurations, sessions, selected, onEdit }: Properties) {
  const remove = useRemoval();
  const { ids, scale, left, assumed, problem, options, choice, choose } = useWork(configurations, sessions, selected);
  const asked = useGoal();
  const { goal, latency } = asked;
  const inCells = useCall(
    'costs.valueForMoney',
    { sessionIds: ids, perCell: true, latency, ...(scale && { metric: scale.metric }) },
    { enabled: goal !== undefined && scale !== undefined && assumed === undefined },
  );
  const cells = inCells.data?.scales.find(
    ({ metric, currency }) => metric === scale?.metric && currency === scale.currency,
  );
  const systems = goal && cells ? reachingOf(cells.rows, goal) : [];
  const rows = sideBySide(configurations, scale, assumed ? left : []);
  const edit = (row: SideRow): void => {
    const saved = configurations.find(({ id }) => id === row.configurationId);
    if (saved) onEdit({ id: saved.id, spec: saved.spec });
  };
  const duplicate = (row: SideRow): void => {
    const saved = configurations.find(({ id }) => id === row.configurationId);
    if (saved) onEdit({ spec: { ...saved.spec, label: `${saved.spec.label} copy` } });
  };
  return (
    <>
      {problem && <ProblemBanner problem={problem} />}
      {scale && assumed ? (
        <ProblemBanner tone="warn" problem={{ message: assumedOf(measuredRows(rows), scale) || ONE_THROUGHPUT }} />
      ) : null}
      {scale && !assumed ? <GoalPanel {...asked} {...{ scale, systems, configurations, sessionIds: ids }} /> : null}
      <Panel
        title="Configurations"
        note={
          assumed
            ? `assumes equal throughput, as in ${assumed.name}`
            : scale
              ? 'best cell of each session'
              : 'assign a configuration to a session to see the cost of its work'
        }
        flush
        actions={
          options.length > 0 && (
            <Select
              aria-label="Work to price"
              w={280}
              allowDeselect={false}
              searchable
              placeholder="Apply throughput of session…"
              data={options}
              value={choice ?? null}
              onChange={(next) => next && choose(next)}
            />
          )
        }
      >
        <DataTable
          label="Configurations"
          rows={rows}
          rowId={(row) => row.key}
          {...(rows.length > MOST_OPEN && { maxHeight: 720 })}
          columns={columnsOf(
            { scale, assumed: assumed && measuredRows(rows), systems: goal && !assumed ? systems : undefined },
            (row) => (
              <RowActions
                row={row}
                onEdit={() => edit(row)}
                onDuplicate={() => duplicate(row)}
                onRemove={() => void remove(configurations, row)}
              />
            ),
          )}
        />
      </Panel>
      {scale && (
        <CostCharts
          {...{ rows, scale, isAssumed: assumed !== undefined }}
          goal={goal && systems.length > 0 ? { rate: goal.rate, systems } : undefined}
        />
      )}
      {scale && !assumed ? <LoadPanel scale={scale} /> : null}
      <BreakEvenPanel configurations={configurations} />
      {!assumed && <NotRanked left={left} />}
    </>
  );
}

/** The work that is priced: measured work, by metric and currency, or that of one session at every configuration's price. */
function useWork(
  configurations: readonly Configuration[],
  sessions: readonly Session[],
  selected: readonly number[],
): {
  /** Sessions whose work is priced. */
  ids: number[];
  scale: ValueScale | undefined;
  left: Parameters<typeof NotRanked>[0]['left'];
  assumed: Session | undefined;
  problem: ReturnType<typeof problemOf> | undefined;
  options: { group: string; items: { value: string; label: string }[] }[];
  choice: string | undefined;
  choose(choice: string): void;
} {
  const [chosen, choose] = useState<string>();
  const priced = sessions.filter((session) => session.costPerHour !== undefined);
  const some = priced.filter((session) => selected.includes(session.id));
  const ids = (some.length > 1 ? some : priced).slice(0, MOST_SESSIONS).map(({ id }) => id);
  const measured = useCall('costs.valueForMoney', { sessionIds: ids }, { enabled: ids.length > 0 });
  const assumed = sessions.find(({ id }) => chosen === `session ${id}`);
  const asked = {
    sessionIds: [assumed?.id ?? 0],
    configurationIds: configurations.map(({ id }) => id),
  };
  const one = useCall('costs.valueForMoney', asked, { enabled: assumed !== undefined });
  const scales = (ids.length > 0 ? measured.data?.scales : undefined) ?? [];
  const keyOf = ({ metric, currency }: ValueScale): string => `measured ${metric} ${currency}`;
  const found = scales.find((scale) => keyOf(scale) === chosen) ?? scales[0];
  const measuredOptions = scales.map((scale) => ({
    value: keyOf(scale),
    label: `Measured: ${titleOf(metricOf(scale.metric))}, ${scale.currency}`,
  }));
  const sessionOptions = sessions
    .filter(({ best }) => best)
    .map(({ id, name }) => ({ value: `session ${id}`, label: `${name} (${id})` }));
  return {
    ids,
    scale: assumed ? one.data?.scales[0] : found,
    left: (assumed ? one.data?.left : measured.data?.left) ?? [],
    assumed,
    problem: (assumed ? one.error : measured.error)?.problem,
    options: [
      ...(measuredOptions.length > 0 ? [{ group: 'Measured on each', items: measuredOptions }] : []),
      ...(configurations.length > 0 && sessionOptions.length > 0
        ? [{ group: 'One session on all', items: sessionOptions }]
        : []),
    ],
    choice: assumed ? `session ${assumed.id}` : found && keyOf(found),
    choose,
  };
}

interface Shown {
  scale: ValueScale | undefined;
  /** Rows that can be priced, if one throughput is assumed for all. */
  assumed: readonly MeasuredRow[] | undefined;
  /** With a goal: the systems that reach it. */
  systems: readonly Reaching[] | undefined;
}

const REACH: Readonly<Record<Reaching['reach'], readonly [Tone, string]>> = {
  yes: ['ok', 'yes'],
  no: ['bad', 'no'],
  'cannot-tell': ['warn', 'inconclusive'],
};

function columnsOf({ scale, assumed, systems }: Shown, actions: (row: SideRow) => React.ReactNode): Column<SideRow>[] {
  const isAssumed = assumed !== undefined;
  const columns: (Column<SideRow> | undefined)[] = [
    {
      id: 'name',
      header: 'Configuration',
      value: (row) => row.name,
      cell: (row) => <NameCell row={row} isAssumed={isAssumed} />,
    },
    scale && {
      id: 'lot',
      header: lotWords(scale),
      align: 'right',
      value: (row) => row.perLot,
      cell: (row) => <LotCell row={row} />,
    },
    scale &&
      assumed && {
        id: 'needed',
        header: `worth it from (${metricOf(scale.metric).unit})`,
        hint: 'Throughput of the cheapest × price / price of the cheapest',
        align: 'right',
        value: (row) => neededRate(assumed, row.key),
        cell: (row) => formatNumber(neededRate(assumed, row.key), metricOf(scale.metric).digits),
      },
    scale && !assumed
      ? {
          id: 'value',
          header: scaleWords(scale),
          hint: 'Rate × 3600 / price per hour',
          align: 'right',
          value: (row) => row.work?.operationsPerDollar,
          cell: (row) => formatNumber(row.work?.operationsPerDollar),
        }
      : undefined,
    scale && {
      id: 'rate',
      header: titleOf(metricOf(scale.metric)),
      align: 'right',
      value: (row) => row.work?.rate,
      cell: (row) => formatNumber(row.work?.rate, metricOf(scale.metric).digits),
    },
    systems && {
      id: 'goal',
      header: 'reaches the goal',
      hint: 'In its best cell, by the interval of its repeats',
      cell: (row) => {
        const system = systems.find(
          ({ row: { sessionId, system } }) => sessionId === row.work?.sessionId && system === row.work.system,
        );
        const [tone, word] = system ? REACH[system.reach] : (['idle', 'not measured'] as const);
        return <Status tone={tone}>{word}</Status>;
      },
    },
    {
      id: 'hour',
      header: 'per hour',
      align: 'right',
      value: (row) => row.perHour,
      cell: (row) => formatMoney(row.perHour, row.currency),
    },
    {
      id: 'month',
      header: 'per month',
      align: 'right',
      value: (row) => row.perMonth,
      cell: (row) => formatMoney(row.perMonth, row.currency),
    },
    { id: 'actions', header: 'Actions', cell: actions, align: 'right', width: 104 },
  ];
  return columns.filter((column) => column !== undefined);
}

const NameCell = ({ row, isAssumed }: { row: SideRow; isAssumed: boolean }) => (
  <div className={classes.named}>
    <strong title={row.name}>{row.name}</strong>
    {row.parts.map(({ item }, index) =>
      item ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity, and equal ones are interchangeable.
        <span key={index} title={item.how}>
          <span>{item.label}</span>{' '}
          <span>
            {formatMoney(item.perMonth, row.currency)} per month{shareWords(item.perMonth, row)}
          </span>
        </span>
      ) : null,
    )}
    {row.work && !isAssumed && (
      <em>
        Measured in{' '}
        <Link href={`/sessions/${row.work.sessionId}/results/cost`} title={formatLevels(row.work.levels)}>
          {row.work.name}
        </Link>
      </em>
    )}
    {row.notes.map((note) => (
      <em key={note} data-tone={row.perHour === undefined ? 'warn' : undefined}>
        {note}
      </em>
    ))}
  </div>
);

/** Its share of the price, if there is more than one part. */
const shareWords = (perMonth: number, { parts, perMonth: all }: SideRow): string =>
  parts.length > 1 && all ? ` (${formatPercent(perMonth / all)})` : '';

/**
 * Errors are shown with the price of work, as failed work was paid for too. So is the bottleneck if it is not the system that is paid for.
 */
const LotCell = ({ row }: { row: SideRow }) => (
  <>
    <strong>{formatMoney(row.perLot, row.currency)}</strong>
    <Warnings of={row.work} />
    {row.work && row.work.errors > 0 && <span className={classes.errors}>{formatCount(row.work.errors, 'error')}</span>}
  </>
);

interface ActionsProperties {
  row: SideRow;
  onEdit(): void;
  onDuplicate(): void;
  onRemove(): void;
}

function RowActions({ row, onEdit, onDuplicate, onRemove }: ActionsProperties) {
  if (row.configurationId === undefined) return null;
  return (
    <div className={classes.actions}>
      <IconAction label={`Edit ${row.name}`} onClick={onEdit}>
        <IconPencil size={16} stroke={1.6} />
      </IconAction>
      <IconAction label={`Duplicate ${row.name}`} onClick={onDuplicate}>
        <IconCopy size={16} stroke={1.6} />
      </IconAction>
      <IconAction label={`Remove ${row.name}`} onClick={onRemove}>
        <IconTrash size={16} stroke={1.6} />
      </IconAction>
    </div>
  );
}

function useRemoval() {
  const link = useLink();
  const guarded = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(problemOf(error)) });
    }
  };
  return (configurations: readonly Configuration[], row: SideRow): Promise<void> =>
    guarded(async () => {
      const saved = configurations.find(({ id }) => id === row.configurationId);
      if (!saved) return;
      await ask(link, 'costs.removeConfiguration', { id: saved.id });
      const key = `configuration-${saved.id}`;
      const undo = (): void => {
        notifications.hide(key);
        void guarded(() => ask(link, 'costs.saveConfiguration', { spec: saved.spec }));
      };
      notifications.show({
        id: key,
        message: (
          <div className={classes.undo}>
            {saved.spec.label} removed. Sessions keep their prices.
            <Button variant="light" onClick={undo}>
              Undo
            </Button>
          </div>
        ),
      });
    });
}
