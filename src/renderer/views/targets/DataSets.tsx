import { Button } from '@mantine/core';
import { IconDatabaseImport } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { DataSet } from '../../../shared/model/data-set.ts';
import { DATA_STATE_WORDS, rowWords, tableWords } from '../../../shared/model/data-set-words.ts';
import type { Target } from '../../../shared/model/target.ts';
import { formatBytes, formatCount, formatDateTime, NO_VALUE } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { VaultUnlock } from '../../parts/VaultUnlock.tsx';
import {
  type Column,
  ConfirmButton,
  DataTable,
  EmptyState,
  Panel,
  ProblemBanner,
  Status,
  TableSkeleton,
} from '../../ui/index.ts';
import classes from './targets.module.css';

/** What workloads have made, or found, in the database of a target. */
export function DataSets({ target }: { target: Target }) {
  const sets = useCall('dataSets.list', { targetId: target.id });
  const count = useAction('dataSets.count');
  const remove = useAction('dataSets.remove');
  const problem = sets.error?.problem ?? remove.error?.problem ?? count.error?.problem;
  const forget = (): void => {
    count.reset();
    remove.reset();
  };
  const busy = count.isPending || remove.isPending;
  const actions: Column<DataSet> = {
    id: 'actions',
    header: '',
    cell: (set) => (
      <div className={classes.buttons}>
        <Button
          variant="default"
          aria-label={`Count ${tableWords(set)} again`}
          disabled={busy}
          loading={count.isPending && count.variables.id === set.id}
          onClick={() => {
            forget();
            count.mutate({ id: set.id });
          }}
        >
          Count again
        </Button>
        <ConfirmButton
          label="Remove"
          name={`Remove ${tableWords(set)}`}
          act={`Drop ${formatCount(set.tables.length, 'table')}`}
          question={`Drop ${tableWords(set)} on ${set.target}? ${originOf(set)} The clean-up step of ${set.tool} does it, and it cannot be taken back.`}
          busy={remove.isPending && remove.variables.id === set.id}
          onConfirm={() => {
            forget();
            remove.mutate({ id: set.id });
          }}
        />
      </div>
    ),
  };
  return (
    <>
      {problem?.code === 'vault-locked' ? (
        <VaultUnlock problem={problem} onUnlocked={forget} />
      ) : (
        problem && <ProblemBanner problem={problem} />
      )}
      <Panel label="Data sets" flush={sets.data?.length !== 0}>
        {!sets.data ? (
          <TableSkeleton rows={3} />
        ) : sets.data.length === 0 ? (
          <EmptyState icon={<IconDatabaseImport size={28} stroke={1.4} />} title="No data set yet">
            A session makes the tables that its workload needs before the first trial. They are listed here, used again
            by later sessions, and stay until you remove them.
          </EmptyState>
        ) : (
          <DataTable
            label="Data sets"
            rows={sets.data}
            rowId={({ id }) => String(id)}
            columns={[...COLUMNS, actions]}
          />
        )}
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<DataSet>[] = [
  { id: 'id', header: 'Id', align: 'right', value: ({ id }) => id },
  {
    id: 'title',
    header: 'Data',
    grow: true,
    value: ({ title }) => title,
    cell: (set) => (
      <div title={`${set.tool}: ${set.shape}`}>
        {set.title}
        <div className="kp-small kp-dim">{tableWords(set)}</div>
      </div>
    ),
  },
  { id: 'rows', header: 'Rows', align: 'right', value: (set) => rowWords(set) },
  {
    id: 'bytes',
    header: 'Size, about',
    align: 'right',
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => (bytes === undefined ? NO_VALUE : formatBytes(bytes)),
  },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => DATA_STATE_WORDS[state].word,
    cell: ({ state, writtenAt }) => (
      <Status
        tone={DATA_STATE_WORDS[state].tone}
        {...(writtenAt !== undefined && { title: `Last written to ${formatDateTime(writtenAt)}` })}
      >
        {DATA_STATE_WORDS[state].word}
      </Status>
    ),
  },
  {
    id: 'made',
    header: 'Made',
    value: ({ madeAt }) => madeAt,
    cell: ({ madeAt, madeBy, state }) => (
      <div>
        {madeAt === undefined ? 'before Kneepoint saw it' : formatDateTime(madeAt)}
        {madeBy !== undefined && (
          <div className="kp-small">
            <Link href={`/sessions/${madeBy}/${state === 'making' ? 'live' : 'results'}`}>session {madeBy}</Link>
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'counted',
    header: 'Counted',
    value: ({ countedAt }) => countedAt,
    cell: ({ countedAt }) => formatDateTime(countedAt),
    minor: true,
  },
];

const originOf = ({ madeAt }: DataSet): string =>
  madeAt === undefined ? 'Kneepoint did not make this data, and does not know who needs it.' : '';
