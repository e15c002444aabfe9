import { Tabs } from '@mantine/core';
import { IconDatabaseOff, IconTrash } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { warningsOf } from '../../../shared/model/form-schema.ts';
import type { Target, TargetKindInfo, TargetPart } from '../../../shared/model/target.ts';
import { useAction, useCall } from '../../client/index.ts';
import { GiveUpProblem } from '../../domain/problems.tsx';
import {
  BlockSkeleton,
  ConfirmButton,
  EmptyState,
  Page,
  PageHeader,
  ProblemBanner,
  Status,
  useCrumbs,
} from '../../ui/index.ts';
import { DataSets } from './DataSets.tsx';
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
              question={`Remove ${target.spec.name}? Its stored password and the list of its data sets are removed; the server, its tables and the sessions measured on it stay.`}
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
  sessions: 'Live sessions',
  counters: 'Counters',
};
