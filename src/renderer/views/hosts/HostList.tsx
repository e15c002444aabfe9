import { Button, Menu } from '@mantine/core';
import {
  IconArrowRight,
  IconCopy,
  IconFileImport,
  IconPencil,
  IconPlugConnected,
  IconPlus,
  IconServer2,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Host, HostFacts, LeftBehind, LinkState } from '../../../shared/model/host.ts';
import { formatBytes, formatCount, formatDateTime, NO_VALUE } from '../../../shared/util/format.ts';
import { useAction, useCall, useHostLinks } from '../../client/index.ts';
import { RemovalDialog } from '../../domain/problems.tsx';
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
  TableSkeleton,
} from '../../ui/index.ts';
import styles from './hosts.module.css';
import { addressOf, LeftBehindMark, LinkLight, removalQuestion, useLeftBehind } from './words.tsx';

/** Every known machine, with its connection state and facts. */
export function HostList() {
  const hosts = useCall('hosts.list', {});
  const links = useHostLinks();
  const leftOn = useLeftBehind();
  const [, go] = useLocation();
  return (
    <Page>
      <PageHeader
        title="Hosts"
        subtitle="Machines that generate load or are measured, reached by SSH. Kneepoint installs nothing on them."
        actions={
          <>
            <Button component={Link} href="/hosts/import" variant="default" leftSection={<IconFileImport size={16} />}>
              Import from SSH config
            </Button>
            <Button component={Link} href="/hosts/new" leftSection={<IconPlus size={16} />}>
              Add a host
            </Button>
          </>
        }
      />
      {hosts.error && (
        <ProblemBanner
          problem={hosts.error.problem}
          actions={
            <Button variant="default" onClick={() => void hosts.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!hosts.error && (
        <Panel label="Hosts" flush>
          {hosts.data ? (
            <DataTable
              label="Hosts"
              rows={hosts.data}
              rowId={(host) => String(host.id)}
              columns={columnsOf(links, leftOn)}
              onRowClick={(host) => go(`/hosts/${host.id}`)}
            />
          ) : (
            <TableSkeleton rows={4} />
          )}
        </Panel>
      )}
      {hosts.data?.every((host) => host.spec.kind === 'local') && (
        <Panel label="First host">
          <EmptyState
            icon={<IconServer2 size={28} stroke={1.4} />}
            title="No host added yet"
            action={
              <Button component={Link} href="/hosts/new" variant="default">
                Add a host
              </Button>
            }
          >
            Run load generators on a separate machine: on the server they would compete for its CPU.
          </EmptyState>
        </Panel>
      )}
    </Page>
  );
}

function columnsOf(links: readonly LinkState[], leftOn: (host: string) => readonly LeftBehind[]): Column<Host>[] {
  const linkOf = (host: Host) => links.find((link) => link.host === host.spec.name);
  return [
    {
      id: 'name',
      header: 'Name',
      value: (host) => host.spec.name,
      cell: ({ id, spec }) => <Name id={id} name={spec.name} left={leftOn(spec.name)} />,
    },
    {
      id: 'state',
      header: 'Connection',
      value: (host) => linkOf(host)?.state ?? '',
      cell: (host) => <LinkLight spec={host.spec} link={linkOf(host)} />,
      width: 170,
    },
    { id: 'address', header: 'Address', value: (host) => addressOf(host.spec) },
    {
      id: 'via',
      header: 'Jump hosts',
      minor: true,
      value: (host) => (host.spec.kind === 'ssh' ? host.spec.jumps.join(' → ') : '') || NO_VALUE,
    },
    { id: 'system', header: 'System', cell: (host) => <Fact id={host.id} of={(facts) => facts.os} /> },
    {
      id: 'cpus',
      header: 'CPUs',
      align: 'right',
      cell: (host) => <Fact id={host.id} of={(facts) => facts.cpuCount} />,
    },
    {
      id: 'memory',
      header: 'Memory',
      align: 'right',
      cell: (host) => <Fact id={host.id} of={(facts) => formatBytes(facts.memoryBytes)} />,
    },
    { id: 'tools', header: 'Tools', cell: (host) => <Fact id={host.id} of={foundTools} /> },
    {
      id: 'read',
      header: 'Tested',
      minor: true,
      align: 'right',
      cell: (host) => <Fact id={host.id} of={(facts) => formatDateTime(facts.readAt)} />,
    },
    { id: 'actions', header: '', label: 'Actions', width: 52, cell: (host) => <Actions host={host} /> },
  ];
}

/** Actions of a host: a right-click on its row opens them too. */
function Actions({ host: { id, spec } }: { host: Host }) {
  const [, go] = useLocation();
  const [removing, setRemoving] = useState(false);
  return (
    <>
      {removing ? <Removal id={id} spec={spec} onClose={() => setRemoving(false)} /> : null}
      <RowMenu name={spec.name}>
        <MenuAction label="Open" icon={IconArrowRight} onClick={() => go(`/hosts/${id}`)} />
        <MenuAction label="Test" icon={IconPlugConnected} onClick={() => go(`/hosts/${id}?test`)} />
        {spec.kind === 'ssh' ? (
          <>
            <MenuAction label="Edit" icon={IconPencil} onClick={() => go(`/hosts/${id}/edit`)} />
            <MenuAction label="Duplicate" icon={IconCopy} onClick={() => go(`/hosts/new?like=${id}`)} />
            <Menu.Divider />
            <MenuAction label="Remove" icon={IconTrash} onClick={() => setRemoving(true)} />
          </>
        ) : null}
      </RowMenu>
    </>
  );
}

function Removal({ id, spec, onClose }: Pick<Host, 'id' | 'spec'> & { onClose(): void }) {
  const remove = useAction('hosts.remove', { onSuccess: onClose });
  return (
    <RemovalDialog
      title="Remove host"
      question={removalQuestion(spec)}
      problem={remove.error?.problem}
      busy={remove.isPending}
      onRemove={(giveUp) => remove.mutate({ id, ...(giveUp !== undefined && { giveUp }) })}
      onClose={onClose}
    />
  );
}

const Name = ({ id, name, left }: { id: number; name: string; left: readonly LeftBehind[] }) => (
  <span className={styles.name}>
    <Link href={`/hosts/${id}`}>{name}</Link>
    {left.length > 0 ? <LeftBehindMark left={left} /> : null}
  </span>
);

function Fact({ id, of }: { id: number; of(facts: HostFacts): string | number }) {
  const facts = useCall('hosts.facts', { id }).data?.facts;
  return facts ? of(facts) : <span className="kp-dim">{NO_VALUE}</span>;
}

function foundTools(facts: HostFacts): string {
  const found = facts.tools.filter((tool) => tool.found);
  if (found.length === 0) return 'none found';
  return found.length > 3
    ? formatCount(found.length, 'tool')
    : found.map((tool) => [tool.tool, tool.version].filter(Boolean).join(' ')).join(', ');
}
