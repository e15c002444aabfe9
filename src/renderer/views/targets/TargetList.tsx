import { Button, Menu } from '@mantine/core';
import { IconArrowRight, IconCopy, IconDatabase, IconPlugConnected, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { secretWords } from '../../../shared/model/app.ts';
import { warningsOf } from '../../../shared/model/form-schema.ts';
import type { Target, TargetKindInfo, TargetSpec } from '../../../shared/model/target.ts';
import { NO_VALUE } from '../../../shared/util/format.ts';
import { useAction, useCall } from '../../client/index.ts';
import { RemovalDialog } from '../../domain/problems.tsx';
import { readFields } from '../../forms/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  MenuAction,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  RowMenu,
  Status,
  TableSkeleton,
} from '../../ui/index.ts';
import { removalQuestion } from './TargetPage.tsx';

const shown = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : NO_VALUE);

/** Every known system under test. */
export function TargetList() {
  const targets = useCall('targets.list', {});
  const kinds = useCall('targets.kinds', {});
  const secrets = useCall('app.secrets', {});
  const [, go] = useLocation();
  const problem = targets.error ?? kinds.error;
  return (
    <Page>
      <PageHeader
        title="Targets"
        subtitle="Systems under test: database servers, files and folders."
        actions={
          <Button component={Link} href="/targets/new" leftSection={<IconPlus size={16} />}>
            Add a target
          </Button>
        }
      />
      {problem ? (
        <ProblemBanner
          problem={problem.problem}
          actions={
            <Button variant="default" onClick={() => void Promise.all([targets.refetch(), kinds.refetch()])}>
              Try again
            </Button>
          }
        />
      ) : (
        <Panel label="Targets" flush={targets.data?.length !== 0}>
          {!targets.data ? (
            <TableSkeleton rows={4} />
          ) : targets.data.length === 0 ? (
            <EmptyState
              icon={<IconDatabase size={28} stroke={1.4} />}
              title="No target yet"
              action={
                <Button component={Link} href="/targets/new" variant="default">
                  Add a target
                </Button>
              }
            >
              A target is a database server and account, connected directly or via a host. The embedded SQLite needs
              none.
            </EmptyState>
          ) : (
            <DataTable
              label="Targets"
              rows={targets.data}
              rowId={({ id }) => String(id)}
              columns={columnsOf(kinds.data ?? [], secretWords(secrets.data))}
              onRowClick={({ id }) => go(`/targets/${id}`)}
            />
          )}
        </Panel>
      )}
    </Page>
  );
}

function columnsOf(kinds: readonly TargetKindInfo[], words: string): Column<Target>[] {
  const kindOf = (target: Target) => kinds.find(({ kind }) => kind === target.spec.kind);
  const titleOf = (target: Target): string => kindOf(target)?.title ?? target.spec.kind;
  const defaultsOf = (target: Target): TargetSpec['config'] =>
    Object.fromEntries(readFields(kindOf(target)?.schema ?? {}).map((field) => [field.name, field.default]));
  return [
    {
      id: 'name',
      header: 'Name',
      value: ({ spec }) => spec.name,
      cell: ({ id, spec }) => <Link href={`/targets/${id}`}>{spec.name}</Link>,
    },
    { id: 'kind', header: 'Kind', value: titleOf },
    {
      id: 'place',
      header: 'Address',
      value: (target) => placeOf(target.spec, defaultsOf(target)) ?? NO_VALUE,
    },
    { id: 'user', header: 'User', value: ({ spec }) => shown(spec.config.user) },
    { id: 'database', header: 'Database', value: ({ spec }) => shown(spec.config.database) },
    {
      id: 'via',
      header: 'Connection',
      value: (target) => {
        const { via } = target.spec;
        if (kindOf(target)?.via === 'place') return `on ${via ?? 'this computer'}`;
        return via === null ? 'directly' : `via ${via}`;
      },
    },
    {
      id: 'secret',
      header: 'Password',
      value: ({ hasSecret }) => (hasSecret ? words : NO_VALUE),
      cell: (target) => (
        <Password
          words={target.hasSecret ? words : NO_VALUE}
          warning={warningsOf(kindOf(target)?.schema ?? {}, target.spec.config)}
        />
      ),
      width: 110,
    },
    {
      id: 'actions',
      header: '',
      label: 'Actions',
      width: 52,
      cell: (target) => <Actions target={target} connects={kindOf(target)?.connects === true} />,
    },
  ];
}

/** Actions of a target: a right-click on its row opens them too. */
function Actions({ target: { id, spec }, connects }: { target: Target; connects: boolean }) {
  const [, go] = useLocation();
  const [removing, setRemoving] = useState(false);
  return (
    <>
      {removing ? <Removal id={id} spec={spec} onClose={() => setRemoving(false)} /> : null}
      <RowMenu name={spec.name}>
        <MenuAction label="Open" icon={IconArrowRight} onClick={() => go(`/targets/${id}`)} />
        {connects ? (
          <MenuAction label="Test" icon={IconPlugConnected} onClick={() => go(`/targets/${id}?test`)} />
        ) : null}
        <MenuAction label="Duplicate" icon={IconCopy} onClick={() => go(`/targets/new?like=${id}`)} />
        <Menu.Divider />
        <MenuAction label="Remove" icon={IconTrash} onClick={() => setRemoving(true)} />
      </RowMenu>
    </>
  );
}

function Removal({ id, spec, onClose }: Pick<Target, 'id' | 'spec'> & { onClose(): void }) {
  const remove = useAction('targets.remove', { onSuccess: onClose });
  return (
    <RemovalDialog
      title="Remove target"
      question={removalQuestion(spec)}
      problem={remove.error?.problem}
      busy={remove.isPending}
      onRemove={(giveUp) => remove.mutate({ id, ...(giveUp !== undefined && { giveUp }) })}
      onClose={onClose}
    />
  );
}

/** The reason why others could read it is shown with it. */
function Password({ words, warning }: { words: string; warning: readonly string[] }) {
  if (warning.length === 0) return words;
  return (
    <Status tone="warn" title={warning.join('. ')}>
      {words === NO_VALUE ? 'cleartext allowed' : `${words}, cleartext allowed`}
    </Status>
  );
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Its location as the load generator sees it: address with port, socket, file or folder. `defaults` replace missing values. */
function placeOf({ config: given }: TargetSpec, defaults: TargetSpec['config'] = {}): string | undefined {
  const config = { ...defaults, ...given };
  const socket = text(config.socket);
  if (socket !== undefined) return socket;
  const address = text(config.address);
  if (address !== undefined) return [address, text(config.port)].filter(Boolean).join(':');
  return text(config.url) ?? text(config.path) ?? text(config.directory);
}
