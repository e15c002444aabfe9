import { Button } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, EmptyState, Page, PageHeader, ProblemBanner, useCrumbs } from '../../../ui/index.ts';
import { HostForm } from './HostForm.tsx';

/** Adds a host, or changes the one with this id. */
export function HostFormPage({ id }: { id?: number }) {
  const [, go] = useLocation();
  const hosts = useCall('hosts.list', {});
  const host = hosts.data?.find((entry) => entry.id === id);
  const name = host?.spec.name ?? '';
  useCrumbs(id === undefined ? [{ label: 'New host' }] : [{ label: name, to: `/hosts/${id}` }, { label: 'Edit' }]);
  if (id !== undefined && hosts.data && host?.spec.kind !== 'ssh') {
    return (
      <EmptyState title="Host not found" action={<Link href="/hosts">All hosts</Link>}>
        This host was removed, or is this computer.
      </EmptyState>
    );
  }
  return (
    <Page>
      <PageHeader
        title={id === undefined ? 'Add a host' : `Edit ${name}`}
        subtitle="A machine with an SSH server and a POSIX shell. Nothing is installed on it."
        actions={
          id === undefined && (
            <Button variant="default" component={Link} href="/hosts/import">
              Import from SSH config
            </Button>
          )
        }
      />
      {hosts.error && <ProblemBanner problem={hosts.error.problem} />}
      {hosts.data ? (
        <HostForm
          host={host}
          others={hosts.data
            .filter((entry) => entry.id !== id && entry.spec.kind === 'ssh')
            .map((entry) => entry.spec.name)}
          onDone={(saved = host) => go(saved ? `/hosts/${saved.id}` : '/hosts')}
        />
      ) : (
        !hosts.error && <BlockSkeleton height={320} />
      )}
    </Page>
  );
}
