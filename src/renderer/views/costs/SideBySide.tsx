import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'wouter';
import { titleOf } from '../../../shared/chart-models/index.ts';
import { lotWords, type Reaching, type SideRow, scaleWords, unmeasuredOf } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { CatalogueEntry, Configuration } from '../../../shared/model/cost.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import {
  capital,
  formatCount,
  formatLevels,
  formatMoney,
  formatNumber,
  formatPercent,
} from '../../../shared/util/format.ts';
import { ask, useLink } from '../../client/index.ts';
import { NotRanked, Warnings } from '../../domain/index.ts';
import { type Column, DataTable, IconAction, Panel, ProblemBanner, Status, type Tone } from '../../ui/index.ts';
import { measuredRows, neededRate, sameThroughput } from './answer.ts';
import { BreakEvenPanel } from './BreakEvenPanel.tsx';
import { CostCharts } from './CostCharts.tsx';
import classes from './costs.module.css';
import type { Draft } from './draft.ts';
import { LoadPanel } from './LoadPanel.tsx';
import { QuickAdd } from './QuickAdd.tsx';
import type { Asked, Work } from './work.ts';

/** Number of rows up to which the page grows; more scroll inside the table. */
const MOST_OPEN = 12;

interface Properties {
  configurations: readonly Configuration[];
  entries: readonly CatalogueEntry[];
  work: Work;
  rows: readonly SideRow[];
  asked: Asked;
  onEdit(draft: Draft): void;
}

/** Configurations with their prices, and the price of the same work on each: as measured there, or that of a session. */
export function SideBySide({ configurations, entries, work, rows, asked: { goal }, onEdit }: Properties) {
  const remove = useRemoval();
  const { scale, systems, left, assumed, problem } = work;
  const edit = (row: SideRow): void => {
    const saved = configurations.find(({ id }) => id === row.configurationId);
    if (saved) onEdit({ id: saved.id, spec: saved.spec });
  };
  const duplicate = (row: SideRow): void => {
    const saved = configurations.find(({ id }) => id === row.configurationId);
    if (saved) onEdit({ spec: { ...saved.spec, label: `${saved.spec.label} copy` } });
  };
  const isPart = scale !== undefined && unmeasuredOf(scale.rows, configurations, scale.currency).length > 0;
  return (
    <>
      {problem && <ProblemBanner problem={problem} />}
      <Panel title="Configurations" note={noteOf(work, goal !== undefined)} flush>
        <QuickAdd entries={entries} />
        {rows.length > 0 && (
          <DataTable
            label="Configurations"
            rows={rows}
            rowId={(row) => row.key}
            {...(rows.length > MOST_OPEN && { maxHeight: 720 })}
            columns={columnsOf({ work, hasGoal: goal !== undefined, rows }, (row) => (
              <RowActions
                row={row}
                onEdit={() => edit(row)}
                onDuplicate={() => duplicate(row)}
                onRemove={() => void remove(configurations, row)}
              />
            ))}
          />
        )}
      </Panel>
      {scale && (
        <CostCharts
          {...{ rows, scale, isPart, isAssumed: assumed !== undefined }}
          goal={goal && systems.length > 0 ? { rate: goal.rate, systems } : undefined}
        />
      )}
      {scale && !assumed ? <LoadPanel scale={scale} /> : null}
      <BreakEvenPanel configurations={configurations} />
      {!assumed && <NotRanked left={left} />}
    </>
  );
}

function noteOf({ scale, assumed }: Work, hasGoal: boolean): string {
  if (!scale) return 'what each costs';
  const cell = hasGoal ? 'best cell for the goal' : 'best cell';
  return assumed ? `${cell} in the chosen session, assumed for each` : `${cell} in each session`;
}

interface Shown {
  work: Work;
  hasGoal: boolean;
  rows: readonly SideRow[];
}

const REACH: Readonly<Record<Reaching['reach'], readonly [Tone, string]>> = {
  yes: ['ok', 'yes'],
  no: ['bad', 'no'],
  'cannot-tell': ['warn', 'inconclusive'],
};

function columnsOf({ work, hasGoal, rows }: Shown, actions: (row: SideRow) => React.ReactNode): Column<SideRow>[] {
  const { scale } = work;
  const isAssumed = work.assumed !== undefined;
  const measured = measuredRows(rows);
  const assumed = isAssumed && !hasGoal && scale && sameThroughput(measured, scale) ? measured : undefined;
  const systems = hasGoal ? work.systems : undefined;
  const columns: (Column<SideRow> | undefined)[] = [
    {
      id: 'name',
      header: 'Configuration',
      value: (row) => row.name,
      cell: (row) => <NameCell row={row}>{isAssumed ? <SourceSelect {...{ row, work }} /> : null}</NameCell>,
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
        header: `break-even throughput (${metricOf(scale.metric).unit})`,
        hint: 'Throughput of the cheapest × price / price of the cheapest',
        align: 'right',
        value: (row) => neededRate(assumed, row.key),
        cell: (row) => formatNumber(neededRate(assumed, row.key), metricOf(scale.metric).digits),
      },
    scale && !isAssumed && !hasGoal
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
        return (
          <Status tone={tone} {...(system?.why.length && { title: capital(system.why.join(', and ')) })}>
            {word}
          </Status>
        );
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

/** The work that a configuration is assumed to do: usually that of all. */
function SourceSelect({ row: { name, configurationId }, work }: { row: SideRow; work: Work }) {
  if (configurationId === undefined || work.sourcesOf.length < 2) return null;
  return (
    <Select
      aria-label={`Throughput of ${name} as in`}
      size="xs"
      allowDeselect={false}
      searchable
      data={[...work.sourcesOf]}
      value={work.sourceOf(configurationId)}
      onChange={(value) => value && work.setSource(configurationId, value)}
    />
  );
}

const NameCell = ({ row, children }: { row: SideRow; children: React.ReactNode }) => (
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
    {row.work && (
      <em data-tone={row.work.notOn === undefined ? undefined : 'warn'}>
        {row.work.assumed ? 'Assumed as measured in ' : 'Measured in '}
        <Link href={`/sessions/${row.work.sessionId}/results/cost`} title={formatLevels(row.work.levels)}>
          {row.work.name}
        </Link>
        {row.work.measuredOn === undefined ? '' : `, on ${row.work.measuredOn}`}
        {row.work.notOn === undefined ? '' : `, not on ${row.work.notOn}`}
      </em>
    )}
    {row.notes.map((note) => (
      <em key={note} data-tone={row.perHour === undefined ? 'warn' : undefined}>
        {note}
      </em>
    ))}
    {children}
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
