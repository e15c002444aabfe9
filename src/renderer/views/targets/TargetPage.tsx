import { Tabs } from '@mantine/core';
import { IconDatabaseImport, IconDatabaseOff, IconTrash } from '@tabler/icons-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { rowWords, type TableSet, tableWords } from '../../../shared/model/data-set.ts';
import { warningsOf } from '../../../shared/model/form-schema.ts';
import type { Target, TargetKindInfo, TargetPart, TargetSpec } from '../../../shared/model/target.ts';
import { formatBytes, formatCount, formatDateTime, NO_VALUE } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { GiveUpProblem, VaultUnlock } from '../../domain/problems.tsx';
import { actionsColumn, madeColumn, stateColumn, titleColumn } from '../../domain/setColumns.tsx';
import {
  BlockSkeleton,
  type Column,
  ConfirmButton,
  DataTable,
  EmptyState,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  Status,
  TableSkeleton,
  useCrumbs,
} from '../../ui/index.ts';
import { ServerTab } from './server/ServerTab.tsx';
import { TargetDetails } from './TargetDetails.tsx';
import { TargetForm } from './TargetForm.tsx';

const DATA_SETS = 'data-sets';
const SERVER = 'server';

/** A new target, or the one with this id: its connection, and in additional tabs its details. */
export function TargetPage({ id, part }: { id?: number; part?: string }) {
  const [, go] = useLocation();
  const targets = useCall('targets.list', {});
  const kinds = useCall('targets.kinds', {});
  const hosts = useCall('hosts.list', {});
  const [parameters] = useSearchParams();
  const target = targets.data?.find((entry) => entry.id === id);
  const like = targets.data?.find((entry) => String(entry.id) === parameters.get('like'));
  useCrumbs([{ label: id === undefined ? 'New target' : (target?.spec.name ?? 'Target') }]);
  const problem = targets.error ?? kinds.error ?? hosts.error;
  if (problem) {
    return (
      <Page>
        <ProblemBanner problem={problem.problem} />
      </Page>
    );
  }
  if (!targets.data || !kinds.data || !hosts.data) {
    return (
      <Page>
        <BlockSkeleton height={56} />
        <BlockSkeleton height={360} />
      </Page>
    );
  }
  if (id !== undefined && !target) {
    return (
      <EmptyState
        icon={<IconDatabaseOff size={28} stroke={1.4} />}
        title="Target not found"
        action={<Link href="/targets">All targets</Link>}
      >
        It may have been removed, or the link is incomplete.
      </EmptyState>
    );
  }
  const names = hosts.data.map((host) => host.spec.name);
  const kind = kinds.data.find((entry) => entry.kind === target?.spec.kind);
  const detail = kind?.tells.find((each) => each === part);
  const shown = part === DATA_SETS || part === SERVER ? part : detail;
  return (
    <Page>
      <Head target={target} kind={kind} />
      {target && kind && kind.tells.length > 0 && <Parts id={target.id} kind={kind} shown={shown} />}
      <div className="kp-fills" hidden={shown !== undefined}>
        <TargetForm
          target={target}
          like={id === undefined ? like : undefined}
          testsOnOpen={parameters.has('test')}
          targets={targets.data}
          kinds={kinds.data}
          hosts={names}
          onDone={() => go('/targets')}
        />
      </div>
      {target && shown === DATA_SETS && <DataSets target={target} />}
      {target && shown === SERVER && <ServerTab target={target} />}
      {target && detail && <TargetDetails target={target} part={detail} />}
    </Page>
  );
}

/** Asked before a target is removed. */
export const removalQuestion = ({ name }: TargetSpec): string =>
  `Remove ${name}? Its stored password and the list of its data sets are removed; the server, its tables and the sessions measured on it stay.`;

function Head({ target, kind }: { target: Target | undefined; kind: TargetKindInfo | undefined }) {
  const [, go] = useLocation();
  const warnings = target && kind ? warningsOf(kind.schema, target.spec.config) : [];
  const remove = useAction('targets.remove', { onSuccess: () => go('/targets') });
  return (
    <>
      <PageHeader
        title={target?.spec.name ?? 'Add a target'}
        aside={warnings.map((words) => (
          <Status key={words} tone="warn">
            {words}
          </Status>
        ))}
        subtitle={target ? kind?.title : 'A server, file or folder to measure.'}
        actions={
          target && (
            <ConfirmButton
              label="Remove"
              icon={<IconTrash size={16} stroke={1.6} />}
              question={removalQuestion(target.spec)}
              busy={remove.isPending}
              onConfirm={() => remove.mutate({ id: target.id })}
            />
          )
        }
      />
      {remove.error && target && (
        <GiveUpProblem
          problem={remove.error.problem}
          act="Remove"
          busy={remove.isPending}
          onGiveUp={(giveUp) => remove.mutate({ id: target.id, giveUp })}
        />
      )}
    </>
  );
}

function Parts({ id, kind, shown }: { id: number; kind: TargetKindInfo; shown: string | undefined }) {
  const [, go] = useLocation();
  return (
    <Tabs
      value={shown ?? 'connection'}
      onChange={(value) => go(value === 'connection' ? `/targets/${id}` : `/targets/${id}/${value}`)}
    >
      <Tabs.List aria-label="About the target">
        <Tabs.Tab value="connection">Connection</Tabs.Tab>
        {kind.via === 'connection' && <Tabs.Tab value={SERVER}>Server</Tabs.Tab>}
        {kind.tells.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {PART_TITLES[part]}
          </Tabs.Tab>
        ))}
        <Tabs.Tab value={DATA_SETS}>Data sets</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}

const PART_TITLES: Readonly<Record<TargetPart, string>> = {
  settings: 'Settings',
  sizes: 'Data',
  sessions: 'Database sessions',
  counters: 'Counters',
};

/** Data that workloads have created, or found, in the database of a target. */
function DataSets({ target }: { target: Target }) {
  const sets = useCall('dataSets.list', { kind: 'tables', targetId: target.id });
  const look = useAction('dataSets.look');
  const remove = useAction('dataSets.remove');
  const rows = sets.data?.filter((set) => set.kind === 'tables');
  const problem = sets.error?.problem ?? remove.error?.problem ?? look.error?.problem;
  const forget = (): void => {
    look.reset();
    remove.reset();
  };
  const actions = actionsColumn<TableSet>({
    words: tableWords,
    verb: 'Count',
    look,
    removal: (set) => `Drop ${formatCount(set.tables.length, 'table')}`,
    question: (set) =>
      `Drop ${tableWords(set)} on ${set.target}? ${originOf(set)} This runs the cleanup phase of ${set.tool} and cannot be undone.`,
    remove,
  });
  return (
    <>
      {problem?.code === 'vault-locked' ? (
        <VaultUnlock problem={problem} onUnlocked={forget} />
      ) : (
        problem && <ProblemBanner problem={problem} />
      )}
      <Panel label="Data sets" flush={rows?.length !== 0}>
        {!rows ? (
          <TableSkeleton rows={3} />
        ) : rows.length === 0 ? (
          <EmptyState icon={<IconDatabaseImport size={28} stroke={1.4} />} title="No data set yet">
            Sessions create the tables for their workload before the first trial. They are listed here, reused by later
            sessions, and kept until you remove them.
          </EmptyState>
        ) : (
          <DataTable label="Data sets" rows={rows} rowId={({ id }) => String(id)} columns={[...COLUMNS, actions]} />
        )}
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<TableSet>[] = [
  { id: 'id', header: 'Id', align: 'right', value: ({ id }) => id },
  titleColumn<TableSet>('Data', tableWords, ({ tool, shape }) => `${tool}: ${shape}`),
  { id: 'rows', header: 'Rows', align: 'right', value: (set) => rowWords(set) },
  {
    id: 'bytes',
    header: 'Approx. size',
    align: 'right',
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => (bytes === undefined ? NO_VALUE : formatBytes(bytes)),
  },
  stateColumn(),
  madeColumn(),
  {
    id: 'counted',
    header: 'Counted',
    value: ({ countedAt }) => countedAt,
    cell: ({ countedAt }) => formatDateTime(countedAt),
    minor: true,
  },
];

const originOf = ({ madeAt }: TableSet): string =>
  madeAt === undefined ? 'Kneepoint did not create this data; other users may need it.' : '';
