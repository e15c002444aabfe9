import { IconDatabaseOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useCall } from '../../client/index.ts';
import { BlockSkeleton, EmptyState, Page, ProblemBanner, useCrumbs } from '../../ui/index.ts';
import { TargetForm } from './TargetForm.tsx';

/** A new target, or the one with this id: its settings, and what it says of itself. */
export function TargetPage({ id }: { id?: number }) {
  const targets = useCall('targets.list', {});
  const kinds = useCall('targets.kinds', {});
  const hosts = useCall('hosts.list', {});
  const target = targets.data?.find((entry) => entry.id === id);
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
        title="This target is not there"
        action={<Link href="/targets">All targets</Link>}
      >
        It may have been removed since, or the link was cut short.
      </EmptyState>
    );
  }
  const names = hosts.data.filter((host) => host.spec.kind === 'ssh').map((host) => host.spec.name);
  return <TargetForm target={target} kinds={kinds.data} hosts={names} />;
}
